import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../base/refusal.ts'
import { parseJson } from './json.ts'

/** JSON and nothing else, plain and nothing else. An empty body passes whatever type it claims. */
export function readBodies(app: FastifyInstance): void {
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

/** A compressed body could unfold into gigabytes; JSON is UTF-8 (RFC 8259 section 8.1), and so is all else here. */
export function refuseEncodings(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  const transfer = request.headers['transfer-encoding'] ?? 'chunked'
  if ((encoding !== undefined && encoding !== 'identity') || transfer.toLowerCase() !== 'chunked') {
    throw new Refusal('unsupported_media_type', 'Compressed request bodies are not supported.')
  }
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new Refusal('unsupported_media_type', 'The request body must be UTF-8.')
  }
}
