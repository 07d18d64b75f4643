import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type ComponentType, useState } from 'react'
import type { LoginChallenge } from '../../api/account-records.ts'
import { ApiError } from '../../api/errors.ts'
import { requestJson } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'
import { usePasskeyLogin } from './use-passkey-login.ts'

interface SecondStepProps {
  challenge: LoginChallenge
  onEnter(session: Session): void
  /** Returns to the first step, with a message when the login has expired. */
  onRestart(message: string | null): void
  /** What is around the step. Default: a page. */
  frame?: ComponentType<ComponentProps<typeof AccessFrame>>
}

type Method = LoginChallenge['methods'][number]

const TEXTS: Readonly<Record<Method, { title: string; description: string; link: string }>> = {
  totp: {
    title: 'Enter your code',
    description: 'Enter the six digits that your authenticator app shows for Sendwright.',
    link: 'Use the authenticator app',
  },
  passkey: {
    title: 'Use your passkey',
    description: 'Your browser asks for your fingerprint, face, PIN or security key.',
    link: 'Use a passkey',
  },
  recovery_code: {
    title: 'Enter a recovery code',
    description: 'Enter one of the codes that you saved at setup. Each code works once.',
    link: 'Use a recovery code',
  },
}

/** The second step of a login. */
export function SecondStep({ challenge, onEnter, onRestart, frame: Frame = AccessFrame }: SecondStepProps) {
  const [method, setMethod] = useState<Method>(challenge.methods[0] ?? 'recovery_code')
  const others = challenge.methods.filter((each) => each !== method)
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === 'login_expired') onRestart(error.message)
  }
  const rest = { challengeId: challenge.challenge_id, onEnter, onError }
  return (
    <Frame
      title={TEXTS[method].title}
      description={TEXTS[method].description}
      foot={
        <Anchor component="button" type="button" size="sm" onClick={() => onRestart(null)}>
          Log in as another user
        </Anchor>
      }
    >
      <Stack gap="md">
        {method === 'passkey' ? <ByPasskey {...rest} /> : <ByCode key={method} method={method} {...rest} />}
        {others.length > 0 && (
          <Group gap="md" justify="center">
            {others.map((other) => (
              <Anchor key={other} component="button" type="button" size="sm" onClick={() => setMethod(other)}>
                {TEXTS[other].link}
              </Anchor>
            ))}
          </Group>
        )}
      </Stack>
    </Frame>
  )
}

interface ByProps {
  challengeId: string
  onEnter(session: Session): void
  onError(error: Error): void
}

function ByCode({ method, challengeId, onEnter, onError }: ByProps & { method: 'totp' | 'recovery_code' }) {
  const form = useForm({ initialValues: { code: '' } })
  const login = useMutation({
    mutationFn: (code: string) =>
      requestJson<Session>('/session/second-factor', {
        method: 'POST',
        body: { challenge_id: challengeId, [method === 'totp' ? 'code' : 'recovery_code']: code.trim() },
        teamId: null,
      }),
    onSuccess: onEnter,
    onError(error) {
      form.reset()
      onError(error)
    },
  })
  return (
    <form onSubmit={form.onSubmit(({ code }) => login.mutate(code))} noValidate>
      <Stack gap="md">
        <TextInput
          label={method === 'totp' ? 'Code' : 'Recovery code'}
          autoComplete="one-time-code"
          inputMode={method === 'totp' ? 'numeric' : 'text'}
          autoFocus
          required
          withAsterisk={false}
          classNames={{ input: 'code' }}
          {...form.getInputProps('code')}
        />
        <ErrorNote error={login.error} />
        <Button type="submit" fullWidth loading={login.isPending}>
          Log in
        </Button>
      </Stack>
    </form>
  )
}

function ByPasskey({ challengeId, onEnter, onError }: ByProps) {
  const login = usePasskeyLogin({ onEnter, onError })
  return (
    <>
      <ErrorNote error={login.error} />
      <Button
        fullWidth
        autoFocus
        leftSection={<IconFingerprint aria-hidden />}
        loading={login.isPending}
        onClick={() => login.mutate(challengeId)}
      >
        Use your passkey
      </Button>
    </>
  )
}
