import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../lib/api-error.ts'

/** Rejects requests of HTTP/1.1 without a Host header (RFC 9112 section 3.2). Node.js itself would answer without a body. */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.httpVersion !== '1.1' || raw.headers.host !== undefined) done()
    else done(new ApiError('bad_request', 'The request has no Host header.'))
  })
}
