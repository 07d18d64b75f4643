import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Log } from '../../lib/log.ts'
import { createConnectionCounts } from './connection-counts.ts'
import { formatReply } from './format-reply.ts'
import { createMessageRoom, type MessageRoom } from './message-room.ts'
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
  /** The server's name in the greeting. */
  hostname: string
  /** Null: TLS is not offered. */
  tls: ContextSource | null
  /** TLS from the first byte (RFC 8314) and no STARTTLS. */
  isImplicitTls?: boolean
  /** No mail before AUTH, and no AUTH before TLS. */
  isAuthRequired?: boolean
  limits?: Partial<SmtpLimits>
  /** For several listeners that share the memory for large messages. */
  room?: MessageRoom
  log: Log
  /** Returns the command handlers of a new connection. */
  open(peer: SmtpPeer): SmtpHandlers
}

export interface SmtpListener {
  port: number
  /** Accepts no more connections; messages in progress may finish, within a limit. */
  close(): Promise<void>
}

/** Starts an SMTP listener. Resolves once it listens; rejects as `server.listen` does. */
export async function startSmtpListener(options: SmtpListenerOptions): Promise<SmtpListener> {
  const limits = { ...SMTP_LIMITS, ...options.limits }
  const sessions = new Set<SmtpSession>()
  const counts = createConnectionCounts(limits)
  const world = {
    ...options,
    isImplicitTls: options.isImplicitTls ?? false,
    isAuthRequired: options.isAuthRequired ?? false,
    limits,
    room: options.room ?? createMessageRoom(limits.allMessagesBytesMax, limits.roomTimeoutMs),
  }

  // The client may close its side after QUIT and still read the reply.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const address = socket.remoteAddress ?? ''
    const apiError = counts.take(address)
    if (apiError !== null) return turnAway(socket, world.isImplicitTls ? '' : formatReply(apiError))
    const session = new SmtpSession(world, socket)
    sessions.add(session)
    socket.once('close', () => {
      sessions.delete(session)
      counts.giveBack(address)
    })
    void session.run()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => resolve())
  })
  server.on('error', (error) =>
    options.log.warn({ err: error, listener: options.name }, 'an SMTP listener failed'),
  )

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

/** Rejects a connection without a session; what the client sends is not read. */
function turnAway(socket: Socket, words: string): void {
  socket.on('error', () => socket.destroy())
  socket.end(words, () => socket.destroy())
}
