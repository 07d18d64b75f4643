import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface RequestPace {
  /** Requests of one connection that may be in progress while another one is read. */
  pipelinedMax: number
  /** Requests of all connections that are read in one turn of the event loop. */
  perTurnMax: number
}

/** Clients hardly ever pipeline. A turn of 64 requests takes about 10 ms. */
export const PACE: RequestPace = { pipelinedMax: 4, perTurnMax: 64 }

/** Bytes that are parsed at once, unless they are the body of a request: at most about 18 requests. */
const SLICE_BYTES = 512

interface Connection {
  socket: Socket
  /** Passes bytes to Node's parser. */
  parse(bytes: Buffer): void
  /** What has arrived and is not parsed yet. */
  rest: Buffer
  inProgress: number
  /** Bytes of the current body that are certainly still to come: they cannot be requests. */
  bodyLeft: number
  isQueued: boolean
  /** Whether Node paused the connection, because its client reads too slowly. Only Node may resume it then. */
  isHeld: boolean
}

/**
 * Bounds the work that pipelined requests cause at once. Node parses everything that one read brought, up to 64 KB, and
 * starts every request in it: 2,000 of them would hold the event loop. Instead, bytes go to the parser in slices. While
 * requests of the connection are in progress, or this turn of the loop has had its share of requests, the connection is
 * not read. Bodies with a length pass in one piece.
 */
export function paceRequests(server: Server, pace: RequestPace = PACE): void {
  const pacer = new Pacer(pace)
  const connections = new WeakMap<Socket, Connection>()
  server.on('connection', (socket: Socket) => connections.set(socket, takeOver(socket, pacer)))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket)
    if (connection === undefined) return
    pacer.begin(connection, Number(request.headers['content-length'] ?? 0) || 0)
    response.once('close', () => pacer.end(connection))
  })
  // What follows bytes that are not a request is not parsed.
  server.on('clientError', (_error, socket) => {
    const connection = connections.get(socket as Socket)
    if (connection !== undefined) connection.rest = NOTHING
  })
}

const NOTHING: Buffer = Buffer.alloc(0)

/** Puts the pacer between a connection and the parser of Node, which is its only listener for bytes. */
function takeOver(socket: Socket, pacer: Pacer): Connection {
  const [parse] = socket.listeners('data') as [(bytes: Buffer) => void]
  socket.removeListener('data', parse)
  const connection: Connection = {
    socket,
    rest: NOTHING,
    inProgress: 0,
    bodyLeft: 0,
    isQueued: false,
    isHeld: false,
    parse: (bytes) => parse.call(socket, bytes),
  }
  socket.on('data', (bytes: Buffer) => {
    const { rest } = connection
    connection.rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    pacer.advance(connection)
  })
  socket.on('resume', () => {
    connection.isHeld = false
    pacer.advance(connection)
  })
  return connection
}

class Pacer {
  readonly #pace: RequestPace
  /** Connections that continue in the next turn of the loop. */
  readonly #queue: Connection[] = []
  #requestsInTurn = 0
  #isTurnCounted = false

  constructor(pace: RequestPace) {
    this.#pace = pace
  }

  /** Counts a request that was parsed. */
  begin(connection: Connection, bodyBytes: number): void {
    connection.inProgress++
    this.#requestsInTurn++
    this.#countTurn()
    // The first bytes of the body may be in the same slice.
    connection.bodyLeft = Math.max(0, bodyBytes - SLICE_BYTES)
  }

  /** Counts a request whose response has closed. */
  end(connection: Connection): void {
    connection.inProgress--
    if (connection.rest.length > 0) this.#enqueue(connection)
  }

  /** Parses what has arrived, as far as the limits allow. */
  advance(connection: Connection): void {
    const { socket } = connection
    while (connection.rest.length > 0 && !socket.destroyed) {
      const { rest, bodyLeft } = connection
      const mustWait = connection.inProgress >= this.#pace.pipelinedMax
      if (bodyLeft === 0 && (mustWait || this.#requestsInTurn >= this.#pace.perTurnMax)) {
        socket.pause()
        // A response that closes continues a connection that has to wait for it.
        if (!mustWait) this.#enqueue(connection)
        return
      }
      const size = Math.min(bodyLeft > 0 ? bodyLeft : SLICE_BYTES, rest.length)
      if (bodyLeft > 0) connection.bodyLeft -= size
      connection.rest = rest.subarray(size)
      connection.parse(rest.subarray(0, size))
      connection.isHeld = socket.isPaused()
      if (connection.isHeld) return
    }
  }

  #enqueue(connection: Connection): void {
    if (connection.isQueued) return
    connection.isQueued = true
    this.#queue.push(connection)
    this.#countTurn()
  }

  #countTurn(): void {
    if (this.#isTurnCounted) return
    this.#isTurnCounted = true
    setImmediate(() => this.#beginTurn())
  }

  #beginTurn(): void {
    this.#isTurnCounted = false
    this.#requestsInTurn = 0
    for (const connection of this.#queue.splice(0)) {
      connection.isQueued = false
      if (!connection.isHeld) connection.socket.resume()
    }
  }
}
