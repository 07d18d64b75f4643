import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface LingerLimits {
  /** How long a client may continue to send after the last response, milliseconds. */
  lingerMs: number
  /** The server closes a connection on which nothing arrives for this time after the last response, milliseconds. */
  lingerStallMs: number
  /** Bytes that a client may send after the last response: more than the largest body of any route. */
  lingerBytesMax: number
}

/** Reading the rest of a body of up to this size costs less than a new connection. */
const SHORT_BODY_BYTES_MAX = 64 * 1024

export interface Lingering {
  /** Returns whether the connection must close after this response, because too much of its request is still to come. */
  mustEnd(request: IncomingMessage): boolean
  /** Returns whether the last response of the connection has begun: further bytes are not a request. */
  isEnding(socket: Socket): boolean
  /** Sends the last bytes to a client, then lingers. */
  end(socket: Socket, answer: string): void
  /** Closes all lingering connections at once. */
  stop(): void
}

/**
 * Closes connections in the stages of RFC 9112 section 9.6. If a server closes a connection while the client still sends,
 * TCP resets it, and the client may lose a response that it has not read yet. Instead the server closes only its sending
 * side, and discards incoming bytes until the client closes too or a limit is reached.
 */
export function lingerOnClose(server: Server, limits: LingerLimits): Lingering {
  const current = new WeakMap<Socket, IncomingMessage>()
  const ending = new WeakSet<Socket>()
  const lingering = new Set<Socket>()
  let isStopped = false

  /** Discards bytes from `source`: the request that is still arriving, or the socket once the parser no longer reads it. */
  function linger(socket: Socket, source: IncomingMessage | Socket): void {
    if (lingering.has(socket)) return
    ending.add(socket)
    lingering.add(socket)
    socket.once('close', () => lingering.delete(socket))
    discardRest(socket, source, limits)
    socket.end()
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    current.set(request.socket, request)
    response.once('finish', () => limitShortRest(request, limits.lingerMs))
  })
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket)
    // Node.js calls this after it has written the last response of a connection.
    socket.destroySoon = () => {
      ending.add(socket)
      const request = current.get(socket)
      if (request === undefined || request.complete || isStopped || !socket.writable) destroySoon()
      else linger(socket, request)
    }
  })
  return {
    mustEnd(request) {
      if (request.complete || isShort(request)) return false
      ending.add(request.socket)
      // Reads from now on: Node.js would discard an unread body uncounted once the response is sent.
      request.on('data', () => {})
      return true
    },
    isEnding: (socket) => ending.has(socket),
    end(socket, answer) {
      socket.write(answer)
      // The HTTP parser no longer needs the bytes: it stopped at an error.
      socket.removeAllListeners('data')
      linger(socket, socket)
    },
    stop() {
      isStopped = true
      for (const socket of lingering) socket.destroy()
    },
  }
}

/** Reads and discards what arrives until the client closes its side or a limit is reached, then closes the connection. */
function discardRest(socket: Socket, source: IncomingMessage | Socket, limits: LingerLimits): void {
  const bytesMax = socket.bytesRead + limits.lingerBytesMax
  const close = () => void socket.destroy()
  const end = setTimeout(close, limits.lingerMs)
  const stall = setTimeout(close, limits.lingerStallMs)
  socket.once('close', () => {
    clearTimeout(end)
    clearTimeout(stall)
  })
  socket.once('end', () => (socket.writableFinished ? close() : socket.once('finish', close)))
  // The handler of an upload must not read the rest of its body.
  source.removeAllListeners('readable')
  source.on('data', () => {
    stall.refresh()
    if (socket.bytesRead > bytesMax) close()
  })
  source.resume()
}

/** Waits for the short rest of a body that keeps its connection, `timeoutMs` at most. */
function limitShortRest(request: IncomingMessage, timeoutMs: number): void {
  if (request.complete || request.destroyed) return
  const timer = setTimeout(() => void request.socket.destroy(), timeoutMs)
  timer.unref()
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
}

/**
 * Returns whether the rest of a body is worth reading. A client that expected `100 Continue` and received a final response
 * may send the body or another request next (RFC 9110 section 10.1.1), and the server cannot tell which.
 */
function isShort({ headers }: IncomingMessage): boolean {
  const isKnown = headers['transfer-encoding'] === undefined && headers.expect === undefined
  return isKnown && Number(headers['content-length'] ?? 0) <= SHORT_BODY_BYTES_MAX
}
