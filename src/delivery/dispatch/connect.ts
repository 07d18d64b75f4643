import type { LoopSlicer } from '../../lib/async/loop-slicer.ts'
import { markStep } from '../../lib/email-steps.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { withoutRequireTls } from '../../mime/require-tls.ts'
import { chooseForm, type SignatureForm } from '../../mime/signature-form.ts'
import type { DueDelivery, LoadedMessage, TranscriptLine } from '../../queue/types.ts'
import type { MailConnection, Opened } from '../client/mail-connection.ts'
import type { SmtpConnection } from '../client/smtp-connection.ts'
import { type OpenOutcome, openSmtp } from '../client/smtp-open.ts'
import type { OpenOptions, SmtpTarget, SmtpTimeouts } from '../client/smtp-types.ts'
import { Transcript } from '../client/transcript.ts'
import { type Candidate, type CandidateDeps, findCandidates, TARGETS_MAX } from '../routing/candidates.ts'
import { type SiteKey, siteNameOf } from '../sites/site-key.ts'
import { blameDemander, isTlsFailure, refuse } from '../tls/blame.ts'
import type { TlsPolicies } from '../tls/tls-policies.ts'
import type { HostDemand, TlsPolicy } from '../tls/tls-policy.ts'
import { classifySession, describeAttempt, type SessionOutcome } from '../tls/tls-session.ts'
import { classifyAttempt, couldNotOpen } from './classify-attempt.ts'
import { createLargeMessages } from './large-messages.ts'
import { createSevenBitForms, type SevenBitForm } from './seven-bit-forms.ts'
import { type Signer, type SigningDomain, usesEd25519 } from './sign-message.ts'

export interface ConnectDeps extends CandidateDeps {
  clock: Clock
  signer: Signer
  tls: Pick<TlsPolicies, 'policyOf' | 'demandOf' | 'note'>
  /** Loads the content of a delivery that was too large to load with its batch. */
  load(delivery: DueDelivery): Promise<LoadedMessage>
  slicer: Pick<LoopSlicer, 'hold'>
  /** Called when the message is about to be sent. */
  begun(delivery: DueDelivery): void
  timeouts?: Partial<SmtpTimeouts>
}

/** For this time after a failure, a host comes last in the order of attempts. */
const HOST_MEMORY_MS = 5 * 60_000
/** For this time after a failed TLS handshake, a host gets mail without TLS (opportunistic only). */
const PLAIN_MEMORY_MS = 60 * 60_000
const MEMORY_COUNT_MAX = 5000

interface Contents {
  withMessage: ReturnType<typeof createLargeMessages>
  sevenBitForm: SevenBitForm
}

/** The transcript up to the first transaction of a connection, and when it began. */
interface Opening {
  lines: readonly TranscriptLine[]
  startedAt: Date
  startedMs: number
}

/** Opens connections for sites. Attempts hosts by preference, and each of their addresses, until one accepts. */
export class Connector {
  readonly #deps: ConnectDeps
  readonly #failedHosts = new Map<string, number>()
  readonly #plainHosts = new Map<string, number>()
  readonly #contents: Contents

  constructor(deps: ConnectDeps) {
    this.#deps = deps
    this.#contents = { withMessage: createLargeMessages(deps.load), sevenBitForm: createSevenBitForms() }
  }

  #remember(map: Map<string, number>, address: string, forMs: number): void {
    if (map.size >= MEMORY_COUNT_MAX) map.clear()
    map.set(address, this.#deps.clock.now().getTime() + forMs)
  }

