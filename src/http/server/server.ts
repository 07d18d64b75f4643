import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { LoggedIn } from '../../access/session-access.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import type { ShareDb } from '../../db/share-db.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Admitting, admit, BODY_BYTES_MAX, type Gates, identify } from '../auth/admit.ts'
import { createNetworkLimit } from '../auth/network-limit.ts'
import { type ClientAddress, createClientAddress } from '../connections/client-address.ts'
import {
  answerClientError,
  CONNECTION_LIMITS,
  type ConnectionLimits,
  limitArrival,
  limitConnections,
} from '../connections/connections.ts'
import type { ErrorBody } from '../connections/error-body.ts'
import { answerExpectations } from '../connections/expectations.ts'
import { type Lingering, lingerOnClose } from '../connections/lingering.ts'
import { paceRequests } from '../connections/pace-requests.ts'
import { requireHost } from '../connections/require-host.ts'
import { type RequireTlsOptions, requireTls } from '../connections/require-tls.ts'
import { createBodyBudget } from '../json/body-budget.ts'
import type { JsonForm } from '../json/json.ts'
import { checkShape, refuseShape } from '../json/shape.ts'
import { COMMON_HEADERS, limitFields, NO_TEAM, sendError, sendReply } from '../route/answer.ts'
import { readQuery } from '../route/query.ts'
import { isResendClient } from '../route/resend-client.ts'
import { type Request, type Route, takesIdempotencyKey, type Upload } from '../route/route.ts'
import { jsonFormOf, readBodies } from './bodies.ts'
import { createdId } from './created-id.ts'
import type { HttpMetrics } from './metrics.ts'
import { refuseUnknownPaths } from './unknown-paths.ts'
import { leaveBodiesUnread, readUpload, refuseUpload } from './uploads.ts'

/** The dependency that the server itself uses, to share the pool for lists. */
interface ServerDeps {
  lists: Db
}

export interface HttpServerOptions<Deps extends ServerDeps = ServerDeps> extends Gates {
  /** Passed to every handler as `deps`. Contains the dependencies of all routes. */
  deps: Deps
  routes: readonly Route<Deps>[]
  /** The public URL of the API. */
  publicUrl: string
  trustedProxies: Config['trustedProxies']
  clock: Clock
  log: Log
  /** Returns the pool for lists with one team's share. Without it, each team may use the whole pool. */
  shareLists?: ShareDb
  metrics?: HttpMetrics
  /** Adds a hook that records answered requests. Called once, before the server listens. */
  recordAnswers?(app: FastifyInstance, clientAddress: ClientAddress): void
  connections?: Partial<ConnectionLimits>
  /** The limit on requests of one network to public routes, per minute. */
  publicRequestsMax?: number
  /** Redirects requests that arrive without TLS. Without it, they are answered. */
  requireTls?: RequireTlsOptions
}

/** What hooks find out about a request. Fastify reserves these fields, so that requests keep one shape. */
const REQUEST_FIELDS = ['caller', 'session', 'bodyHash', 'errorBody', 'recordId', 'isLoggedInside'] as const

/** The options of a running server. */
type Running<Deps extends ServerDeps> = HttpServerOptions<Deps> & Admitting

/** The length of a tracked link's token. Schemas bound all other parameters. */
const PARAM_LENGTH_MAX = 4_096
declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    session: LoggedIn | null
    bodyHash: Uint8Array | null
    /** The error of the response, or null. */
    errorBody: ErrorBody | null
    /** Whether the request log records other requests instead of this one. Null before the handler. */
    isLoggedInside: boolean | null
    /** The id in the response to a POST, or null. */
    recordId: string | null
  }
  interface FastifyContextConfig {
    isUpload?: boolean
    takesAnyBody?: boolean
    /** Whether the route reads an Idempotency-Key. */
    takesKey?: boolean
    json?: JsonForm
  }
}

/**
 * Creates the HTTP API for a table of routes. A request passes key, permission, rate limit and memory, all before its
 * body is read, then body, shape, handler and response. ERR-15 states the order of errors. `listen` and `close` are
 * Fastify's; `close` lets requests in progress finish.
 */
