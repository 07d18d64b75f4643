import { Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import { useSession } from '../../api/session.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { FormFooter } from '../../ui/form-footer.tsx'
import { tellError } from '../../ui/notices.tsx'

/** What is done with the body that proves who one is: empty where the login of just now is enough. */
type Proven = (proof: { password?: string }) => Promise<void>

interface Proof {
  /** Does it; where the API wants the password for it, asks for that, and does it then. */
  run(action: Proven): Promise<void>
  isRunning: boolean
  /** To be put into the page. */
  dialog: ReactNode
}

const isAboutProof = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'recent_login_required' || 'password' in error.fields)

/** For what a browser that was left alone must not do. */
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
      else if (isFirst) tellError(thrown)
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
        <Text size="sm">Your login is too long ago for this. Log out, log in again, and repeat it.</Text>
      )}
    </Modal>
  )
  return { run: (what) => attempt(what, {}), isRunning, dialog }
}
