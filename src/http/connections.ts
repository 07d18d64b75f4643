import type { Server } from 'node:http'
import type { ErrorBody } from './present.ts'

export interface ConnectionLimits {
  /** A request's header must be complete within this; also how long a new connection may stay silent. */
  headersTimeoutMs: number
  /** A whole request must have arrived within this: 100 MiB at 3 Mbit/s. */
  requestTimeoutMs: number
  /** How long an idle connection is kept. Longer than the minute that load balancers keep theirs. */
  keepAliveTimeoutMs: number
  /** Open connections of one address; enough for a proxy that stands for many clients. */
  perAddressMax: number
  connectionsMax: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 30_000,
  requestTimeoutMs: 300_000,
  keepAliveTimeoutMs: 72_000,
  perAddressMax: 1_000,
  connectionsMax: 20_000,
}

/** Slow and idle connections cost their owner, not the others: one address cannot take all. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  server.maxConnections = limits.connectionsMax
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    if (address === undefined) return
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
    if (count > limits.perAddressMax) socket.destroy()
  })
}

/** Codes of Node's HTTP parser and of its timers; everything else it refuses is malformed. */
const CLIENT_ERRORS: Record<string, { status: string; body: ErrorBody }> = {
  ERR_HTTP_REQUEST_TIMEOUT: clientError('408 Request Timeout', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: clientError('431 Request Header Fields Too Large', 'The request header is too large.'),
}
const MALFORMED = clientError('400 Bad Request', 'The request is malformed.')

function clientError(status: string, message: string): { status: string; body: ErrorBody } {
  return { status, body: { statusCode: Number(status.slice(0, 3)), name: 'bad_request', message } }
}

/**
 * What never became a request: two lengths (RFC 9112 section 6.1), broken syntax, a header that never ended. Node's
 * parser is strict, and the connection ends here, so nothing can hide behind it.
 */
export function answerClientError(
  error: { code?: string },
  requestId: string,
  headers: Readonly<Record<string, string>>,
): string {
  const { status, body } = CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED
  const text = JSON.stringify(body)
  const fields = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  })
  return `HTTP/1.1 ${status}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`
}
