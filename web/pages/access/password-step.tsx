import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { LoginChallenge } from '../../api/account-records.ts'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { requestJson } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { usePasskeyLogin } from './use-passkey-login.ts'

interface PasswordStepProps {
  onEnter(session: Session): void
  onChallenge(challenge: LoginChallenge): void
}

/** The first step of a login, by password; a passkey needs no second step. */
export function PasswordStep({ onEnter, onChallenge }: PasswordStepProps) {
  const form = useForm({ initialValues: { email: '', password: '' } })
  const login = useMutation({
    mutationFn: (body: typeof form.values) =>
      requestJson<Session | LoginChallenge>('/session', { method: 'POST', body, teamId: null }),
    onSuccess: (answer) => ('challenge_id' in answer ? onChallenge(answer) : onEnter(answer)),
    onError: (error) => showFieldErrors(form, error),
  })
  const passkey = usePasskeyLogin({ onEnter })
  return (
    <Stack gap="md">
      <form onSubmit={form.onSubmit((values) => login.mutate(values))} noValidate>
        <Stack gap="md">
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps('password')}
          />
          <ErrorNote error={login.error ?? passkey.error} shownFields={['email', 'password']} />
          <Button type="submit" fullWidth loading={login.isPending}>
            Log in
          </Button>
        </Stack>
      </form>
      {knowsPasskeys() && (
        <>
          <Divider label="or" />
          <Button
            variant="default"
            fullWidth
            leftSection={<IconFingerprint aria-hidden />}
            loading={passkey.isPending}
            onClick={() => passkey.mutate(null)}
          >
            Log in with a passkey
          </Button>
        </>
      )}
    </Stack>
  )
}
