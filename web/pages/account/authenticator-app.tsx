import { Button, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewTotp } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { State } from '../../ui/status-badge.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpApp } from './set-up-app.tsx'
import { useProof } from './use-proof.tsx'

/** Sets up an authenticator app as second factor, or turns it off. */
export function AuthenticatorApp({ user }: { user: Session['user'] }) {
  const client = useQueryClient()
  const proof = useProof()
  const [setup, setSetup] = useState<NewTotp | null>(null)
  const readAgain = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  const begin = () =>
    proof.run(async (body) =>
      setSetup(await requestJson<NewTotp>('/account/totp', { method: 'POST', body, teamId: null })),
    )
  const turnOff = () =>
    confirm({
      title: 'Disable authenticator app?',
      children: 'Logging in will no longer require a code. You can set it up again at any time.',
      action: 'Disable',
      onConfirm: () =>
        void proof.run(async (body) => {
          await requestJson('/account/totp/disable', { method: 'POST', body, teamId: null })
          readAgain()
          notifyDone('Authenticator app disabled.')
        }),
    })
  return (
    <Section
      title="Authenticator app"
      description="After your password, you enter a six-digit code from an app on your phone."
      actions={
        user.totp_enabled ? (
          <Button variant="default" onClick={turnOff}>
            Turn off
          </Button>
        ) : (
          <Button variant="default" loading={proof.isRunning} onClick={() => void begin()}>
            Set up
          </Button>
        )
      }
    >
      {user.totp_enabled ? (
        <State tone="green">On</State>
      ) : (
        <Text size="sm" c="dimmed">
          Off. Any app for one-time codes (TOTP) works.
        </Text>
      )}
      {proof.dialog}
      <SetUpDialog setup={setup} onSetUp={readAgain} onClose={() => setSetup(null)} />
    </Section>
  )
}

interface SetUpDialogProps {
  /** Null: the dialog is closed. */
  setup: NewTotp | null
  /** Called when the app is set up, while the dialog still shows the recovery codes. */
  onSetUp(): void
  onClose(): void
}

/** Sets the app up, then shows the recovery codes until the user confirms that they are kept. */
function SetUpDialog({ setup, onSetUp, onClose }: SetUpDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = () => {
    onClose()
    setCodes(null)
  }
  return (
    <Modal
      opened={setup !== null}
      onClose={close}
      title={codes === null ? 'Set up an authenticator app' : 'Your recovery codes'}
      size="md"
      closeOnClickOutside={false}
      withCloseButton={codes === null}
      closeOnEscape={codes === null}
    >
      {setup !== null && codes === null && (
        <SetUpApp
          setup={setup}
          onDone={(newCodes) => {
            setCodes(newCodes)
            onSetUp()
          }}
        />
      )}
      {codes !== null && <RecoveryCodes codes={codes} onDone={close} />}
    </Modal>
  )
}
