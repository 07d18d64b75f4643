import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError } from './errors.ts'
import { ask } from './request.ts'

export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export interface TeamOfSession {
  id: string
  name: string
  role: Role
  plan: string
  sending_paused_at: string | null
  sending_paused_reason: string | null
  sending_paused_by: 'operator' | 'reputation' | null
  /** Areas of docs/permissions.md. */
  may_read: string[]
  may_change: string[]
}

export interface Session {
  id: string
  created_at: string
  user: {
    id: string
    email: string
    name: string
    is_operator: boolean
    has_password: boolean
    totp_enabled: boolean
    passkey_count: number
    recovery_codes_left: number
    created_at: string
  }
  teams: TeamOfSession[]
  installation: {
    delivery: 'capture' | 'direct' | 'relay'
    public_url: string
    smtp: { host: string; port: number | null; tls_port: number | null }
    version: string
  }
}

/** Who is logged in; null: nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
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
