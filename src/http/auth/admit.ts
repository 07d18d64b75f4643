import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator, Caller } from '../../access/caller.ts'
import { keyMayCall } from '../../access/permissions.ts'
import { type PlanName, requestsMax } from '../../access/plans.ts'
import type { Admission, RateLimiter } from '../../access/rate-limit.ts'
import type { LoggedIn } from '../../access/session-access.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { ClientAddress } from '../connections/client-address.ts'
import type { ConnectionLimits } from '../connections/connections.ts'
import type { BodyBudget } from '../json/body-budget.ts'
import { NO_TEAM, setLimitFields } from '../route/answer.ts'
import type { Route } from '../route/route.ts'
import { readBearer } from './auth.ts'
import { refuseForeignLogin } from './cross-site.ts'
import type { NetworkLimit } from './network-limit.ts'
import type { OperatorGate } from './operator.ts'
import { type Guarded, SESSION_REQUESTS_MAX, type SessionGate } from './session-auth.ts'

/** The checks that the server makes before it reads the body of a request. */
export interface Gates {
  authenticate: Authenticator['authenticate']
  /** Admits users by their sessions. */
  sessions: SessionGate
  /** Admits the operator. Throws ApiError (401). */
  admitOperator: OperatorGate
  limiter: RateLimiter
  /** Returns the caller that a cached key had at its last look-up, or null. Grants no access. */
  guess?: Authenticator['guess']
  /** Called for each request that probably brings mail of this team, before its key is looked up. */
  expectMail?(teamId: string): void
}

export interface Admitting extends Gates {
  /** The public URL of the API. Logins from other sites are rejected. */
  publicUrl: string
  bodyBudget: BodyBudget
  limits: ConnectionLimits
  clientAddress: ClientAddress
  /** Limits requests to public routes. */
  networkLimit: NetworkLimit
}
type AdmittedRoute = Guarded & Pick<Route, 'limit' | 'bodyBytesMax' | 'isOwnSiteOnly'>

export const BODY_BYTES_MAX = 1024 * 1024

/** Checks key or session, permission, rate limit and memory, each before the body is read. */
export async function admit(
  route: AdmittedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Admitting,
): Promise<void> {
  const { admitOperator, sessions, bodyBudget, limits } = options
  setLimitFields(reply, NO_TEAM)
  if (route.permission === 'public') {
    const admission = options.networkLimit(options.clientAddress(request.raw))
    if (admission !== null) {
      setLimitFields(reply, admission)
      refuseOverLimit(admission)
    }
    if (!route.isOwnSiteOnly) return
    refuseForeignLogin(request.headers, options.publicUrl)
    request.session = await sessionIfAny(request, options)
    return
  }
  if (route.permission === 'operator' && !sessions.appliesTo(request.raw)) {
    const admission = admitOperator(request.raw)
    setLimitFields(reply, admission)
    return refuseOverLimit(admission)
  }
  const ahead = countAhead(route, request, options)
  const caller = await identify(route, request, options)
  request.caller = caller
  const isCounted = caller !== null && ahead?.teamId === caller.teamId && ahead.plan === caller.plan
  const admission = await (isCounted ? ahead.admission : count(route, request, options))
  setLimitFields(reply, admission)
  refuseOverLimit(admission)
  const accountId = caller?.teamId ?? request.session?.userId ?? ''
  await reserveBody(route, request, reply, accountId, { bodyBudget, limits })
}

/**
 * Returns the owner of the key or session, or null on routes without a team. Throws ApiError if the key or session is
 * invalid or lacks the permission.
 */
export async function identify(
  route: Guarded & Pick<Route, 'limit'>,
  request: FastifyRequest,
  { authenticate, sessions }: Admitting,
): Promise<Caller | null> {
  const isForKeys = route.permission === 'send' || route.permission === 'full'
  if (sessions.appliesTo(request.raw) || (!isForKeys && request.headers.authorization === undefined)) {
    const { session, caller } = await sessions.admit(route, request.raw)
    request.session = session
    return caller
  }
  const token = readBearer(request.raw)
  const caller = await authenticate(token)
  // Also on a rejection, which the request log of the team then shows.
  request.caller = caller
  if (!isForKeys) throw new ApiError('session_required')
  if (!keyMayCall(route, caller)) throw new ApiError('restricted_api_key')
  return caller
}

/** Returns the session of a logged-in user, if any. An expired cookie counts as none. */
async function sessionIfAny(request: FastifyRequest, { sessions }: Admitting): Promise<LoggedIn | null> {
  if (!sessions.appliesTo(request.raw)) return null
  try {
    return (await sessions.admit(ANY_USER, request.raw)).session
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

const ANY_USER: Guarded = { method: 'GET', permission: 'user', area: 'account' }

/**
 * Announces and counts a request with mail while its key is looked up again, which saves a round trip to the database.
 * Returns null when the key is not known to be valid. If it was revoked in the meantime, its team loses one request of
 * its limit, once: after this look-up the key is known to be invalid.
 */
function countAhead(
  route: AdmittedRoute,
  request: FastifyRequest,
  { guess, sessions, expectMail, limiter }: Admitting,
): { teamId: string; plan: PlanName; admission: Promise<Admission> } | null {
  const isForKeys = route.permission === 'send' || route.permission === 'full'
  if (!isForKeys || route.limit !== 'send' || sessions.appliesTo(request.raw)) return null
  const likely = guess?.(readBearer(request.raw)) ?? null
  if (likely === null || !keyMayCall(route, likely)) return null
  const { teamId, plan } = likely
  expectMail?.(teamId)
  const admission = limiter.admit(teamId, 'send', requestsMax(plan, 'send'))
  // The look-up of the key may fail first.
  admission.catch(() => {})
  return { teamId, plan, admission }
}

/** Counts general requests of a session by user, all others by team. */
function count(
  { limit = 'general' }: Pick<Route, 'limit'>,
  { caller, session }: FastifyRequest,
  { limiter }: Admitting,
): Promise<Admission> {
  if (caller !== null && (session === null || limit !== 'general')) {
    return limiter.admit(caller.teamId, limit, requestsMax(caller.plan, limit))
  }
  return limiter.admit(session?.userId ?? '', 'general', SESSION_REQUESTS_MAX)
}

function refuseOverLimit({ isAdmitted, resetSeconds }: Admission): void {
  if (isAdmitted) return
  throw new ApiError(
    'rate_limit_exceeded',
    `Rate limit exceeded. Please retry after ${resetSeconds} seconds.`,
    { retryAfterSeconds: resetSeconds },
  )
}

/** Reserves memory for the body until the response is sent or the connection closes. Throws ApiError (503). */
async function reserveBody(
  { bodyBytesMax = BODY_BYTES_MAX }: Pick<Route, 'bodyBytesMax'>,
  { raw: { headers, socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  teamId: string,
  { bodyBudget, limits }: Pick<Admitting, 'bodyBudget' | 'limits'>,
): Promise<void> {
  const release = await bodyBudget.takeInTime(teamId, { headers, bytesMax: bodyBytesMax }, limits.bodyRoomMs)
  if (release === null) return
  // A connection that closed in the meantime emits no more events.
  if (socket.destroyed) return release()
  const leave = () => {
    release()
    socket.off('close', leave)
  }
  response.once('close', leave)
  // If a pipelined request's response has not begun, only its socket emits the close.
  socket.once('close', leave)
}
