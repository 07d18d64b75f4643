import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/api-error.ts'
import { type JsonForm, parseJson } from '../json/json.ts'
import { createLargeJsonParser } from '../json/large-json.ts'
import { receiveBody } from '../json/receive-body.ts'
import type { Route } from '../route/route.ts'

/** Parsing a body of at least this size can block the event loop noticeably in the worst case. */
const LARGE_BYTES_MIN = 256 * 1024

/** Returns the JSON form that a route accepts, as far as its schema defines it. */
export function jsonFormOf({ body, bodyCheck, hasBuffers }: Route): JsonForm {
  const { type } = (bodyCheck ?? body ?? {}) as { type?: string }
  return { expects: type === 'object' || type === 'array' ? type : undefined, hasBuffers }
}

/** Accepts only uncompressed JSON. An empty body passes with any media type. */
export function readBodies(app: FastifyInstance): void {
  const parseLarge = createLargeJsonParser()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const form = request.routeOptions.config.json ?? {}
    const body = await receiveBody(request, payload)
    refuseEncodings(request)
    if (body.length < LARGE_BYTES_MIN) return parseJson(body, form)
    const teamId = request.caller?.teamId ?? request.session?.userId ?? ''
    const isHashed = request.headers['idempotency-key'] !== undefined
    const { value, hash } = await parseLarge(body, { teamId, form, isHashed })
    request.bodyHash = hash
    return value
  })
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await receiveBody(request, payload)
    if (body.length === 0) return undefined
    if (request.routeOptions.config.takesAnyBody === true) return body
    throw new ApiError('unsupported_media_type')
  })
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i

/** Rejects compressed bodies, which could expand to gigabytes, and charsets other than UTF-8 (RFC 8259 section 8.1). */
export function refuseEncodings(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  const transfer = request.headers['transfer-encoding'] ?? 'chunked'
  if ((encoding !== undefined && encoding !== 'identity') || transfer.toLowerCase() !== 'chunked') {
    throw new ApiError('unsupported_media_type', 'Compressed request bodies are not supported.')
  }
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new ApiError('unsupported_media_type', 'The request body must be UTF-8.')
  }
}
