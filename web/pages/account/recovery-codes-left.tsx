import { Button, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecoveryCodes as RecoveryCodesRecord } from '../../api/account-records.ts'
import { ask } from '../../api/request.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Section } from '../../ui/section.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useProof } from './use-proof.tsx'

const FEW = 3

/** How many codes there are for who loses the rest, and new ones. */
export function RecoveryCodesLeft({ user: { recovery_codes_left: left } }: { user: Session['user'] }) {
  const client = useQueryClient()
  const proof = useProof()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const renew = () =>
    confirm({
      title: 'Make new recovery codes?',
      children: 'The ones that you have now work no more.',
      action: 'Make new codes',
      isDangerous: false,
      onConfirm: () =>
        void proof.run(async (body) => {
          const given = { method: 'POST', body, teamId: null } as const
          const made = await ask<RecoveryCodesRecord>('/account/recovery-codes', given)
          setCodes(made.recovery_codes)
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
        }),
    })
  return (
    <Section
      title="Recovery codes"
      description="Each lets you in one time, in place of the app or the passkey."
      actions={
        <Button variant="default" onClick={renew}>
          Make new codes
        </Button>
      }
    >
      <Text size="sm" c={left <= FEW ? 'var(--mantine-color-error)' : 'dimmed'}>
        {left === 0 ? 'None is left: make new ones.' : `${left} ${left === 1 ? 'is' : 'are'} left.`}
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
