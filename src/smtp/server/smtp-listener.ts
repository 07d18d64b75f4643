import { type AddressInfo, createServer, type Socket } from 'node:net'
import { canonicalAddress } from '../../config/canonical-address.ts'
import { matchNetworks, type Network } from '../../config/networks.ts'
import type { Log } from '../../lib/log.ts'
import { startListening } from '../../lib/net/start-listening.ts'
import { createConnectionCounts } from './connection-counts.ts'
import { formatReply } from './format-reply.ts'
import { createMessageRoom, type MessageRoom } from './message-room.ts'
import { readProxyHeader } from './proxy-header.ts'
import { SmtpSession } from './smtp-session.ts'
import {
  type ContextSource,
  SMTP_LIMITS,
  type SmtpHandlers,
  type SmtpLimits,
  type SmtpPeer,
} from './smtp-types.ts'

export interface SmtpListenerOptions {
  /** For the log. */
  name: string
  host: string
  port: number
  /** Whether the port belongs to this process alone, not to all workers of node:cluster. */
  isExclusive?: boolean
  /** The server's name in the greeting. */
  hostname: string
  /** Null if TLS is not offered. */
  tls: ContextSource | null
  /** Whether TLS begins with the first byte (RFC 8314), without STARTTLS. */
  isImplicitTls?: boolean
  /** Whether clients must use TLS and AUTH before they send mail. */
  isAuthRequired?: boolean
  /** Proxies, each of whose connections begins with a PROXY header that names the client. */
  proxies?: readonly Network[]
  limits?: Partial<SmtpLimits>
  /** The memory for large messages, if several listeners share it. */
  room?: MessageRoom
  log: Log
  /** Returns the command handlers of a new connection. */
  open(peer: SmtpPeer): SmtpHandlers
}

export interface SmtpListener {
  port: number
  /** Stops accepting connections. Messages in progress may finish within a time limit. */
  close(): Promise<void>
}

const NO_HEADER =
  'closed an SMTP connection of a trusted proxy that did not begin with a valid PROXY header, version 2, within 5 s'

/** Starts an SMTP listener. Resolves when it listens, and rejects as `server.listen` does. */
export async function startSmtpListener(options: SmtpListenerOptions): Promise<SmtpListener> {
  const limits = { ...SMTP_LIMITS, ...options.limits }
  const sessions = new Set<SmtpSession>()
  const counts = createConnectionCounts(limits)
  const isProxy = matchNetworks(options.proxies ?? [])
  const world = {
    ...options,
    isImplicitTls: options.isImplicitTls ?? false,
    isAuthRequired: options.isAuthRequired ?? false,
    limits,
    room: options.room ?? createMessageRoom(limits.allMessagesBytesMax, limits.roomTimeoutMs),
  }

  // The client may close its side after QUIT and still read the reply.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const peer = socket.remoteAddress ?? ''
    if (isProxy(canonicalAddress(peer) ?? '')) void serveProxied(socket, peer)
    else serve(socket, peer)
  })
  const serve = (socket: Socket, address: string) => {
    const rejection = counts.take(address)
    if (rejection !== null) return turnAway(socket, world.isImplicitTls ? '' : formatReply(rejection))
    const session = new SmtpSession(world, socket, address)
    sessions.add(session)
    socket.once('close', () => {
      sessions.delete(session)
      counts.giveBack(address)
    })
    void session.run()
  }
  const serveProxied = async (socket: Socket, peer: string) => {
    const ignore = () => {}
    socket.on('error', ignore)
    const client = await readProxyHeader(socket)
    socket.off('error', ignore)
    // Otherwise what follows is read as plain text before TLS takes over the socket.
    if (world.isImplicitTls) socket.pause()
    if (client !== null && server.listening) return serve(socket, client)
    if (client === null) options.log.warn({ peer, listener: options.name }, NO_HEADER)
    socket.destroy()
  }
  const { port, host, isExclusive: exclusive = false } = options
  await startListening(server, { port, host, exclusive }, options)

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of sessions) session.stop()
      const timer = setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, limits.closeTimeoutMs)
      await closed.finally(() => clearTimeout(timer))
    },
  }
}

/** Rejects a connection without starting a session. Does not read what the client sends. */
function turnAway(socket: Socket, text: string): void {
  socket.on('error', () => socket.destroy())
  socket.end(text, () => socket.destroy())
}
