import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ToldInvitation } from '../../api/account-records.ts'
import { ask } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'
import { DeadLink, isDeadLink } from './dead-link.tsx'
import { JoinAsKnown } from './join-as-known.tsx'
import { JoinAsNew } from './join-as-new.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Somebody was invited to a team, and has its link. */
export function InvitationPage() {
  const token = useLinkToken()
  const session = useQuery(sessionQuery)
  const told = useQuery({
    queryKey: ['invitation', token],
    queryFn: () =>
      ask<ToldInvitation>('/invitations/inspect', { method: 'POST', body: { token }, teamId: null }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (token === null || isDeadLink(told.error))
    return (
      <DeadLink isMissing={token === null}>
        Invitations work once, for an hour. Ask whoever invited you to send it again.
      </DeadLink>
    )
  if (told.data === undefined || session.isPending)
    return (
      <AccessFrame title="You are invited">
        {told.error === null ? (
          <Skeleton height={180} />
        ) : (
          <ErrorNote error={told.error} onRetry={() => void told.refetch()} />
        )}
      </AccessFrame>
    )
  const rest = { invitation: told.data, token }
  return told.data.has_account ? (
    <JoinAsKnown {...rest} user={session.data?.user ?? null} />
  ) : (
    <JoinAsNew {...rest} />
  )
}
