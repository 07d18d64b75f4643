import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from '../present.ts'
import type { LingerLimits } from './lingering.ts'

export interface ConnectionLimits extends LingerLimits {
  /** A request's header must be complete within this; also how long a new connection may stay silent. */
  headersTimeoutMs: number
  /** A whole request must have arrived within this: 100 MiB at 3 Mbit/s. */
  requestTimeoutMs: number
  /** The same for a body that a route reads as it arrives: 512 MiB at 1.2 Mbit/s. */
  uploadTimeoutMs: number
  /** So long a large body waits, unread, for room in memory before it is refused. */
  bodyRoomMs: number
  /** An upload of which nothing arrives for so long is over. */
  uploadStallMs: number
  /** How long an idle connection is kept. Longer than the minute that load balancers keep theirs. */
  keepAliveTimeoutMs: number
  /** Open connections of one address that do not wait for an answer; enough for a proxy that stands for many clients. */
  perAddressMax: number
  connectionsMax: number
  /** So long one beyond its address's share may take to send its first request. */
  firstRequestMs: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 30_000,
  requestTimeoutMs: 300_000,
  uploadTimeoutMs: 3_600_000,
  bodyRoomMs: 20_000,
  uploadStallMs: 30_000,
  keepAliveTimeoutMs: 72_000,
  perAddressMax: 1_000,
  connectionsMax: 20_000,
  firstRequestMs: 1_000,
  lingerMs: 30_000,
  lingerStallMs: 5_000,
  lingerBytesMax: 1024 * 1024 * 1024,
}

/** Of one address, with those that wait for an answer: a server that is slow must not be taken for a slow client. */
const WAITING_FACTOR = 10

interface Address {
  open: number
  /** Whose requests have arrived whole, and whose answers have not begun. */
  waiting: Set<Socket>
}

export interface Connections {
  /** The answer to the request begins: whoever reads it slowly waits for nobody. True: the connection is one too many. */
  answer(request: IncomingMessage): boolean
}

/**
 * Slow and idle connections cost their owner, not the others: one address cannot take all. Connections that wait for us
 * are not counted among them. After a moment in which we ourselves were slow many come at once, each with its request right
 * behind it: one beyond the share is closed when that does not come soon, else with its answer.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): Connections {
  server.maxConnections = limits.connectionsMax
  const addresses = new Map<string, Address>()
  const known = new WeakMap<Socket, Address>()
  const asked = new WeakSet<Socket>()
  const isOver = ({ open, waiting }: Address) => open - waiting.size > limits.perAddressMax
  const closeUnlessAsked = (socket: Socket) => {
    const timer = setTimeout(() => {
      if (!asked.has(socket)) socket.destroy()
    }, limits.firstRequestMs)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  }
  server.on('connection', (socket: Socket) => {
    const name = socket.remoteAddress
    if (name === undefined) return
    const address = addresses.get(name) ?? { open: 0, waiting: new Set() }
    addresses.set(name, address)
    known.set(socket, address)
    address.open++
    socket.once('close', () => {
      address.waiting.delete(socket)
      if (--address.open === 0) addresses.delete(name)
    })
    if (address.open > limits.perAddressMax * WAITING_FACTOR) socket.destroy()
    else if (isOver(address)) closeUnlessAsked(socket)
  })
  const answered = new WeakSet<IncomingMessage>()
  const answer = (request: IncomingMessage) => {
    answered.add(request)
    const address = known.get(request.socket)
    address?.waiting.delete(request.socket)
    return address !== undefined && isOver(address)
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const wait = () => {
      if (!request.complete || answered.has(request) || socket.destroyed) return
      asked.add(socket)
      known.get(socket)?.waiting.add(socket)
    }
    // A short one is whole once the parser has gone through what came with it.
    process.nextTick(wait)
    request.once('end', wait)
    response.once('close', () => void answer(request))
  })
  return { answer }
}

/** Node's own timer knows one time for all requests, which is the longest: this one ends a request sooner. */
export function limitArrival(server: Server, request: IncomingMessage, timeoutMs: number): void {
  const { headers, socket } = request
  if (Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined) return
  const timer = setTimeout(() => {
    // As Node's timer does it, so that both are answered by the same code.
    const error = Object.assign(new Error('The request timed out.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    server.emit('clientError', error, socket)
  }, timeoutMs)
  timer.unref()
  request.once('end', () => clearTimeout(timer))
  request.once('close', () => clearTimeout(timer))
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
