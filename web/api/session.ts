import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { SessionRecord } from '../../src/accounts/users/account-schemas.ts'
import { ApiError } from './errors.ts'
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
    try {
      return await requestJson<Session>('/session', { teamId: null, signal })
    } catch (error) {
      // The pages of a session that ended stay, below the dialog that asks the user to log in again.
      const hadSession = Boolean(client.getQueryData(queryKey))
      if (error instanceof ApiError && error.status === 401 && !hadSession) return null
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
