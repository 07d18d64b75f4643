import { Button, Skeleton, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ToldInvitation } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { type Session, sessionQuery } from '../../api/session.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { NewPassword } from '../../ui/forms/new-password.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'
import { DeadLink, isDeadLink } from './dead-link.tsx'
import { DescribeInvitation } from './describe-invitation.tsx'
import { JoinAsKnown } from './join-as-known.tsx'
import { useEnter } from './use-enter.ts'
import { useLinkToken } from './use-link-token.ts'

/** The page of an invitation's link. */
export function InvitationPage() {
  const token = useLinkToken()
  const session = useQuery(sessionQuery)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () =>
      requestJson<ToldInvitation>('/invitations/inspect', { method: 'POST', body: { token }, teamId: null }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (token === null || isDeadLink(invitation.error))
    return (
      <DeadLink isMissing={token === null}>
        Invitations work once, within an hour. Ask the person who invited you for a new one.
      </DeadLink>
    )
  if (invitation.data === undefined || session.isPending)
    return (
      <AccessFrame title="You are invited">
        {invitation.error === null ? (
          <Skeleton height={180} />
        ) : (
          <ErrorNote error={invitation.error} onRetry={() => void invitation.refetch()} />
        )}
      </AccessFrame>
    )
  const rest = { invitation: invitation.data, token }
  return invitation.data.has_account ? (
    <JoinAsKnown {...rest} user={session.data?.user ?? null} />
  ) : (
    <JoinAsNew {...rest} />
  )
}

/** Creates an account for the invited address and joins the team. */
function JoinAsNew({ invitation, token }: { invitation: ToldInvitation; token: string }) {
  const enter = useEnter()
  const form = useForm({ initialValues: { name: '', password: '' } })
  const accept = useMutation({
    mutationFn: (values: typeof form.values) =>
      requestJson<Session>('/invitations/accept', {
        method: 'POST',
        body: { token, ...values },
        teamId: null,
      }),
    onSuccess: enter,
    onError: (error) => showFieldErrors(form, error),
  })
  return (
    <AccessFrame
      title={`Join ${invitation.team.name}`}
      description={<DescribeInvitation invitation={invitation} />}
    >
      <form onSubmit={form.onSubmit((values) => accept.mutate(values))} noValidate>
        <Stack gap="md">
          <TextInput
            label="Email"
            value={invitation.email}
            readOnly
            type="email"
            autoComplete="username"
            description="You log in with it."
          />
          <TextInput
            label="Your name"
            autoComplete="name"
            autoFocus
            required
            withAsterisk={false}
            {...form.getInputProps('name')}
          />
          <NewPassword {...form.getInputProps('password')} />
          <ErrorNote error={accept.error} shownFields={['name', 'password']} />
          <Button type="submit" fullWidth loading={accept.isPending}>
            Create my account and join
          </Button>
        </Stack>
      </form>
    </AccessFrame>
  )
}
