import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type SecureContext, TLSSocket, type TLSSocketOptions } from 'node:tls'
import type { Log } from '../../lib/log.ts'
import { startListening } from '../../lib/net/start-listening.ts'
import { ACME_PROTOCOL, peekRecord, readChallengeHost } from './client-hello.ts'

/** Returns the certificate for each handshake, so that a new one takes effect without a restart. */
export interface TlsContexts {
  /** For clients that name no host, or one without a certificate. */
  context(): SecureContext
  /** For the host that a client names (SNI); null if it has no certificate. */
  contextOf(host: string): SecureContext | null
  /** For a host whose certificate authority asks for a TLS-ALPN-01 challenge (RFC 8737); null if there is none. */
  findChallengeContext?(host: string): Promise<SecureContext | null>
}

interface HttpsOptions {
  /** Serves the decrypted connections, with the limits that it has for all others. */
  http: HttpServer
  tls: TlsContexts
  host: string
  port: number
  connectionsMax: number
  log: Log
}

export interface HttpsListener {
  port: number
  /** Stops accepting. Resolves when all connections have ended; the HTTP server ends those that it serves. */
  close(): Promise<void>
}

/** A client that has not finished the handshake within this time is disconnected. */
const HANDSHAKE_MS = 10_000

/** Serves HTTP over TLS on a second port. Rejects if the port cannot be opened. */
export async function listenHttps(options: HttpsOptions): Promise<HttpsListener> {
  const { http, tls, host, port, connectionsMax, log } = options
  const handshaking = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    handshaking.add(socket)
    secure(socket, tls, (encrypted) => http.emit('connection', encrypted))
      .catch(() => socket.destroy())
      .finally(() => handshaking.delete(socket))
  })
  server.maxConnections = connectionsMax
  await startListening(server, { port, host }, { name: 'HTTPS', log })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>()
      server.close(() => resolve())
      for (const socket of handshaking) socket.destroy()
      await promise
    },
  }
}

/**
 * Runs the handshake, and hands the connection over as soon as it ends. Rejects if the handshake fails: scanners and
 * clients that distrust the certificate end it with an error, which is theirs.
 */
async function secure(
  socket: Socket,
  tls: TlsContexts,
  serve: (encrypted: TLSSocket) => void,
): Promise<void> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The handshake took too long.')), HANDSHAKE_MS)
  // Listens for as long as the connection lives: the HTTP server may not be the first to see an error.
  socket.on('error', reject)
  socket.once('close', () => reject(new Error('The client disconnected.')))
  const work = async () => {
    const challenge = await findChallenge(socket, tls)
    if (challenge === null) await shakeHands(socket, optionsOf(tls), serve)
    else await shakeHands(socket, challenge, (encrypted) => encrypted.destroySoon())
  }
  await Promise.race([work(), failed]).finally(() => clearTimeout(timer))
}

function optionsOf(tls: TlsContexts): TLSSocketOptions {
  return {
    secureContext: tls.context(),
    SNICallback: (name, done) => done(null, tls.contextOf(name) ?? tls.context()),
    ALPNProtocols: ['http/1.1'],
  }
}

/**
 * Returns the options of the handshake that answers a challenge, or null if the client asks for none. Node.js selects the
 * certificate by name alone, so the protocol is read from the ClientHello before the handshake.
 */
async function findChallenge(socket: Socket, tls: TlsContexts): Promise<TLSSocketOptions | null> {
  if (tls.findChallengeContext === undefined) return null
  const host = readChallengeHost(await peekRecord(socket))
  if (host === null) return null
  const secureContext = await tls.findChallengeContext(host)
  return secureContext === null ? null : { secureContext, ALPNProtocols: [ACME_PROTOCOL] }
}

async function shakeHands(
  socket: Socket,
  options: TLSSocketOptions,
  serve: (encrypted: TLSSocket) => void,
): Promise<void> {
  const encrypted = new TLSSocket(socket, { isServer: true, ...options })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  encrypted.on('error', reject)
  encrypted.once('close', () => reject(new Error('The client disconnected.')))
  encrypted.once('secure', () => {
    // Not after the promise: the first bytes of the request may arrive before its reactions run.
    serve(encrypted)
    resolve()
  })
  await promise
}
