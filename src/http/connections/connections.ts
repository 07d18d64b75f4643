import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { ErrorBody } from './error-body.ts'
import type { LingerLimits } from './lingering.ts'

export interface ConnectionLimits extends LingerLimits {
  /** The time limit for a complete request header, and for the silence of a new connection. */
  headersTimeoutMs: number
  /** The time limit for a whole request: 100 MiB at 3 Mbit/s. */
  requestTimeoutMs: number
  /** The same for a body that a route reads as it arrives: 512 MiB at 1.2 Mbit/s. */
  uploadTimeoutMs: number
  /** How long a large body waits, unread, for memory before it is rejected. */
  bodyRoomMs: number
  /** How long an upload may receive nothing before it ends. */
  uploadStallMs: number
  /** How long an idle connection stays open. Longer than the minute of load balancers. */
  keepAliveTimeoutMs: number
  /**
   * The limit on open connections of one address that do not wait for a response. Enough for a proxy with many
   * clients.
   */
  perAddressMax: number
  connectionsMax: number
  /** How long a connection beyond its address's share may take to send its first request. */
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

/**
 * The factor for connections of one address that wait for a response: a slow server must not look like a slow client.
 */
const WAITING_FACTOR = 10

interface Address {
  open: number
  /** Sockets whose request has arrived completely and whose response has not begun. */
  waiting: Set<Socket>
}

export interface Connections {
  /**
   * Marks the response to a request as begun: a slow reader no longer counts as waiting. Returns true if the
   * connection is one too many.
   */
  answer(request: IncomingMessage): boolean
}

/**
 * Limits connections per address, so that slow and idle connections of one address cannot use up all. Connections
 * that wait for a response do not count. After this process itself was slow, many arrive at once, each with its
 * request right behind it. A connection beyond the share is therefore closed only if its request does not arrive
 * soon, else with its response.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): Connections {
  server.maxConnections = limits.connectionsMax
  const addresses = new Map<string, Address>()
  const addressOf = new WeakMap<Socket, Address>()
  const hasRequest = new WeakSet<Socket>()
  const isOver = ({ open, waiting }: Address) => open - waiting.size > limits.perAddressMax
  const closeWithoutRequest = (socket: Socket) => {
    const timer = setTimeout(() => {
      if (!hasRequest.has(socket)) socket.destroy()
    }, limits.firstRequestMs)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  }
  server.on('connection', (socket: Socket) => {
    const name = socket.remoteAddress
    if (name === undefined) return
    const address = addresses.get(name) ?? { open: 0, waiting: new Set() }
    addresses.set(name, address)
    addressOf.set(socket, address)
    address.open++
    socket.once('close', () => {
      address.waiting.delete(socket)
      if (--address.open === 0) addresses.delete(name)
    })
    if (address.open > limits.perAddressMax * WAITING_FACTOR) socket.destroy()
    else if (isOver(address)) closeWithoutRequest(socket)
  })
  const answered = new WeakSet<IncomingMessage>()
  const answer = (request: IncomingMessage) => {
    answered.add(request)
    const address = addressOf.get(request.socket)
    address?.waiting.delete(request.socket)
    return address !== undefined && isOver(address)
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const wait = () => {
      if (!request.complete || answered.has(request) || socket.destroyed) return
      hasRequest.add(socket)
      addressOf.get(socket)?.waiting.add(socket)
    }
    // A short request is complete once the parser has processed the bytes that came with it.
    process.nextTick(wait)
    request.once('end', wait)
    response.once('close', () => void answer(request))
  })
  return { answer }
}

/**
 * Ends a request that arrives too slowly. Node's own timer has one limit for all requests, the longest. A request that the
 * server sends to itself (for a tool of MCP) has arrived, and has no connection that could end.
 */
export function limitArrival(server: Server, request: IncomingMessage, timeoutMs: number): void {
  const { headers, socket } = request
  if (!(socket instanceof Socket)) return
  if (Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined) return
  const timer = setTimeout(() => {
    // Like Node's timer, so that the same code handles both.
    const error = Object.assign(new Error('The request timed out.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    server.emit('clientError', error, socket)
  }, timeoutMs)
  timer.unref()
  request.once('end', () => clearTimeout(timer))
  request.once('close', () => clearTimeout(timer))
}

/** Codes of Node's HTTP parser and timers. All other errors mean a malformed request. */
const CLIENT_ERRORS: Record<string, { status: string; body: ErrorBody }> = {
  ERR_HTTP_REQUEST_TIMEOUT: clientError('408 Request Timeout', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: clientError('431 Request Header Fields Too Large', 'The request header is too large.'),
}
const MALFORMED = clientError('400 Bad Request', 'The request is malformed.')

function clientError(status: string, message: string): { status: string; body: ErrorBody } {
  return { status, body: { statusCode: Number(status.slice(0, 3)), name: 'bad_request', message } }
}

/**
 * Returns the response to input that never became a request: two lengths (RFC 9112 section 6.1), broken syntax, a
 * header without end. Node's parser is strict, and the connection ends here, so no second request can hide behind the
 * first.
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