export function createHttpServer<Deps extends ServerDeps>(
  settings: HttpServerOptions<Deps>,
): FastifyInstance {
  const options = prepare(settings)
  const { limits, clientAddress } = options
  const app = fastify({
    logger: false,
    trustProxy: false,
    bodyLimit: BODY_BYTES_MAX,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    requestTimeout: limits.uploadTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
      // `requireHost` checks it.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    genReqId: () => newId(),
    rewriteUrl: (request) => pathForClient(request, withoutVersion(originForm(request.url ?? '/'))),
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(options.log, error, request, reply),
    clientErrorHandler: (error, socket) => endMalformed(error, socket, lingering),
  })
  paceRequests(app.server)
  const connections = limitConnections(app.server, limits)
  const lingering = lingerOnClose(app.server, limits)
  app.addHook('onRequest', (request, reply, done) => {
    if (lingering.isEnding(request.raw.socket)) reply.hijack()
    else done()
  })
  requireHost(app)
  if (settings.requireTls !== undefined) requireTls(app, settings.requireTls)
  app.addHook('onSend', (request, reply, _payload, done) => {
    const isOneTooMany = connections.answer(request.raw)
    if (lingering.mustEnd(request.raw) || isOneTooMany) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', (done) => {
    lingering.stop()
    done()
  })
  answerExpectations(app)
  for (const name of REQUEST_FIELDS) app.decorateRequest(name, null)
  readBodies(app)
  app.setErrorHandler((error, request, reply) => sendError(options.log, error as Error, request, reply))
  app.addHook('onRequest', (request, _reply, done) => {
    const isUpload = request.routeOptions.config.isUpload === true
    if (!isUpload) limitArrival(app.server, request.raw, limits.requestTimeoutMs)
    done()
  })
  refuseUnknownPaths(app, options)
  for (const route of options.routes) {
    if (route.upload === undefined) addRoute(app, route, options)
    else app.register(async (scope) => addUpload(scope, route, options))
  }
  if (options.metrics !== undefined) observeResponses(app, options.metrics)
  options.recordAnswers?.(app, clientAddress)
  return app
}

/** Adds what requests share: budgets, limits, and the client addresses that they are counted by. */
function prepare<Deps extends ServerDeps>(settings: HttpServerOptions<Deps>): Running<Deps> {
  const { clock, log, trustedProxies } = settings
  return {
    ...settings,
    limits: { ...CONNECTION_LIMITS, ...settings.connections },
    bodyBudget: createBodyBudget(),
    clientAddress: createClientAddress({ trusted: trustedProxies, clock, log }),
    networkLimit: createNetworkLimit(clock, settings.publicRequestsMax),
  }
}

/** Answers bytes that are not a request, or a request that arrived too slowly, and ends the connection. */
function endMalformed(error: { code?: string }, socket: unknown, lingering: Lingering): void {
  // A request that the server sends to itself has no connection.
  if (!(socket instanceof Socket)) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const fields = { ...COMMON_HEADERS, ...limitFields(NO_TEAM) }
  lingering.end(socket, answerClientError(error, newId(), fields))
}

function observeResponses(app: FastifyInstance, metrics: HttpMetrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? 'unknown'
    metrics.observe(request.method, path, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
}

/** The absolute form of a request target (RFC 9112 section 3.2.2), which every server must accept. */
const ABSOLUTE = /^https?:\/\/[^/?#]+/i

/** Returns the target without its host. Responses never depend on the host that a client names. */
function originForm(target: string): string {
  const path = target.replace(ABSOLUTE, '')
  return path.startsWith('/') ? path : `/${path}`
}

/** `/v1/emails` equals `/emails` (API-4). */
function withoutVersion(url: string): string {
  return url.startsWith('/v1/') ? url.slice(3) : url
}

const EVENTS = /^\/events(?=\?|$)/

/** Clients of Resend list the events that are defined where Sendwright has its feed, and take no other path for it. */
function pathForClient({ method, headers }: IncomingMessage, url: string): string {
  const isResend = method === 'GET' && isResendClient(headers)
  return isResend ? url.replace(EVENTS, '/event-definitions') : url
}

function addRoute<Deps extends ServerDeps>(
  app: FastifyInstance,
  route: Route<Deps>,
  options: Running<Deps>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodyBytesMax ?? BODY_BYTES_MAX,
    config: {
      takesAnyBody: route.takesAnyBody === true,
      takesKey: takesIdempotencyKey(route),
      json: jsonFormOf(route),
    },
    onRequest: (request, reply) => admit(route, request, reply, options),
    handler: async (request, reply) => {
      const input = readRequest(route, request, reply, options)
      const answer = await route.handle(input)
      request.recordId = createdId(route.method, answer.json)
      request.isLoggedInside = answer.isLoggedInside === true
      return sendReply(reply, answer, options.log)
    },
  })
}

