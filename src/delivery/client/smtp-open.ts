import { connect, isIP, type Socket } from 'node:net'
import type { Stage } from '../../classification/stages.ts'
import type { TranscriptLine } from '../../queue/types.ts'
import { authenticate } from './smtp-auth.ts'
import { SmtpConnection } from './smtp-connection.ts'
import { exchange, isReply } from './smtp-exchange.ts'
import { SmtpLink } from './smtp-link.ts'
import type { SmtpReply } from './smtp-reply.ts'
import {
  type Capabilities,
  DEFAULT_TIMEOUTS,
  type OpenOptions,
  type SmtpFailure,
  type SmtpTarget,
  type SmtpTimeouts,
} from './smtp-types.ts'
import { describeSecurity, failureOf, inspect, type Security } from './tls-security.ts'
import { Transcript } from './transcript.ts'

/** Why opening a connection failed. Exactly one of `reply` and `failure` is set. */
export interface OpenFailure {
  stage: Stage
  reply: SmtpReply | null
  failure: SmtpFailure | null
}

export type OpenOutcome =
  | { ok: true; connection: SmtpConnection }
  | ({
      ok: false
      transcript: readonly TranscriptLine[]
      /** The literal source IP address of the attempt; null when no connection was made. */
      sourceAddress: string | null
    } & OpenFailure)

/** The state that the steps of one opening share. */
interface Opening {
  target: SmtpTarget
  options: OpenOptions
  timeouts: SmtpTimeouts
  link: SmtpLink
  transcript: Transcript
}

/** Carries an OpenFailure out of the steps; `openSmtp` catches it. */
class OpenEnded extends Error {
  readonly ending: OpenFailure

  constructor(stage: Stage, why: SmtpReply | SmtpFailure) {
    super(stage)
    this.ending = isReply(why) ? { stage, reply: why, failure: null } : { stage, reply: null, failure: why }
  }
}

/**
 * Connects, reads the greeting, starts TLS and, for a relay, logs in. Never rejects: server and network faults are
 * outcomes. After `tls_handshake` at `starttls` an opportunistic caller may open again with `tls: 'off'`; after
 * `tls_certificate`, which only `enforced` produces, it must not.
 */
export async function openSmtp(target: SmtpTarget, options: OpenOptions): Promise<OpenOutcome> {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const transcript = new Transcript(options.startedMs)
  let link: SmtpLink | null = null
  const abort = () => link?.fail({ kind: 'aborted', detail: 'canceled' })
  options.signal?.addEventListener('abort', abort)
  try {
    const socket = await connectSocket(target, options, timeouts.connectMs, transcript)
    link = new SmtpLink(socket)
    socket.once('close', () => options.signal?.removeEventListener('abort', abort))
    const connection = await converse({ target, options, timeouts, link, transcript })
    return { ok: true, connection }
  } catch (error) {
    options.signal?.removeEventListener('abort', abort)
    link?.fail({ kind: 'aborted', detail: 'we closed the connection' })
    if (!(error instanceof OpenEnded)) throw error
    const { failure } = error.ending
    if (failure !== null) transcript.add('*', failure.detail)
    const sourceAddress = link?.sourceAddress ?? null
    return { ok: false, transcript: transcript.lines, sourceAddress, ...error.ending }
  }
}

/** The guard checks the literal address that the next statement connects to. */
function connectSocket(
  { address, port, host }: SmtpTarget,
  { guard, localAddress, signal }: OpenOptions,
  connectMs: number,
  transcript: Transcript,
): Promise<Socket> {
  const from = localAddress === undefined ? '' : ` from ${localAddress}`
  transcript.add('*', `connecting to ${host} [${address}]:${port}${from}`)
  const reason = isIP(address) === 0 ? 'not a literal IP address' : (guard?.refuse(address) ?? null)
  if (reason !== null) {
    const detail = `connections to ${address} are not allowed: ${reason}`
    throw new OpenEnded('connect', { kind: 'refused_address', detail })
  }
  if (localAddress !== undefined && isIP(localAddress) !== isIP(address)) {
    const detail = `cannot reach ${address} from ${localAddress}: one is IPv4, the other IPv6`
    throw new OpenEnded('connect', { kind: 'unreachable', detail })
  }
  if (signal?.aborted) throw new OpenEnded('connect', { kind: 'aborted', detail: 'canceled' })
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: address,
      port,
      noDelay: true,
      ...(localAddress === undefined ? {} : { localAddress }),
    })
    const end = (kind: SmtpFailure['kind'], detail: string) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      socket.destroy()
      reject(new OpenEnded('connect', { kind, detail }))
    }
    const timer = setTimeout(
      () => end('timeout', `no connection to ${address} within ${connectMs} ms`),
      connectMs,
    )
    const onAbort = () => end('aborted', 'canceled')
    const onError = (error: NodeJS.ErrnoException) =>
      end('unreachable', `no connection to ${address} (${error.code ?? error.message})`)
    signal?.addEventListener('abort', onAbort)
    socket.once('error', onError)
    socket.once('connect', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      socket.removeListener('error', onError)
      resolve(socket)
    })
  })
}

