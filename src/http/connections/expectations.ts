import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/api-error.ts'

const CONTINUE = /^100-continue$/i

/**
 * Rejects bodies by the request header, before reading them. A client that expects `100 Continue` (RFC 9110 section 10.1.1)
 * receives it just before the server reads its body, or receives only the final response.
 */
export function answerExpectations(app: FastifyInstance): void {
  // Without a listener, Node.js sends 100 before any check of the request.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })
  // RFC 9110 section 10.1.1 lets a server ignore other expectations. Node.js would send 417 without a body.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const apiError = refuseUnread(request)
    if (apiError !== null) return done(apiError)
    if (CONTINUE.test(request.headers.expect ?? '')) reply.raw.writeContinue()
    done()
  })
}

/** Returns the error for a body that must not be read, or null. Upload routes check their own; GET bodies are never read. */
function refuseUnread({ method, headers, routeOptions }: FastifyRequest): ApiError | null {
  const bytes = Number(headers['content-length'] ?? 0)
  const { isUpload, takesAnyBody } = routeOptions.config
  if (bytes === 0 || isUpload === true || method === 'GET' || method === 'HEAD') return null
  if (bytes > routeOptions.bodyLimit) return new ApiError('payload_too_large')
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  return takesAnyBody === true || type === 'application/json' ? null : new ApiError('unsupported_media_type')
}
