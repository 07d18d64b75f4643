import { Badge, Button, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewTotp } from '../../api/account-records.ts'
import { ask } from '../../api/request.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { confirm } from '../../ui/confirm.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpApp } from './set-up-app.tsx'
import { useProof } from './use-proof.tsx'

/** Codes of an app as the second half of a login. */
export function AuthenticatorApp({ user }: { user: Session['user'] }) {
  const client = useQueryClient()
  const proof = useProof()
  const [setup, setSetup] = useState<NewTotp | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const readAgain = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  const begin = () =>
    proof.run(async (body) =>
      setSetup(await ask<NewTotp>('/account/totp', { method: 'POST', body, teamId: null })),
    )
  const turnOff = () =>
    confirm({
      title: 'Turn the authenticator app off?',
      children: 'Logins will not ask for its codes any more. It can be set up again at any time.',
      action: 'Turn it off',
      onConfirm: () =>
        void proof.run(async (body) => {
          await ask('/account/totp/disable', { method: 'POST', body, teamId: null })
          readAgain()
          tellDone('The authenticator app is off.')
        }),
    })
  const close = () => {
    setSetup(null)
    setCodes(null)
  }
  return (
    <Section
      title="Authenticator app"
      description="After your password, a login asks for six digits that an app on your phone shows."
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
        <Badge color="green">On</Badge>
      ) : (
        <Text size="sm" c="dimmed">
          Off. Any app for one-time codes works: it needs no network and no account.
        </Text>
      )}
      {proof.dialog}
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
            onDone={(made) => {
              setCodes(made)
              readAgain()
            }}
          />
        )}
        {codes !== null && <RecoveryCodes codes={codes} onDone={close} />}
      </Modal>
    </Section>
  )
}
