import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { requestsMax } from '../../access/plans.ts'
import type { Admission } from '../../access/rate-limit.ts'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import { SQLSTATE, sqlState } from '../../db/sqlstate.ts'
import { ApiError, type ApiErrorName } from '../../lib/api-error.ts'
import { OverloadedError } from '../../lib/async/batcher.ts'
import type { Log } from '../../lib/log.ts'
import { hasLongText, toJsonPiecesInTurns } from '../../lib/text/json-pieces.ts'
import { apiErrorToJson } from '../connections/error-body.ts'
import type { Reply } from './route.ts'

/** Short, but long enough that clients do not all return the moment the database does. */
const RETRY_AFTER_SECONDS = 2

/** Sent with every response. Responses hold private data, which no intermediary may store. */
export const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

/** The limits in a response without a team: those of the smallest plan, unused. */
export const NO_TEAM: Admission = {
  isAdmitted: true,
  limit: requestsMax('free', 'general'),
  remaining: requestsMax('free', 'general'),
  resetSeconds: 60,
}

export function limitFields(admission: Admission): Record<string, string> {
  return {
    'ratelimit-limit': String(admission.limit),
    'ratelimit-remaining': String(admission.remaining),
    'ratelimit-reset': String(admission.resetSeconds),
  }
}

export function setLimitFields(reply: FastifyReply, admission: Admission): void {
  reply.header('ratelimit-limit', admission.limit)
  reply.header('ratelimit-remaining', admission.remaining)
  reply.header('ratelimit-reset', admission.resetSeconds)
}

export function sendReply(
  reply: FastifyReply,
  answer: Reply,
  log: Log,
): FastifyReply | Promise<FastifyReply> {
  setCommonFields(reply)
  reply.code(answer.status)
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value)
  if (answer.chunks !== undefined) return sendChunks(reply, answer, answer.chunks, log)
  if (answer.bytes !== undefined) {
    // The bytes may be mail of a third party: in a browser, they must not run or load anything.
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', "default-src 'none'; sandbox")
    reply.type(answer.type ?? 'application/octet-stream')
    const { bytes } = answer
    return typeof bytes === 'string' ? reply.send(bytes) : sendPieces(reply, [bytes].flat())
  }
  if (answer.jsonPieces !== undefined) return sendPieces(reply.type(JSON_TYPE), answer.jsonPieces)
  if (hasLongText(answer.json))
    return toJsonPiecesInTurns(answer.json).then((pieces) => sendPieces(reply.type(JSON_TYPE), pieces))
  return sendJson(reply, answer.json)
}

/** The bytes that are read ahead of the client. */
const CHUNKS_AHEAD_BYTES = 64 * 1024

/**
 * Sends a response in chunks. An error after the first bytes can only break off the response, which the client
 * notices by its missing end.
 */
function sendChunks(
  reply: FastifyReply,
  { type = 'text/plain; charset=utf-8', stallMs }: Reply,
  chunks: AsyncIterable<string>,
  log: Log,
): FastifyReply {
  reply.type(type)
  if (reply.request.method === 'HEAD') return reply.send()
  const disconnect = () => stream.destroy(new Error('The client stopped reading.'))
  const source = stallMs === undefined ? chunks : withStallLimit(chunks, stallMs, disconnect)
  const stream = Readable.from(source, { objectMode: false, highWaterMark: CHUNKS_AHEAD_BYTES })
  stream.on('error', (error) => {
    if (reply.raw.headersSent) log.warn({ err: error, request_id: reply.request.id }, 'a response broke off')
  })
  return reply.send(stream)
}

