import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../base/clock.ts'
import type { Guard } from '../base/egress-guard.ts'
import type { MxResolver } from '../base/mx.ts'
import type { Relay } from '../config.ts'
import type { Signer } from '../operations/sign-message.ts'
import type { ConversationLine, DeliveryResult, DueDelivery, LoadedMessage } from '../queue/types.ts'
import { classifyFailure, classifyReply, enhancedCodeOf } from './classify.ts'
import { Conversation } from './conversation.ts'
import { createLargeMessages } from './large-messages.ts'
import type { Routing } from './routing.ts'
import type { Delivered, MailConnection, Opened } from './site.ts'
import { isThisMachine } from './smtp-auth.ts'
import type { SmtpConnection } from './smtp-connection.ts'
import { type OpenOutcome, openSmtp } from './smtp-open.ts'
import type { OpenOptions, SendOutcome, SmtpTarget, SmtpTimeouts } from './smtp-types.ts'

export interface ConnectDeps {
  clock: Clock
  signer: Signer
  routing: Routing
  mx: MxResolver
  guard: Guard
  ehloName: string
  mxPort: number
  relays: readonly Relay[]
  /** The local sink of capture mode. */
  captureTarget: SmtpTarget | null
  /** Loads the content of a delivery that was too large to load with its batch. */
  load(delivery: DueDelivery): Promise<LoadedMessage>
  timeouts?: Partial<SmtpTimeouts>
}

/** Hosts and addresses tried for one delivery before it is deferred. */
const TARGETS_MAX = 8
/** A host that just failed is asked last for so long. */
const HOST_MEMORY_MS = 5 * 60_000
/** A host whose TLS handshake fails gets mail without TLS for so long (opportunistic only). */
const PLAIN_MEMORY_MS = 60 * 60_000
const MEMORY_COUNT_MAX = 5000

type Candidate = SmtpTarget & { options: Partial<OpenOptions> }
type WithMessage = ReturnType<typeof createLargeMessages>

/** What came before the first transaction of a connection, and when that began. */
interface Opening {
  lines: readonly ConversationLine[]
  startedAt: Date
  startedMs: number
}

/** Opens connections for sites: hosts by preference, addresses of each, the next one when one does not answer. */
export function createConnector(deps: ConnectDeps) {
  const failedHosts = new Map<string, number>()
  const plainHosts = new Map<string, number>()
  const withMessage = createLargeMessages(deps.load)

  function remember(map: Map<string, number>, address: string, forMs: number): void {
    if (map.size >= MEMORY_COUNT_MAX) map.clear()
    map.set(address, deps.clock.now().getTime() + forMs)
  }

  const isRemembered = (map: Map<string, number>, address: string) =>
    (map.get(address) ?? 0) > deps.clock.now().getTime()

  async function open(site: string, delivery: DueDelivery): Promise<Opened> {
    const startedAt = deps.clock.now()
    const startedMs = performance.now()
    const lines: ConversationLine[] = []
    let last: { outcome: Extract<OpenOutcome, { ok: false }>; target: Candidate } | null = null
    const candidates = await findCandidates(deps, site)
    // Hosts that failed a moment ago come last, in their order.
    candidates.sort(
      (a, b) => Number(isRemembered(failedHosts, a.address)) - Number(isRemembered(failedHosts, b.address)),
    )
    for (const target of candidates.slice(0, TARGETS_MAX)) {
      const outcome = await openOne(target, delivery, startedMs)
      if (outcome.ok) {
        failedHosts.delete(target.address)
        lines.push(...outcome.connection.opening)
        return {
          connection: wrap(deps, withMessage, site, outcome.connection, { lines, startedAt, startedMs }),
        }
      }
      lines.push(...outcome.conversation)
      last = { outcome, target }
      remember(failedHosts, target.address, HOST_MEMORY_MS)
    }
    return { failed: couldNotOpen(delivery, last, lines, startedAt, startedMs), hostsDown: true }
  }

  async function openOne(target: Candidate, delivery: DueDelivery, startedMs: number): Promise<OpenOutcome> {
    const isEnforced = (await deps.signer.sender(delivery)).tls === 'enforced'
    const plain = !isEnforced && isRemembered(plainHosts, target.address)
    const options: OpenOptions = {
      ehloName: deps.ehloName,
      guard: deps.guard,
      startedMs,
      tls: isEnforced ? 'enforced' : plain ? 'off' : 'opportunistic',
      ...(deps.timeouts === undefined ? {} : { timeouts: deps.timeouts }),
      ...target.options,
    }
    const outcome = await openSmtp(target, options)
    const handshakeFailed = !outcome.ok && outcome.failure?.kind === 'tls_handshake'
    if (!handshakeFailed || options.tls !== 'opportunistic' || options.implicitTls === true) return outcome
    // RFC 7435: opportunistic security prefers mail without TLS to no mail.
    remember(plainHosts, target.address, PLAIN_MEMORY_MS)
    return openSmtp(target, { ...options, tls: 'off' })
  }

  return { open }
}

async function findCandidates(deps: ConnectDeps, site: string): Promise<Candidate[]> {
  if (deps.captureTarget !== null) return [{ ...deps.captureTarget, options: { guard: null, tls: 'off' } }]
  if (deps.relays.length > 0)
    return (await Promise.all(deps.relays.map((relay) => relayTargets(deps, relay)))).flat()
  const targets: Candidate[] = []
  for (const host of deps.routing.hostsOf(site)) {
    for (const address of await deps.mx.addressesOf(host.name)) {
      targets.push({ host: host.name, address, port: deps.mxPort, options: {} })
    }
    if (targets.length >= TARGETS_MAX) break
  }
  return targets
}

