import { Button, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewTotp } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { notifyDone } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { State } from '../../ui/status-badge.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpApp } from './set-up-app.tsx'
import { texts } from './texts.ts'
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
      title: texts.authenticatorApp.disableTheAuthenticatorApp,
      children: texts.authenticatorApp.loggingNoLongerRequire,
      action: texts.authenticatorApp.disable,
      onConfirm: () =>
        void proof.run(async (body) => {
          await requestJson('/account/totp/disable', { method: 'POST', body, teamId: null })
          readAgain()
          notifyDone(texts.authenticatorApp.authenticatorAppDisabled)
        }),
    })
  return (
    <Section
      title={texts.authenticatorApp.authenticatorApp}
      description={texts.authenticatorApp.afterPasswordEnterSix}
      actions={
        user.totp_enabled ? (
          <Button variant="default" onClick={turnOff}>
            {texts.authenticatorApp.turnOff}
          </Button>
        ) : (
          <Button variant="default" loading={proof.isRunning} onClick={() => void begin()}>
            {texts.authenticatorApp.setUp}
          </Button>
        )
      }
    >
      {user.totp_enabled ? (
        <State tone="green">{texts.authenticatorApp.on}</State>
      ) : (
        <Text size="sm" c="dimmed">
          {texts.authenticatorApp.offAnyAppOne}
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
      title={
        codes === null
          ? texts.authenticatorApp.setUpAuthenticatorApp
          : texts.authenticatorApp.yourRecoveryCodes
      }
      size="md"
      closeOnClickOutside={false}
      withCloseButton={codes === null}
      closeOnEscape={codes === null}
    >
      {setup !== null && codes === null && (
        <SetUpApp
          setup={setup}
          onDone={(made) => {
            setCodes(made)
            onSetUp()
          }}
        />
      )}
      {codes !== null && <RecoveryCodes codes={codes} onDone={close} />}
    </Modal>
  )
}
