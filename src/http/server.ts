import type { IncomingMessage } from 'node:http'
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify'
import { Busy } from '../base/batcher.ts'
import { newId } from '../base/ids.ts'
import { invalidField, invalidFields, Refusal, type RefusalName } from '../base/refusal.ts'
import { requestsMax } from '../operations/plans.ts'
import type { Admission, RateLimiter } from '../operations/rate-limit.ts'
import { DatabaseUnavailable, sqlState } from '../store/db.ts'
import {
  answerClientError,
  CONNECTION_LIMITS,
  type ConnectionLimits,
  limitConnections,
} from './connections.ts'
import { parseJson } from './json.ts'
import type { HttpMetrics } from './metrics.ts'
import { presentRefusal } from './present.ts'
import type { Caller, Reply, Request, Route } from './route.ts'
import type { Services } from './services.ts'
import { checkShape, readQuery } from './shape.ts'

export interface HttpServerOptions {
  services: Services
  routes: readonly Route[]
  /** Finds out who asks. Throws Refusal (401). */
  authenticate(request: IncomingMessage): Promise<Caller>
  limiter: RateLimiter
  metrics?: HttpMetrics
  connections?: Partial<ConnectionLimits>
}

const BODY_BYTES_MAX = 1024 * 1024
/** An address of 320 characters, percent-encoded. */
const PARAM_LENGTH_MAX = 1_024
/** Soon, but not all at the same moment as the database comes back. */
const RETRY_AFTER_SECONDS = 2

/** Sent with every answer. Answers hold private data: nothing on the way may keep them. */
const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

/** What an answer without a team says: the limit of the smallest plan, unused. */
const NO_TEAM: Admission = {
  isAdmitted: true,
  limit: requestsMax('free', 'general'),
  remaining: requestsMax('free', 'general'),
  resetSeconds: 60,
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/**
 * The HTTP API over a table of routes. The path of a request: key, permission, rate limit (all before its body is
 * read), body, shape, handler, answer. Order of refusals: decisions.md section 4.
 * `listen` and `close` are Fastify's; `close` lets requests that are under way finish.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const limits = { ...CONNECTION_LIMITS, ...options.connections }
  const app = fastify({
    logger: false,
    trustProxy: false,
    bodyLimit: BODY_BYTES_MAX,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: 1_000 },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    genReqId: () => newId(),
    rewriteUrl: (request) => withoutVersion(request.url ?? '/'),
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendError(options, error, request, reply),
    clientErrorHandler(error, socket) {
      if (!socket.writable || (error as { code?: string }).code === 'ECONNRESET') {
        socket.destroy()
        return
      }
      const fields = { ...COMMON_HEADERS, ...limitFields(NO_TEAM) }
      socket.end(answerClientError(error, newId(), fields), () => socket.destroy())
    },
  })
  limitConnections(app.server, limits)
  app.decorateRequest('caller', null)
  readBodies(app)
  app.setErrorHandler((error, request, reply) => sendError(options, error as Error, request, reply))
  refuseUnknownPaths(app, options)
  for (const route of options.routes) addRoute(app, route, options)
  const { metrics } = options
  if (metrics !== undefined) {
    app.addHook('onResponse', (request, reply, done) => {
      metrics.observe(
        request.method,
        request.routeOptions.url ?? 'unknown',
        reply.statusCode,
        reply.elapsedTime / 1000,
      )
      done()
    })
  }
  return app
}

/** `/v1/emails` is `/emails` (decisions.md section 1). */
function withoutVersion(url: string): string {
  return url.startsWith('/v1/') ? url.slice(3) : url
}

function limitFields(admission: Admission): Record<string, string> {
  return {
    'ratelimit-limit': String(admission.limit),
    'ratelimit-remaining': String(admission.remaining),
    'ratelimit-reset': String(admission.resetSeconds),
  }
}

function setLimitFields(reply: FastifyReply, admission: Admission): void {
  reply.header('ratelimit-limit', admission.limit)
  reply.header('ratelimit-remaining', admission.remaining)
  reply.header('ratelimit-reset', admission.resetSeconds)
}

/** JSON and nothing else, plain and nothing else. An empty body passes whatever type it claims. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseEncodings(request)
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else done(new Refusal('unsupported_media_type'))
  })
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i

/** A compressed body could unfold into gigabytes; JSON is UTF-8 (RFC 8259 section 8.1). */
function refuseEncodings(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Refusal('unsupported_media_type', 'Compressed request bodies are not supported.')
  }
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new Refusal('unsupported_media_type', 'The request body must be UTF-8.')
  }
}

function addRoute(app: FastifyInstance, route: Route, options: HttpServerOptions): void {
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodyBytesMax ?? BODY_BYTES_MAX,
    onRequest: (request, reply) => admit(route, request, reply, options),
    handler: async (request, reply) => {
      const given = readRequest(route, request, options.services)
      return sendReply(reply, await route.handle(given))
    },
  })
}

