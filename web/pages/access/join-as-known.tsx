import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { LoginChallenge, ToldInvitation } from '../../api/account-records.ts'
import { endThisSession } from '../../api/ended-session.ts'
import { keepDraftsOf } from '../../api/kept-drafts.ts'
import { requestJson } from '../../api/request.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'
import { DescribeInvitation } from './describe-invitation.tsx'
import { PasswordStep } from './password-step.tsx'
import { SecondStep } from './second-step.tsx'

interface JoinAsKnownProps {
  invitation: ToldInvitation
  token: string
  /** Null when no user is logged in. */
  user: Session['user'] | null
}

/** Joins the team with an existing account. The user must be logged in to the account that was invited. */
export function JoinAsKnown({ invitation, token, user }: JoinAsKnownProps) {
  const client = useQueryClient()
  const router = useRouter()
  const [challenge, setChallenge] = useState<LoginChallenge | null>(null)
  // Only this page holds the link's token, so the user logs in here and not on the login page.
  const enter = (session: Session) => {
    keepDraftsOf(session.user.id)
    client.setQueryData(sessionQuery.queryKey, session)
  }
  const leave = useMutation({
    mutationFn: endThisSession,
    onSuccess: () => client.setQueryData(sessionQuery.queryKey, null),
  })
  const accept = useMutation({
    mutationFn: () =>
      requestJson<Session>('/invitations/accept', { method: 'POST', body: { token }, teamId: null }),
    async onSuccess(session) {
      const before = client.getQueryData(sessionQuery.queryKey)?.teams.map(({ id }) => id) ?? []
      const newTeam = session.teams.find(({ id }) => !before.includes(id))
      client.setQueryData(sessionQuery.queryKey, session)
      await router.invalidate()
      await router.navigate({ to: newTeam === undefined ? '/' : `/${newTeam.id}`, replace: true })
    },
  })
  if (user === null && challenge !== null)
    return <SecondStep challenge={challenge} onEnter={enter} onRestart={() => setChallenge(null)} />
  return (
    <AccessFrame
      title={`Join ${invitation.team.name}`}
      description={<DescribeInvitation invitation={invitation} />}
    >
      {user === null ? (
        <Stack gap="md">
          <Text size="sm">
            The address <b className="foreign">{invitation.email}</b> has an account. Log in to it to join.
          </Text>
          <PasswordStep onEnter={enter} onChallenge={setChallenge} />
        </Stack>
      ) : user.email === invitation.email ? (
        <Stack gap="md">
          <Text size="sm">
            You are logged in as <b className="foreign">{user.email}</b>.
          </Text>
          <ErrorNote error={accept.error} />
          <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate()}>
            Join team
          </Button>
        </Stack>
      ) : (
        <Stack gap="md">
          <Alert color="orange">
            The invitation is for <b className="foreign">{invitation.email}</b>, but you are logged in as{' '}
            <b className="foreign">{user.email}</b>.
          </Alert>
          <ErrorNote error={leave.error} />
          <Button variant="default" fullWidth loading={leave.isPending} onClick={() => leave.mutate(user.id)}>
            Log out and use the other account
          </Button>
        </Stack>
      )}
    </AccessFrame>
  )
}
