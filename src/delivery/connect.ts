import type { Clock } from '../base/clock.ts'
import type { Guard } from '../base/egress-guard.ts'
import type { Signer } from '../operations/sign-message.ts'
import type { ConversationLine, DueDelivery, LoadedMessage } from '../queue/types.ts'
import { type Candidate, type CandidateDeps, findCandidates, TARGETS_MAX } from './candidates.ts'
import { Conversation } from './conversation.ts'
import { couldNotOpen, judge } from './judge.ts'
import { createLargeMessages } from './large-messages.ts'
import type { MailConnection, Opened } from './site.ts'
import { nameOf, type SiteKey } from './site-key.ts'
import type { SmtpConnection } from './smtp-connection.ts'
import { type OpenOutcome, openSmtp } from './smtp-open.ts'
import type { OpenOptions, SmtpTimeouts } from './smtp-types.ts'

export interface ConnectDeps extends CandidateDeps {
  clock: Clock
  signer: Signer
  guard: Guard
  /** Loads the content of a delivery that was too large to load with its batch. */
  load(delivery: DueDelivery): Promise<LoadedMessage>
  timeouts?: Partial<SmtpTimeouts>
}

/** A host that just failed is asked last for so long. */
const HOST_MEMORY_MS = 5 * 60_000
/** A host whose TLS handshake fails gets mail without TLS for so long (opportunistic only). */
const PLAIN_MEMORY_MS = 60 * 60_000
const MEMORY_COUNT_MAX = 5000

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

  async function open(key: SiteKey, delivery: DueDelivery): Promise<Opened> {
    const startedAt = deps.clock.now()
    const startedMs = performance.now()
    const lines: ConversationLine[] = []
    let last: { outcome: Extract<OpenOutcome, { ok: false }>; target: Candidate } | null = null
    const candidates = await findCandidates(deps, key)
    // Hosts that failed a moment ago come last, in their order.
    candidates.sort(
      (a, b) => Number(isRemembered(failedHosts, a.address)) - Number(isRemembered(failedHosts, b.address)),
    )
    for (const target of candidates.slice(0, TARGETS_MAX)) {
      const outcome = await openOne(key, target, startedMs)
      if (outcome.ok) {
        failedHosts.delete(target.address)
        lines.push(...outcome.connection.opening)
        return {
          connection: wrap(deps, withMessage, nameOf(key), outcome.connection, {
            lines,
            startedAt,
            startedMs,
          }),
        }
      }
      lines.push(...outcome.conversation)
      last = { outcome, target }
      remember(failedHosts, target.address, HOST_MEMORY_MS)
    }
    return { failed: couldNotOpen(delivery, last, lines, startedAt, startedMs), hostsDown: true }
  }

  async function openOne(key: SiteKey, target: Candidate, startedMs: number): Promise<OpenOutcome> {
    const isEnforced = key.tls === 'enforced'
    const plain = !isEnforced && isRemembered(plainHosts, target.address)
    const options: OpenOptions = {
      ehloName: key.source.ehloName,
      ...(key.source.address === null ? {} : { localAddress: key.source.address }),
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
    mayChunk: delivery.attempts === 0,
  }
  return smtp.send(envelope, [signature, message.bytes], log)
}
