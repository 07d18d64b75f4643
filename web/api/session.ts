import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { SessionRecord } from '../../src/accounts/account-schemas.ts'
import { ApiError } from './errors.ts'
import { ask } from './request.ts'
import { keyOf } from './team.ts'

export type Session = Static<typeof SessionRecord>
/** A team of the user, with what the role allows there: areas of docs/permissions.md. */
export type TeamOfSession = Session['teams'][number]
export type Role = TeamOfSession['role']

/** Who is logged in; null: nobody. */
export const sessionQuery = queryOptions({
  queryKey: keyOf(null, '/session'),
  queryFn: async ({ signal }) => {
    try {
      return await ask<Session>('/session', { teamId: null, signal })
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
  staleTime: 30_000,
})

/** Who is logged in. Only for pages that are shown to nobody else. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === null || data === undefined) throw new ApiError(401, { message: 'You are logged out.' })
  return data
}