/** Passes chunks on. The client must take each within `stallMs`. */
async function* withStallLimit(chunks: AsyncIterable<string>, stallMs: number, disconnect: () => void) {
  for await (const chunk of chunks) {
    const timer = setTimeout(disconnect, stallMs)
    try {
      yield chunk
    } finally {
      clearTimeout(timer)
    }
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

function sendJson(reply: FastifyReply, json: unknown): FastifyReply {
  return reply.type(JSON_TYPE).send(JSON.stringify(json ?? null))
}

/** The octets written at once. More of them would hold the event loop while the system takes them. */
const WRITE_BYTES = 1024 * 1024

/** Sends long pieces one by one: joining them would copy the whole body again. */
function sendPieces(reply: FastifyReply, pieces: readonly Buffer[]): FastifyReply {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length <= WRITE_BYTES) return reply.send(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
  reply.header('content-length', length)
  return reply.send(Readable.from(slicesOf(pieces), { objectMode: false }))
}

/** While the system takes all that is written, the stream would ask for the next slice in the same turn of the loop. */
async function* slicesOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += WRITE_BYTES) {
      yield piece.subarray(start, start + WRITE_BYTES)
      await nextTurn()
    }
  }
}

function setCommonFields(reply: FastifyReply): void {
  reply.header('x-request-id', reply.request.id)
  reply.header('cache-control', COMMON_HEADERS['cache-control'])
  reply.header('x-content-type-options', COMMON_HEADERS['x-content-type-options'])
  reply.header('referrer-policy', COMMON_HEADERS['referrer-policy'])
}

/** Maps Fastify's errors to ours. */
const FRAMEWORK_ERRORS: Record<string, ApiErrorName> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  ECONNRESET: 'bad_request',
}

/** The database is available but canceled a slow statement. The same request would be as slow again. */
const TOO_SLOW = 'The query took too long. Use a narrower filter or fewer conditions.'

const MAY_BE_DONE = 'The request may have taken effect. Check before you repeat it.'
const MAY_BE_REPEATED =
  'The request may have taken effect. Repeat it with the same Idempotency-Key, which prevents a duplicate.'

/** SQLSTATEs of text that PostgreSQL cannot store: the safety net below the checks of shape.ts. */
const BAD_TEXT: ReadonlySet<string | null> = new Set([
  SQLSTATE.characterNotInRepertoire,
  SQLSTATE.untranslatableCharacter,
])

/** Sends an error in the form of ERR-1. Logs only unexpected errors, once, with the request's id. */
export function sendError(
  log: Log,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const apiError = toApiError(error, request)
  if (apiError.status === 500) {
    log.error({ err: error, request_id: request.id, route: request.routeOptions?.url }, 'request failed')
  }
  if (!reply.hasHeader('ratelimit-limit')) setLimitFields(reply, NO_TEAM)
  setCommonFields(reply)
  if (apiError.retryAfterSeconds !== undefined) reply.header('retry-after', apiError.retryAfterSeconds)
  if (apiError.status === 401) reply.header('www-authenticate', 'Bearer')
  reply.code(apiError.status)
  const body = apiErrorToJson(apiError)
  request.errorBody = body
  return sendJson(reply, body)
}

function toApiError(error: Error, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable) return outageFor(error, request)
  if (error instanceof OverloadedError) return unavailable()
  if (BAD_TEXT.has(sqlState(error)))
    return new ApiError(
      'validation_error',
      'The request contains text that cannot be stored. Remove null characters and invalid Unicode.',
    )
  return new ApiError(FRAMEWORK_ERRORS[(error as FastifyError).code] ?? 'internal_server_error')
}

/**
 * After 503, clients repeat even what must not run twice, because nothing was accepted. When a COMMIT may have taken effect,
 * only a request that reads or has an idempotency key gets it.
 */
function outageFor({ cause, commitUnknown }: DatabaseUnavailable, request: FastifyRequest): ApiError {
  if (sqlState(cause) === SQLSTATE.queryCanceled) return unavailable(TOO_SLOW)
  if (!commitUnknown || request.method === 'GET' || request.method === 'HEAD') return unavailable()
  const isKeyed =
    request.routeOptions.config.takesKey === true && request.headers['idempotency-key'] !== undefined
  return isKeyed ? unavailable(MAY_BE_REPEATED) : new ApiError('internal_server_error', MAY_BE_DONE)
}

function unavailable(message?: string): ApiError {
  return new ApiError('service_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
