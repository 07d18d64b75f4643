import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Caller } from '../../access/authenticate.ts'
import { refuseRole } from '../../access/permissions.ts'
import { callerOf, type LoggedIn, type SessionAccess } from '../../access/session-access.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Route } from '../route.ts'
import { refuseCrossSite } from './cross-site.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * Requests a minute of one user, whatever the plans of the teams: a dashboard never uses up what programs have. A page asks
 * ten to fifteen times, and somebody who leafs through pages, in several windows, is not to wait.
 */
export const SESSION_REQUESTS_MAX = 3_000

/** What of a route decides who may ask. */
export type Guarded = Pick<Route, 'method' | 'permission' | 'tag' | 'role' | 'changesNothing'>

/** Who asks by a session, and for which team; `caller` is null on routes without one. */
export interface SessionRequest {
  session: LoggedIn
  caller: Caller | null
}

export interface SessionGate {
  /** Whether a request is to be judged by its session: with an Authorization header the cookie is never looked at. */
  isAsked(request: Pick<IncomingMessage, 'headers'>): boolean
  /** Throws ApiError: 401, 403, or 404 for a team that is not the user's. */
  admit(route: Guarded, request: Pick<IncomingMessage, 'headers' | 'method'>): Promise<SessionRequest>
}

export function createSessionGate(
  sessions: Pick<SessionAccess, 'authenticate'>,
  publicUrl: string,
): SessionGate {
  return {
    isAsked: ({ headers: { authorization, cookie } }) =>
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
      // The team of others answers as one that never was.
      if (caller?.user == null) throw new ApiError('not_found')
      refuseRole(route, caller.user.role)
      return { session, caller }
    },
  }
}

function readTeam({ 'x-sendwright-team': team }: IncomingHttpHeaders): string {
  return typeof team === 'string' && isUuid(team) ? team.toLowerCase() : ''
}