async function converse(opening: Opening): Promise<SmtpConnection> {
  const { options, target, timeouts, link, transcript } = opening
  let security =
    options.implicitTls === true
      ? await secureLink(opening)
      : plain(options.isHandshakeBroken === true ? HANDSHAKE_BROKEN : null)
  await greet(opening)
  let capabilities = await sayHello(opening)
  if (security.kind === 'plain' && options.tls !== 'off') {
    security = await startTls(opening, capabilities)
    // RFC 3207 section 4.2: discard what was learned before TLS, capabilities included.
    if (security.kind === 'tls') capabilities = await sayHello(opening)
  }
  if (options.requireTls === true && !capabilities.requireTls) {
    const detail = 'the server does not offer REQUIRETLS (RFC 8689)'
    throw new OpenEnded('ehlo', { kind: 'requiretls_unsupported', detail })
  }
  if (options.auth != null) {
    const ending = await authenticate(
      { link, transcript, timeoutMs: timeouts.commandMs },
      options.auth,
      capabilities.auth,
      {
        secure: security.kind === 'tls',
        address: target.address,
      },
    )
    if (ending !== null) throw new OpenEnded('auth', ending)
  }
  return new SmtpConnection({ link, target, capabilities, security, timeouts, opening: transcript.lines })
}

/** Why a connection is unencrypted although the server offers TLS. */
const HANDSHAKE_BROKEN = 'the TLS handshake failed'

/** Nothing is sent before the server's greeting (RFC 5321 section 3.1). */
async function greet({ link, transcript, timeouts }: Opening): Promise<void> {
  const greeting = await exchange(link, null, timeouts.greetingMs, transcript)
  if (!isReply(greeting) || greeting.code !== 220) throw new OpenEnded('greeting', greeting)
}

/** Sends EHLO, or HELO if the server does not know EHLO (RFC 5321 section 3.2). */
async function sayHello({ link, transcript, timeouts, options }: Opening): Promise<Capabilities> {
  const ehlo = await exchange(link, `EHLO ${options.ehloName}`, timeouts.commandMs, transcript)
  if (isReply(ehlo) && ehlo.code === 250) return readCapabilities(ehlo.lines)
  if (!isReply(ehlo) || ehlo.code < 500) throw new OpenEnded('ehlo', ehlo)
  const helo = await exchange(link, `HELO ${options.ehloName}`, timeouts.commandMs, transcript)
  if (!isReply(helo) || helo.code !== 250) throw new OpenEnded('ehlo', helo)
  return readCapabilities([])
}

/** Parses `lines` of an EHLO reply, the first of which is the server's greeting. */
function readCapabilities(lines: readonly string[]): Capabilities {
  const keywords = new Map<string, string[]>()
  for (const line of lines.slice(1)) {
    // `AUTH=PLAIN` is the form of servers from before RFC 2554.
    const [keyword = '', ...parameters] = line
      .trim()
      .toUpperCase()
      .split(/[\s=]+/)
    keywords.set(keyword, [...(keywords.get(keyword) ?? []), ...parameters])
  }
  const sizeMax = Number(keywords.get('SIZE')?.[0] ?? 0)
  return {
    pipelining: keywords.has('PIPELINING'),
    startTls: keywords.has('STARTTLS'),
    requireTls: keywords.has('REQUIRETLS'),
    eightBitMime: keywords.has('8BITMIME'),
    chunking: keywords.has('CHUNKING'),
    smtpUtf8: keywords.has('SMTPUTF8'),
    enhancedStatusCodes: keywords.has('ENHANCEDSTATUSCODES'),
    size: keywords.has('SIZE'),
    // RFC 1870 section 4: zero or nothing means no fixed limit.
    sizeMax: Number.isSafeInteger(sizeMax) && sizeMax > 0 ? sizeMax : null,
    auth: keywords.get('AUTH') ?? [],
  }
}

/** Starts TLS, or continues without it (opportunistic only). */
async function startTls(opening: Opening, { startTls: isOffered }: Capabilities): Promise<Security> {
  const { link, transcript, timeouts, options } = opening
  if (!isOffered) {
    if (options.tls === 'opportunistic') return plain('STARTTLS is not offered')
    throw new OpenEnded('starttls', { kind: 'tls_unavailable', detail: 'the server does not offer STARTTLS' })
  }
  const reply = await exchange(link, 'STARTTLS', timeouts.commandMs, transcript)
  if (!isReply(reply)) throw new OpenEnded('starttls', reply)
  if (reply.code !== 220) {
    if (options.tls === 'opportunistic' && reply.code !== 421) {
      return plain(`STARTTLS was refused with ${reply.code}`)
    }
    throw new OpenEnded('starttls', reply)
  }
  if (link.partialReply) {
    const detail = 'the server sent something between STARTTLS and TLS'
    throw new OpenEnded('starttls', { kind: 'protocol', detail })
  }
  return secureLink(opening)
}

async function secureLink({ link, target, timeouts, options, transcript }: Opening): Promise<Security> {
  const secured = await link.secure(target.host, timeouts.commandMs)
  if ('kind' in secured) throw new OpenEnded('starttls', secured)
  const { tlsa = null, dnsIdOnly = false } = options
  const security = inspect(secured, { host: target.host, tlsa, dnsIdOnly, now: new Date() })
  const failure = options.tls === 'enforced' ? failureOf(security, tlsa !== null) : null
  if (failure !== null) {
    const { type: certificate, reason: detail } = failure
    throw new OpenEnded('starttls', { kind: 'tls_certificate', detail, certificate })
  }
  transcript.add('*', describeSecurity(security))
  return security
}

function plain(reason: string | null): Security {
  return { kind: 'plain', reason, isHandshakeBroken: reason === HANDSHAKE_BROKEN }
}
