import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator, Caller } from '../../access/authenticate.ts'
import { requestsMax } from '../../access/plans.ts'
import type { Admission, RateLimiter } from '../../access/rate-limit.ts'
import type { LoggedIn } from '../../access/session-access.ts'
import { ApiError } from '../../lib/api-error.ts'
import { NO_TEAM, setLimitFields } from '../answer.ts'
import type { ConnectionLimits } from '../connections/connections.ts'
import type { BodyBudget } from '../json/body-budget.ts'
import type { Route } from '../route.ts'
import { readBearer } from './auth.ts'
import { refuseForeignLogin } from './cross-site.ts'
import type { OperatorGate } from './operator.ts'
import { type Guarded, SESSION_REQUESTS_MAX, type SessionGate } from './session-auth.ts'

/** What the server asks about a request before it reads the body. */
export interface Gates {
  authenticate: Authenticator['authenticate']
  /** Lets people in by their sessions. */
  sessions: SessionGate
  /** Lets the operator in. Throws ApiError (401). */
  admitOperator: OperatorGate
  limiter: RateLimiter
  /** Hears of each request that may bring mail, before its key is looked up. */
  expectMail?(token: string): void
}

export interface Admitting extends Gates {
  /** Where people reach the API: logins from other sites are refused. */
  publicUrl: string
  bodyBudget: BodyBudget
  limits: ConnectionLimits
}
type Asked = Guarded & Pick<Route, 'limit' | 'bodyBytesMax' | 'isOwnSiteOnly'>

export const BODY_BYTES_MAX = 1024 * 1024

/** Key or session, permission, rate, memory: each answers before the body is read. */
export async function admit(
  route: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Admitting,
): Promise<void> {
  const { admitOperator, sessions, bodyBudget, limits } = options
  setLimitFields(reply, NO_TEAM)
  if (route.permission === 'public') {
    if (!route.isOwnSiteOnly) return
    refuseForeignLogin(request.headers, options.publicUrl)
    request.session = await sessionIfAny(request, options)
    return
  }
  if (route.permission === 'operator' && !sessions.isAsked(request.raw)) {
    const admission = admitOperator(request.raw)
    setLimitFields(reply, admission)
    return refuseOverLimit(admission)
  }
  const caller = await identify(route, request, options)
  request.caller = caller
  const admission = await count(route, request, options)
  setLimitFields(reply, admission)
  refuseOverLimit(admission)
  const payer = caller?.teamId ?? request.session?.userId ?? ''
  await reserveBody(route, request, reply, payer, { bodyBudget, limits })
}

/** Whose key or session it is; null on routes without a team. Throws ApiError where it is nobody's, or may not do this. */
export async function identify(
  route: Guarded & Pick<Route, 'limit'>,
  request: FastifyRequest,
  { authenticate, sessions, expectMail }: Admitting,
): Promise<Caller | null> {
  const isForKeys = route.permission === 'send' || route.permission === 'full'
  if (sessions.isAsked(request.raw) || (!isForKeys && request.headers.authorization === undefined)) {
    const { session, caller } = await sessions.admit(route, request.raw)
    request.session = session
    return caller
  }
  const token = readBearer(request.raw)
  if (route.limit === 'send') expectMail?.(token)
  const caller = await authenticate(token)
  if (!isForKeys) throw new ApiError('session_required')
  if (route.permission === 'full' && caller.permission !== 'full') throw new ApiError('restricted_api_key')
  return caller
}

/** Who is logged in already, if anybody; a cookie that is over says nothing. */
async function sessionIfAny(request: FastifyRequest, { sessions }: Admitting): Promise<LoggedIn | null> {
  if (!sessions.isAsked(request.raw)) return null
  try {
    return (await sessions.admit(ANYBODY, request.raw)).session
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

const ANYBODY: Guarded = { method: 'GET', permission: 'user', tag: '' }

/** What people look at is counted by person; what they send, by the team that sends. */
function count(
  { limit }: Pick<Route, 'limit'>,
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

/** Room for the body, until the answer is sent or the connection is gone. Throws ApiError (503). */
async function reserveBody(
  { bodyBytesMax = BODY_BYTES_MAX }: Pick<Route, 'bodyBytesMax'>,
  { raw: { headers, socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  teamId: string,
  { bodyBudget, limits }: Pick<Admitting, 'bodyBudget' | 'limits'>,
): Promise<void> {
  const release = await bodyBudget.takeInTime(teamId, { headers, bytesMax: bodyBytesMax }, limits.bodyRoomMs)
  if (release === null) return
  // A connection that closed meanwhile says nothing any more.
  if (socket.destroyed) return release()
  const leave = () => {
    release()
    socket.off('close', leave)
  }
  response.once('close', leave)
  // A pipelined request's answer that was not begun is not told of the close.
  socket.once('close', leave)
}
