import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface LingerLimits {
  /** How long a client may go on sending after its last answer. */
  lingerMs: number
  /** A client that sends nothing for so long after its last answer has read it, or never will. */
  lingerStallMs: number
  /** What may come after the last answer, bytes: more than the largest body of any route. */
  lingerBytesMax: number
}

/** What is left of such a body costs less than a new connection does. */
const SHORT_BODY_BYTES_MAX = 64 * 1024

export interface Lingering {
  /** Whether the connection must end with the answer that begins now: too much of its request is still to come. */
  mustEnd(request: IncomingMessage): boolean
  /** Whether the last answer of the connection is sent, or begun: what follows is no request any more. */
  isEnding(socket: Socket): boolean
  /** Sends the last bytes to a client, then reads on as below. */
  end(socket: Socket, answer: string): void
  /** Ends those that are left, now. */
  stop(): void
}

/**
 * Closes connections as RFC 9112 section 9.6 wants it: to close one while its client still sends makes TCP reset it, and
 * the reset takes the answer away from a client that has not read it yet. Instead our side is closed alone; what arrives
 * goes nowhere, unparsed, until the client closes too or a limit is reached.
 */
export function lingerOnClose(server: Server, limits: LingerLimits): Lingering {
  const current = new WeakMap<Socket, IncomingMessage>()
  const ending = new WeakSet<Socket>()
  const lingering = new Set<Socket>()
  let isStopped = false

  /** Reads on from `source`: the request that is still arriving, or the socket itself when no parser reads it any more. */
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
    // Node.js calls this when the last answer of a connection has been handed over.
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
      // From now on: Node.js throws away, uncounted, a body that nobody reads when its answer is sent.
      request.on('data', () => {})
      return true
    },
    isEnding: (socket) => ending.has(socket),
    end(socket, answer) {
      socket.write(answer)
      // The HTTP parser has given up.
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
  // The reader of an upload's body reads no more of it.
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
 * Whether the rest of a body is worth waiting for. A client that was promised a word before it sends its body, and heard
 * the last one instead, may send the body or another request next (RFC 9110 section 10.1.1): that is never to be guessed.
 */
function isShort({ headers }: IncomingMessage): boolean {
  const isKnown = headers['transfer-encoding'] === undefined && headers.expect === undefined
  return isKnown && Number(headers['content-length'] ?? 0) <= SHORT_BODY_BYTES_MAX
}
