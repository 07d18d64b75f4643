import { Anchor, Button, Modal, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { Installation, LoginChallenge } from '../api/account-records.ts'
import { sessionEnd } from '../api/ended-session.ts'
import { keepDraftsOf } from '../api/kept-drafts.ts'
import { pathWith, requestJson } from '../api/request.ts'
import { type Session, sessionQuery } from '../api/session.ts'
import { useGet } from '../api/team.ts'
import { SecondStep } from '../pages/access/second-step.tsx'
import { ErrorNote } from '../ui/page/error-note.tsx'

/**
 * Asks a user whose session has ended to log in again, over the page, so that nothing on it is lost. The page is blurred,
 * because someone else may look at it by now.
 */
export function SessionEnded({ user }: { user: Session['user'] }) {
  const [challenge, setChallenge] = useState<LoginChallenge | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const installation = useGet<Installation>('/installation', { isTeamless: true })
  const onEnter = useResume(user.id)
  const { latestLocation } = useRouter()
  const toLogin = pathWith('/app/login', { notice: 'left', next: latestLocation.href })
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title="Your session has ended"
      overlayProps={{ blur: 8, backgroundOpacity: 0.5 }}
    >
      <Stack gap="md">
        <Text size="sm">Log in to continue where you left off. Nothing on this page is lost.</Text>
        {problem !== null && <ErrorNote error={problem} />}
        {challenge !== null && (
          <SecondStep
            frame={Step}
            challenge={challenge}
            onEnter={onEnter}
            onRestart={(message) => {
              setProblem(message)
              setChallenge(null)
            }}
          />
        )}
        {challenge === null && installation.data?.password_login !== false && (
          <PasswordForm email={user.email} onEnter={onEnter} onChallenge={setChallenge} />
        )}
        <Anchor href={toLogin} size="sm" ta="center">
          Log in another way or as another user
        </Anchor>
      </Stack>
    </Modal>
  )
}

function Step({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <>
      <Title order={3}>{title}</Title>
      {children}
    </>
  )
}

interface PasswordFormProps {
  email: string
  onEnter(session: Session): void
  onChallenge(challenge: LoginChallenge): void
}

function PasswordForm({ email, onEnter, onChallenge }: PasswordFormProps) {
  const form = useForm({ initialValues: { password: '' } })
  const login = useMutation({
    mutationFn: (password: string) =>
      requestJson<Session | LoginChallenge>('/session', {
        method: 'POST',
        body: { email, password },
        teamId: null,
      }),
    onSuccess: (answer) => ('challenge_id' in answer ? onChallenge(answer) : onEnter(answer)),
  })
  return (
    <form onSubmit={form.onSubmit(({ password }) => login.mutate(password))} noValidate>
      <Stack gap="md">
        <input type="email" value={email} autoComplete="username" readOnly hidden />
        <PasswordInput
          label={`Password of ${email}`}
          autoComplete="current-password"
          data-autofocus
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <ErrorNote error={login.error} />
        <Button type="submit" fullWidth loading={login.isPending}>
          Log in
        </Button>
      </Stack>
    </form>
  )
}

/** Returns a function that continues the page for the same user. Another user never sees it. */
function useResume(userId: string): (session: Session) => void {
  const client = useQueryClient()
  return (session) => {
    if (session.user.id !== userId) {
      window.location.assign('/app/')
      return
    }
    keepDraftsOf(userId)
    client.setQueryData(sessionQuery.queryKey, session)
    sessionEnd.set(false)
    void client.invalidateQueries()
  }
}
