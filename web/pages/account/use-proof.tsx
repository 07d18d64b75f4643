import { Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError, isSessionEnd } from '../../api/errors.ts'
import { useSession } from '../../api/session.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { notifyError } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'

/** An action that needs proof of identity. The proof is empty when the login is recent enough. */
type Proven = (proof: { password?: string }) => Promise<void>

interface Proof {
  /** Runs the action. If the API requires the password, asks for it and runs the action again. */
  run(action: Proven): Promise<void>
  isRunning: boolean
  /** Must be rendered by the page. */
  dialog: ReactNode
}

const isAboutProof = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'recent_login_required' || 'password' in error.fields)

/** For actions that must not be possible in an unattended browser. */
export function useProof(): Proof {
  const { user } = useSession()
  const [action, setAction] = useState<Proven | null>(null)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setIsRunning] = useState(false)
  const close = () => {
    setAction(null)
    setPassword('')
    setError(null)
  }
  const attempt = async (what: Proven, proof: { password?: string }) => {
    setIsRunning(true)
    try {
      await what(proof)
      close()
    } catch (thrown) {
      const isFirst = proof.password === undefined
      if (isFirst && isAboutProof(thrown)) setAction(() => what)
      else if (isFirst || isSessionEnd(thrown)) notifyError(thrown)
      else setError(thrown)
    } finally {
      setIsRunning(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (action !== null) void attempt(action, { password })
  }
  const dialog = (
    <Modal opened={action !== null} onClose={close} title="Confirm that it is you">
      {user.has_password ? (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <input type="text" autoComplete="username" value={user.email} readOnly hidden />
            <PasswordInput
              label="Your password"
              autoComplete="current-password"
              data-autofocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <ErrorNote error={error} />
            <FormFooter onCancel={close} isPending={isRunning} isDisabled={password === ''}>
              Confirm
            </FormFooter>
          </Stack>
        </form>
      ) : (
        <Text size="sm">You logged in too long ago for this action. Log out, log in again, and retry.</Text>
      )}
    </Modal>
  )
  return { run: (what) => attempt(what, {}), isRunning, dialog }
}
