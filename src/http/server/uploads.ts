import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/api-error.ts'
import type { Upload } from '../route/route.ts'
import { refuseEncodings } from './bodies.ts'

/** Leaves all bodies in `scope` unread until the handler reads them. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
}

/** Checks the header fields of an upload. Throws ApiError (415, 413). */
export function refuseUpload({ type, bytesMax }: Upload, request: FastifyRequest): void {
  const contentType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (contentType !== type) throw new ApiError('unsupported_media_type', `The request body must be ${type}.`)
  refuseEncodings(request)
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw new ApiError('payload_too_large')
}

/**
 * Yields the bytes of an upload as fast as the caller consumes them. Throws ApiError if they exceed the route's limit
 * (413) or if none arrive for `stallMs` (400). Also throws if the connection breaks.
 */
export async function* readUpload(
  request: IncomingMessage,
  bytesMax: number,
  stallMs: number,
): AsyncGenerator<Buffer> {
  // Destroying the request would also destroy the connection and the response.
  const chunks = request.iterator({ destroyOnReturn: false })
  let bytes = 0
  for (;;) {
    const next = await withinStall(chunks.next(), stallMs)
    if (next.done === true) return
    const chunk = next.value as Buffer
    bytes += chunk.length
    if (bytes > bytesMax) throw new ApiError('payload_too_large')
    yield chunk
  }
}

async function withinStall<T>(step: Promise<T>, stallMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const stall = new Promise<never>((_resolve, reject) => {
    const seconds = Math.round(stallMs / 1000)
    timer = setTimeout(
      () => reject(new ApiError('bad_request', `No bytes of the upload arrived for ${seconds} seconds.`)),
      stallMs,
    )
  })
  try {
    return await Promise.race([step, stall])
  } finally {
    clearTimeout(timer)
  }
}
