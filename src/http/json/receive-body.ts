import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyRequest } from 'fastify'
import { freeOctets, joinAndFree } from '../../lib/octets.ts'

/**
 * A body of at least this announced size is allocated at once. Smaller ones are joined from their chunks; a single
 * chunk is not copied.
 */
const LARGE_BYTES_MIN = 256 * 1024

/**
 * Receives the body of a request in one Buffer, which may share its memory with others. Frees each chunk of a large
 * body as soon as it is copied: otherwise the body is in memory twice until the next garbage collection. Rejects with
 * Fastify's errors for a body that exceeds the limit of its route (413) or ends early (400).
 */
export function receiveBody(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const bytesMax = request.routeOptions.bodyLimit
  // NaN for a chunked body.
  const announcedBytes = Number(request.headers['content-length'])
  if (announcedBytes > bytesMax) return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  const body = announcedBytes >= LARGE_BYTES_MIN ? fillOne(announcedBytes) : joinChunks()
  return new Promise((resolve, reject) => {
    let receivedBytes = 0
    const finish = (settle: () => void) => {
      payload.off('data', onData).off('end', onEnd).off('error', onError)
      settle()
    }
    const onData = (chunk: Buffer) => {
      receivedBytes += chunk.length
      if (receivedBytes > bytesMax) finish(() => reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()))
      else body.add(chunk)
    }
    const onEnd = () =>
      finish(() => {
        const isShort = !Number.isNaN(announcedBytes) && receivedBytes !== announcedBytes
        if (isShort) reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
        else resolve(body.take())
      })
    const onError = (error: Error) => finish(() => reject(Object.assign(error, { statusCode: 400 })))
    payload.on('data', onData).on('end', onEnd).on('error', onError)
    payload.resume()
  })
}

interface Body {
  add(chunk: Buffer): void
  take(): Buffer
}

function fillOne(bytes: number): Body {
  const body = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  return {
    add(chunk) {
      at += chunk.copy(body, at)
      freeOctets(chunk)
    },
    take: () => body,
  }
}

function joinChunks(): Body {
  const chunks: Buffer[] = []
  const take = () => (chunks.length === 1 ? (chunks[0] as Buffer) : joinAndFree(chunks))
  return { add: (chunk) => void chunks.push(chunk), take }
}
