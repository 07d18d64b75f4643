import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Caller } from '../../access/caller.ts'
import { requireRole } from '../../access/permissions.ts'
import { callerOf, type LoggedIn, type SessionAccess } from '../../access/session-access.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Route } from '../route/route.ts'
import { refuseCrossSite } from './cross-site.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * Requests per minute of one user, regardless of plans, so that a dashboard never uses up the limit of programs. A
 * page sends ten to fifteen requests, and a user who browses in several windows must not wait.
 */
export const SESSION_REQUESTS_MAX = 3_000

/** The fields of a route that decide who may call it. */
export type Guarded = Pick<Route, 'method' | 'permission' | 'area' | 'role' | 'changesNothing'>

/** The session of a request and its team. `caller` is null on routes without a team. */
export interface SessionRequest {
  session: LoggedIn
  caller: Caller | null
}

export interface SessionGate {
  /** Returns whether the session decides on a request. With an Authorization header, the cookie is ignored. */
  appliesTo(request: Pick<IncomingMessage, 'headers'>): boolean
  /** Throws ApiError: 401, 403, or 404 for a team of other users. */
  admit(route: Guarded, request: Pick<IncomingMessage, 'headers' | 'method'>): Promise<SessionRequest>
}

export function createSessionGate(
  sessions: Pick<SessionAccess, 'authenticate'>,
  publicUrl: string,
): SessionGate {
  return {
    appliesTo: ({ headers: { authorization, cookie } }) =>
      authorization === undefined && readSessionCookie(cookie, publicUrl) !== null,
    async admit(route, { headers, method = 'GET' }) {
      const token = readSessionCookie(headers.cookie, publicUrl)
      if (token === null) throw new ApiError('not_logged_in')
      refuseCrossSite(method, headers, publicUrl)
      const session = await sessions.authenticate(token)
      if (route.permission === 'operator') {
        if (!session.isOperator) throw new ApiError('operators_only')
        return { session, caller: null }
      }
      if (route.permission === 'user') return { session, caller: null }
      const caller = callerOf(session, readTeam(headers))
      // Another team gets the same response as an unknown one.
      if (caller?.user == null) throw new ApiError('not_found')
      requireRole(route, caller.user.role)
      return { session, caller }
    },
  }
}

function readTeam({ 'x-sendwright-team': team }: IncomingHttpHeaders): string {
  return typeof team === 'string' && isUuid(team) ? team.toLowerCase() : ''
}