  #isRemembered(map: Map<string, number>, address: string): boolean {
    return (map.get(address) ?? 0) > this.#deps.clock.now().getTime()
  }

  async open(key: SiteKey, delivery: DueDelivery): Promise<Opened> {
    const startedAt = this.#deps.clock.now()
    const startedMs = performance.now()
    const lines: TranscriptLine[] = []
    let last: FailedHost | null = null
    const policy = await this.#deps.tls.policyOf(delivery, key)
    const { allowed, refused, isComplete } = await findCandidates(this.#deps, key, delivery)
    // Hosts that failed recently come last, in their order.
    allowed.sort(
      (a, b) =>
        Number(this.#isRemembered(this.#failedHosts, a.address)) -
        Number(this.#isRemembered(this.#failedHosts, b.address)),
    )
    // Refused addresses come first: they cost no connection, the attempt's transcript shows them, and the last allowed
    // address, if any, decides the result.
    for (const target of [...refused.slice(0, TARGETS_MAX), ...allowed.slice(0, TARGETS_MAX)]) {
      const demand = await this.#demandOf(policy, target)
      const outcome =
        'refused' in demand ? refuse(demand, startedMs) : await this.#openOne(key, target, demand, startedMs)
      if (outcome.ok) {
        this.#failedHosts.delete(target.address)
        lines.push(...outcome.connection.opening)
        const connection = { key, smtp: outcome.connection, demand }
        return {
          connection: toMailConnection(this.#deps, this.#contents, connection, {
            lines,
            startedAt,
            startedMs,
          }),
        }
      }
      lines.push(...outcome.transcript)
      last = decidingOf(last, { outcome, target })
      const { failure } = outcome
      if (failure !== null) {
        const session = { policy, demand, target, sendingIp: outcome.sourceAddress }
        recordSession(this.#deps, session, { failed: failure })
      }
      if (failure === null || failure.isTimeout === true || !isTlsFailure(failure.kind)) {
        this.#remember(this.#failedHosts, target.address, HOST_MEMORY_MS)
      }
    }
    // If DNS did not answer for some hosts, one of them may have an allowed address: defer rather than fail.
    if (!isComplete && (allowed.length === 0 || kindOf(last) === 'requiretls_unsupported')) last = null
    const failed = couldNotOpen(delivery, last, lines, startedAt, startedMs)
    // If a message requires more than the server offers, the server is not down.
    return { failed, stage: last?.outcome.stage ?? 'connect', hostsDown: failed.verdict.state === 'deferred' }
  }

  /** Capture mode ignores the policy, because no mail leaves this machine. */
  async #demandOf(policy: TlsPolicy, { host }: Candidate): Promise<HostDemand> {
    if (this.#deps.captureTarget === null) return this.#deps.tls.demandOf(policy, host)
    return { tls: 'opportunistic', by: null, tlsa: null, requireTls: false }
  }

  async #openOne(
    key: SiteKey,
    target: Candidate,
    demand: Exclude<HostDemand, { refused: string }>,
    startedMs: number,
  ): Promise<OpenOutcome> {
    const plain = demand.tls === 'opportunistic' && this.#isRemembered(this.#plainHosts, plainName(target))
    const options: OpenOptions = {
      ehloName: key.source.ehloName,
      ...(key.source.address === null ? {} : { localAddress: key.source.address }),
      guard: this.#deps.guard,
      startedMs,
      tls: plain ? 'off' : demand.tls,
      isHandshakeBroken: plain,
      tlsa: demand.tlsa,
      dnsIdOnly: key.relay === null,
      requireTls: demand.requireTls,
      ...(this.#deps.timeouts === undefined ? {} : { timeouts: this.#deps.timeouts }),
      ...target.options,
    }
    const outcome = await openSmtp(target, options)
    if (outcome.ok || outcome.failure === null) return outcome
    if (demand.tls === 'enforced') return { ...outcome, failure: blameDemander(demand.by, outcome.failure) }
    const mayDowngrade = options.tls === 'opportunistic' && options.implicitTls !== true
    if (outcome.failure.kind !== 'tls_handshake' || !mayDowngrade) return outcome
    // RFC 7435: opportunistic security prefers mail without TLS to no mail.
    this.#remember(this.#plainHosts, plainName(target), PLAIN_MEMORY_MS)
    return openSmtp(target, { ...options, tls: 'off', isHandshakeBroken: true })
  }
}

interface FailedHost {
  outcome: Extract<OpenOutcome, { ok: false }>
  target: Candidate
}

const kindOf = (host: FailedHost | null) => host?.outcome.failure?.kind

/**
 * Returns the host that decides the result: the last one, unless it only lacks REQUIRETLS, which a host that could not be
 * reached before it may offer.
 */
function decidingOf(last: FailedHost | null, next: FailedHost): FailedHost {
  if (last === null || kindOf(next) !== 'requiretls_unsupported') return next
  const kind = kindOf(last)
  return kind === 'refused_address' || kind === 'requiretls_unsupported' ? next : last
}

/**
 * The key includes the TLS server name: a server may reject a name that a third-party domain invented and still serve
 * its own.
 */
const plainName = ({ host, address }: SmtpTarget) => `${host} ${address}`

interface OpenedFor {
  key: SiteKey
  smtp: SmtpConnection
  /** The TLS demand on the host, for all mail of this key's TLS class. */
  demand: HostDemand
}

function toMailConnection(
  deps: ConnectDeps,
  contents: Contents,
  { key, smtp, demand }: OpenedFor,
  first: Opening,
): MailConnection {
  let opening: Opening | null = first
  /** Domains whose TLS report already counts this connection. It is one session, however many messages it carries. */
  const recordedDomains = new Set<string>()
  const site = siteNameOf(key)
  return {
    get usable() {
      return smtp.alive
    },
    get sentCount() {
      return smtp.sentCount
    },
    close: () => void smtp.quit(),
    async deliver(delivery, mayStart) {
      // A message without its content waits for memory.
      const mustWait = delivery.message === null
      const wasIdle = smtp.sentCount > 0 || mustWait
      const { lines, startedAt, startedMs } = opening ?? {
        lines: [],
        startedAt: deps.clock.now(),
        startedMs: performance.now(),
      }
      opening = null
      const transcript = new Transcript(startedMs)
      transcript.lines.push(...lines)
      const policy = await deps.tls.policyOf(delivery, key)
      if (!recordedDomains.has(policy.domain)) {
        recordedDomains.add(policy.domain)
        const session = { policy, demand, target: smtp.target, sendingIp: smtp.sourceAddress }
        recordSession(deps, session, { security: smtp.security })
      }
      let signedAs: SignatureForm | null = null
      const send = async (message: LoadedMessage) => {
        const sender = await deps.signer.sender(delivery)
        signedAs = chooseSignature(message, key, sender)
        return signAndSend(deps, smtp, { delivery, sender, message, signedAs }, policy, transcript)
      }
      const outcome = await contents.withMessage(site, delivery, async (message) => {
        if (mustWait && !(await mayStart())) return null
        return send(
          smtp.capabilities.eightBitMime ? message : await contents.sevenBitForm(message, transcript),
        )
      })
      if (outcome === null) return null
      const tls = describeAttempt(smtp.security, demand)
      return classifyAttempt({
        smtp,
        delivery,
        outcome,
        transcript,
        wasIdle,
        tls,
        signedAs,
        startedAt,
        startedMs,
      })
    },
  }
}

/** Returns the form of the signature. Other recipients of the same content, and retries, get it again. */
function chooseSignature(message: LoadedMessage, { relay }: SiteKey, sender: SigningDomain): SignatureForm {
  message.signedAs ??= new Set()
  const form = chooseForm(message.signedAs, relay, usesEd25519(sender.keys))
  message.signedAs.add(form)
  return form
}

interface Signed {
  delivery: DueDelivery
  sender: SigningDomain
  message: LoadedMessage
  signedAs: SignatureForm
}

async function signAndSend(
  deps: ConnectDeps,
  smtp: SmtpConnection,
  { delivery, sender, message, signedAs }: Signed,
  policy: TlsPolicy,
  transcript: Transcript,
) {
  markStep(delivery.emailId, 'loaded')
  // Only a few threads sign. While too many messages wait for them, the slicer starts no further message.
  const release = deps.slicer.hold()
  const signature = await deps.signer.sign(delivery, message, signedAs).finally(release)
  markStep(delivery.emailId, 'signed')
  const content = [signature, ...withoutRequireTls(message.bytes)]
  const envelope = {
    from: deps.signer.returnPath(sender, delivery.emailId, delivery.no),
    to: delivery.address,
    smtpUtf8: message.smtpUtf8,
    size: content.reduce((sum, { length }) => sum + length, 0),
    isWireReady: message.isWireReady === true,
    mayChunk: delivery.attempts === 0,
    requireTls: policy.wish === 'required' && smtp.capabilities.requireTls,
  }
  const sending = smtp.send(envelope, content, transcript)
  deps.begun(delivery)
  return sending
}

interface Session {
  policy: TlsPolicy
  demand: HostDemand
  target: SmtpTarget
  sendingIp: string | null
}

function recordSession(deps: ConnectDeps, session: Session, outcome: SessionOutcome): void {
  const { policy, demand, target, sendingIp } = session
  const met = classifySession(policy, demand, target.host, outcome)
  if (met === null) return
  deps.tls.note({
    ...met,
    domain: policy.domain,
    mxHost: target.host,
    receivingIp: target.address,
    sendingIp,
  })
}