/**
 * Relays are the operator's choice: the guard has nothing to say about them. A password goes only where a certificate
 * proves the relay's name, or to this machine itself, which the wire between does not leave.
 */
async function relayTargets(deps: ConnectDeps, relay: Relay): Promise<Candidate[]> {
  const host = relay.host.replace(/^\[|\]$/g, '')
  const addresses = await relayAddresses(deps, host)
  const auth = relay.user === null ? null : { user: relay.user, password: relay.password ?? '' }
  const isGuarded = relay.implicitTls || auth !== null
  return addresses.map((address) => {
    // Where nothing is said here, what the sender's domain wants of TLS counts.
    const tls = isGuarded && !isThisMachine(address) ? ({ tls: 'enforced' } as const) : {}
    return {
      host,
      address,
      port: relay.port,
      options: { guard: null, implicitTls: relay.implicitTls, auth, ...tls },
    }
  })
}

/** A relay may be named by its address, or as only this machine knows it (/etc/hosts, a container's network). */
async function relayAddresses(deps: ConnectDeps, host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const named = await deps.mx.addressesOf(host)
  if (named.length > 0) return named
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

function couldNotOpen(
  delivery: DueDelivery,
  last: { outcome: Extract<OpenOutcome, { ok: false }>; target: Candidate } | null,
  conversation: ConversationLine[],
  startedAt: Date,
  startedMs: number,
): DeliveryResult {
  const outcome = last?.outcome ?? null
  const verdict =
    outcome?.reply != null
      ? classifyReply(outcome.reply, outcome.stage, last?.target.host)
      : classifyFailure(outcome?.failure?.kind ?? 'unreachable', outcome?.stage ?? 'connect')
  return {
    delivery,
    verdict,
    startedAt,
    durationMs: performance.now() - startedMs,
    smtpCode: outcome?.reply?.code ?? null,
    enhancedCode:
      outcome?.reply?.enhanced ??
      (outcome?.reply == null ? enhancedCodeOf(outcome?.failure?.kind ?? 'unreachable') : null),
    response: outcome?.reply?.text ?? outcome?.failure?.detail ?? verdict.advice,
    mxHost: last?.target.host ?? null,
    mxAddress: last?.target.address ?? null,
    tls: null,
    conversation,
  }
}

function wrap(
  deps: ConnectDeps,
  withMessage: WithMessage,
  site: string,
  smtp: SmtpConnection,
  first: Opening,
): MailConnection {
  let opening: Opening | null = first
  return {
    get usable() {
      return smtp.alive
    },
    get sentCount() {
      return smtp.sentCount
    },
    close: () => void smtp.quit(),
    async deliver(delivery) {
      const wasUsed = smtp.sentCount > 0
      const { lines, startedAt, startedMs } = opening ?? {
        lines: [],
        startedAt: deps.clock.now(),
        startedMs: performance.now(),
      }
      opening = null
      const log = new Conversation(startedMs)
      log.lines.push(...lines)
      const outcome = await withMessage(site, delivery, (message) =>
        converse(deps, smtp, delivery, message, log),
      )
      return judge(smtp, delivery, outcome, log, wasUsed, startedAt, startedMs)
    },
  }
}

async function converse(
  deps: ConnectDeps,
  smtp: SmtpConnection,
  delivery: DueDelivery,
  message: LoadedMessage,
  log: Conversation,
) {
  const sender = await deps.signer.sender(delivery)
  const signature = await deps.signer.sign(delivery, message)
  const envelope = {
    from: deps.signer.returnPath(sender, delivery.emailId, delivery.no),
    to: delivery.address,
    smtpUtf8: message.smtpUtf8,
    size: signature.length + message.bytes.length,
  }
  return smtp.send(envelope, [signature, message.bytes], log)
}

/** A server that asks for less: 421, or the enhanced codes of rate and connection limits (RFC 3463 X.7, X.4.5). */
const SLOW_DOWN = /^4\.(7\.\d+|4\.5|3\.2)$/

function judge(
  smtp: SmtpConnection,
  delivery: DueDelivery,
  outcome: SendOutcome,
  log: Conversation,
  wasUsed: boolean,
  startedAt: Date,
  startedMs: number,
): Delivered {
  const { reply, failure, stage } = outcome
  const verdict =
    reply !== null
      ? classifyReply(reply, stage, smtp.target.host)
      : classifyFailure(failure?.kind ?? 'closed', stage)
  const result: DeliveryResult = {
    delivery,
    verdict,
    startedAt,
    durationMs: performance.now() - startedMs,
    smtpCode: reply?.code ?? null,
    enhancedCode: reply === null ? enhancedCodeOf(failure?.kind ?? 'closed') : reply.enhanced,
    response: reply?.text ?? failure?.detail ?? null,
    mxHost: smtp.target.host,
    mxAddress: smtp.target.address,
    tls: smtp.tls,
    conversation: log.lines,
  }
  return {
    result,
    stale: wasUsed && failure?.kind === 'closed' && stage === 'mail',
    slowDown:
      reply !== null && (reply.code === 421 || (reply.code < 500 && SLOW_DOWN.test(reply.enhanced ?? ''))),
  }
}
