import { Button, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecoveryCodes as RecoveryCodesRecord } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Section } from '../../ui/page/section.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { texts } from './texts.ts'
import { useProof } from './use-proof.tsx'

const FEW = 3

/** The number of unused recovery codes, and a button for new ones. */
export function RecoveryCodesLeft({ user: { recovery_codes_left: left } }: { user: Session['user'] }) {
  const client = useQueryClient()
  const proof = useProof()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const renew = () =>
    confirm({
      title: texts.recoveryCodesLeft.createNewRecoveryCodes,
      children: texts.recoveryCodesLeft.currentCodesStopWorking,
      action: texts.recoveryCodesLeft.createNewCodes,
      isDangerous: false,
      onConfirm: () =>
        void proof.run(async (body) => {
          const given = { method: 'POST', body, teamId: null } as const
          const made = await requestJson<RecoveryCodesRecord>('/account/recovery-codes', given)
          setCodes(made.recovery_codes)
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
        }),
    })
  return (
    <Section
      title={texts.recoveryCodesLeft.recoveryCodes}
      description={texts.recoveryCodesLeft.eachCodeReplacesApp}
      actions={
        <Button variant="default" onClick={renew}>
          {texts.recoveryCodesLeft.createNewCodes}
        </Button>
      }
    >
      <Text size="sm" c={left <= FEW ? 'var(--mantine-color-error)' : 'dimmed'}>
        {left === 0 ? texts.recoveryCodesLeft.noCodesLeftCreate : texts.recoveryCodesLeft.codesLeft(left)}
      </Text>
      {proof.dialog}
      <Modal
        opened={codes !== null}
        onClose={() => setCodes(null)}
        title={texts.recoveryCodesLeft.yourRecoveryCodes}
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Modal>
    </Section>
  )
}