/** Read-only requests use the pool for lists, of which each team has a share. */
function depsOf<Deps extends ServerDeps>(
  { method, changesNothing }: Route,
  { caller }: FastifyRequest,
  { deps, shareLists }: Running<Deps>,
): Deps {
  const isReadOnly = method === 'GET' || changesNothing === true
  if (shareLists === undefined || caller === null || !isReadOnly) return deps
  return { ...deps, lists: shareLists(caller.teamId) }
}

/** Adds a route that reads its body itself, in a separate scope. */
function addUpload<Deps extends ServerDeps>(
  scope: FastifyInstance,
  route: Route<Deps>,
  options: Running<Deps>,
): void {
  const upload = route.upload as Upload
  leaveBodiesUnread(scope)
  scope.route({
    method: route.method,
    url: route.path,
    config: { isUpload: true },
    async onRequest(request, reply) {
      await admit(route, request, reply, options)
      refuseUpload(upload, request)
    },
    async handler(request, reply) {
      const input = readRequest(route, request, reply, options)
      const bytes = readUpload(request.raw, upload.bytesMax, options.limits.uploadStallMs)
      return sendReply(reply, await route.handle({ ...input, upload: bytes }), options.log)
    },
  })
}

const NO_UPLOAD: AsyncIterable<Buffer> = { async *[Symbol.asyncIterator]() {} }

/** Returns a signal that aborts when the response is sent or its connection closes. */
function watchResponse({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const leave = () => {
    controller.abort()
    socket.off('close', leave)
  }
  response.once('close', leave)
  // If a pipelined request's response has not begun, only its socket emits the close.
  socket.once('close', leave)
  if (socket.destroyed || response.closed) leave()
  return controller.signal
}

/**
 * Returns the parts of a request in the shapes that the route declares. Throws ApiError (404 for the path, 422 for
 * the rest).
 */
function readRequest<Deps extends ServerDeps>(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Running<Deps>,
): Request<unknown, unknown, unknown, Deps> {
  if (route.params !== undefined && checkShape(route.params, request.params) !== null)
    throw new ApiError('not_found')
  const query =
    route.query === undefined ? {} : readQuery(route.query, request.query as Record<string, unknown>)
  const wrongQuery = route.query === undefined ? null : checkShape(route.query, query)
  const bodySchema = route.bodyCheck ?? route.body
  const wrong =
    wrongQuery ??
    (bodySchema === undefined ? null : checkShape(bodySchema, request.body ?? emptyBody(request)))
  if (wrong !== null) throw refuseShape(wrong)
  return {
    id: request.id,
    // Handlers of routes without a team receive no caller and never read it.
    caller: request.caller as Caller,
    session: request.session,
    params: request.params,
    query,
    body: request.body ?? {},
    bodyHash: request.bodyHash,
    method: request.method,
    ipAddress: options.clientAddress(request.raw),
    headers: request.headers,
    upload: NO_UPLOAD,
    deps: depsOf(route, request, options),
    closeSignal: () => watchResponse(request.raw, reply.raw),
    reauthenticate: () => identify(route, request, options) as Promise<Caller>,
  }
}

/** Treats a missing body as empty, so that each required field is reported. JSON null is a body. */
function emptyBody(request: FastifyRequest): unknown {
  return request.body === null ? null : {}
}
