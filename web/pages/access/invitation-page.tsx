import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ToldInvitation } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'
import { DeadLink, isDeadLink } from './dead-link.tsx'
import { JoinAsKnown } from './join-as-known.tsx'
import { JoinAsNew } from './join-as-new.tsx'
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