/** Key, permission, rate: each answers before the body is read. */
async function admit(
  route: Pick<Route, 'permission' | 'limit'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, limiter }: HttpServerOptions,
): Promise<void> {
  setLimitFields(reply, NO_TEAM)
  if (route.permission === 'public') return
  const caller = await authenticate(request.raw)
  request.caller = caller
  if (route.permission === 'full' && caller.permission !== 'full') throw new Refusal('restricted_api_key')
  const limit = requestsMax(caller.plan, route.limit)
  const admission = await limiter.admit(caller.teamId, route.limit, limit)
  setLimitFields(reply, admission)
  if (admission.isAdmitted) return
  const { resetSeconds } = admission
  throw new Refusal(
    'rate_limit_exceeded',
    `Rate limit exceeded. Please retry after ${resetSeconds} seconds.`,
    {
      retryAfterSeconds: resetSeconds,
    },
  )
}

/** The parts of a request in the shapes that the route declares. Throws Refusal (404 for the path, 422 for the rest). */
function readRequest(
  route: Route,
  request: FastifyRequest,
  services: Services,
): Request<unknown, unknown, unknown> {
  if (route.params !== undefined && checkShape(route.params, request.params) !== null)
    throw new Refusal('not_found')
  const query =
    route.query === undefined ? {} : readQuery(route.query, request.query as Record<string, unknown>)
  const wrongQuery = route.query === undefined ? null : checkShape(route.query, query)
  const wrong =
    wrongQuery ??
    (route.body === undefined ? null : checkShape(route.body, request.body ?? emptyBody(request)))
  if (wrong !== null) throw invalidFields(wrong) ?? invalidField('body', 'The request is invalid.')
  return {
    id: request.id,
    // Public routes are handed no caller and never look at one.
    caller: request.caller as Caller,
    params: request.params,
    query,
    body: request.body ?? {},
    headers: request.headers,
    services,
  }
}

/** Without a body each required field is missing, which says more than "the body is missing". JSON's null is a body. */
function emptyBody(request: FastifyRequest): unknown {
  return request.body === null ? null : {}
}

function sendReply(reply: FastifyReply, answer: Reply): FastifyReply {
  setCommonFields(reply)
  reply.code(answer.status)
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value)
  if (answer.bytes !== undefined) {
    // Bytes may be a stranger's mail: whatever a browser makes of them, they run and load nothing.
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', "default-src 'none'; sandbox")
    return reply.type(answer.type ?? 'application/octet-stream').send(answer.bytes)
  }
  return sendJson(reply, answer.json)
}

function sendJson(reply: FastifyReply, json: unknown): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(JSON.stringify(json ?? null))
}

function setCommonFields(reply: FastifyReply): void {
  reply.header('x-request-id', reply.request.id)
  reply.header('cache-control', COMMON_HEADERS['cache-control'])
  reply.header('x-content-type-options', COMMON_HEADERS['x-content-type-options'])
  reply.header('referrer-policy', COMMON_HEADERS['referrer-policy'])
}

/** Fastify's own refusals, in our words. */
const FRAMEWORK_ERRORS: Record<string, RefusalName> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  ECONNRESET: 'bad_request',
}

/** SQLSTATEs of text that PostgreSQL cannot store: the net below the checks of shape.ts. */
const BAD_TEXT: ReadonlySet<string | null> = new Set(['22021', '22P05'])

/** Every error as the body of decisions.md section 2. Only what nobody expected is logged, once, with the request's id. */
function sendError(
  options: HttpServerOptions,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toRefusal(error)
  if (refusal.status === 500) {
    options.services.log.error(
      { err: error, request_id: request.id, route: request.routeOptions?.url },
      'request failed',
    )
  }
  if (!reply.hasHeader('ratelimit-limit')) setLimitFields(reply, NO_TEAM)
  setCommonFields(reply)
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds)
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer')
  reply.code(refusal.status)
  return sendJson(reply, presentRefusal(refusal))
}

function toRefusal(error: Error): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof DatabaseUnavailable || error instanceof Busy) {
    return new Refusal('service_unavailable', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  if (BAD_TEXT.has(sqlState(error)))
    return invalidField('body', 'The request holds text that cannot be stored.')
  return new Refusal(FRAMEWORK_ERRORS[(error as FastifyError).code] ?? 'internal_server_error')
}

/** A path that is no route: 404, or 405 where another method would do. Both only for those who have a key. */
function refuseUnknownPaths(app: FastifyInstance, options: HttpServerOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const [path = '/'] = request.url.split('?', 1)
    const routes = options.routes.filter((route) => pathFits(route.path, path))
    const permission = routes.some((route) => route.permission === 'public') ? 'public' : 'send'
    await admit({ permission, limit: 'general' }, request, reply, options)
    if (routes.length === 0) throw new Refusal('not_found')
    const methods = new Set(routes.map((route) => route.method as string))
    if (methods.has('GET')) methods.add('HEAD')
    reply.header('allow', [...methods].sort().join(', '))
    throw new Refusal('method_not_allowed')
  })
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found')
  })
}

/** Whether `/emails/123` is of the form `/emails/:id`. */
function pathFits(form: string, path: string): boolean {
  const parts = path.split('/')
  const forms = form.split('/')
  return (
    parts.length === forms.length &&
    forms.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
  )
}
