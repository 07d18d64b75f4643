import { Button, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecoveryCodes as RecoveryCodesRecord } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Section } from '../../ui/page/section.tsx'
import { plural } from '../../ui/plural.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useProof } from './use-proof.tsx'

const FEW = 3

/** The number of unused recovery codes, and a button for new ones. */
export function RecoveryCodesLeft({ user: { recovery_codes_left: count } }: { user: Session['user'] }) {
  const client = useQueryClient()
  const proof = useProof()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const renew = () =>
    confirm({
      title: 'Create new recovery codes?',
      children: 'Your current codes stop working.',
      action: 'Create new codes',
      isDangerous: false,
      onConfirm: () =>
        void proof.run(async (body) => {
          const options = { method: 'POST', body, teamId: null } as const
          const record = await requestJson<RecoveryCodesRecord>('/account/recovery-codes', options)
          setCodes(record.recovery_codes)
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
        }),
    })
  return (
    <Section
      title="Recovery codes"
      description="Each code replaces the app or the passkey for one login."
      actions={
        <Button variant="default" onClick={renew}>
          Create new codes
        </Button>
      }
    >
      <Text size="sm" c={count <= FEW ? 'var(--mantine-color-error)' : 'dimmed'}>
        {count === 0
          ? 'No codes are left. Create new ones.'
          : plural(count, '1 is left.', `${count} are left.`)}
      </Text>
      {proof.dialog}
      <Modal
        opened={codes !== null}
        onClose={() => setCodes(null)}
        title="Your recovery codes"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Modal>
    </Section>
  )
}
