import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { SessionRecord } from '../../src/accounts/users/account-schemas.ts'
import { leaveFor } from './ended-session.ts'
import { ApiError } from './errors.ts'
import { needsLogin } from './guarded-paths.ts'
import { keyOf } from './query-keys.ts'
import { requestJson } from './request.ts'

export type Session = Static<typeof SessionRecord>
/** A team of the user, with the areas of docs/permissions.md that the user's role may read and change. */
export type TeamOfSession = Session['teams'][number]
export type Role = TeamOfSession['role']

/** The session of the current user; null when no user is logged in. */
export const sessionQuery = queryOptions({
  queryKey: keyOf(null, '/session'),
  queryFn: async ({ signal, client, queryKey }): Promise<Session | null> => {
    const known = () => client.getQueryData<Session | null>(queryKey)
    try {
      const session = await requestJson<Session>('/session', { teamId: null, signal })
      const before = known()
      const isSame = !before || before.user.id === session.user.id
      if (isSame || !needsLogin(window.location.pathname)) return session
      // Someone else logged in in another tab. They must not see this page, nor act on it.
      leaveFor('/app/')
      return before
    } catch (error) {
      // The pages of a session that ended stay, below the dialog that asks the user to log in again.
      if (error instanceof ApiError && error.status === 401 && !known()) return null
      throw error
    }
  },
  staleTime: 30_000,
})

/** Returns the session. Only for pages that require a login; throws ApiError without one. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === null || data === undefined) throw new ApiError(401, { message: 'You are logged out.' })
  return data
}
