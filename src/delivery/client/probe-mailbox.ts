import { randomBytes } from 'node:crypto'
import { classifyReply } from '../../classification/classify.ts'
import type { MailboxAnswer, ProbeMailbox } from '../../emails/validate/validate-address.ts'
import type { MxHost, MxResolver } from '../../lib/dns/mx.ts'
import type { Guard } from '../../lib/net/egress-guard.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Mailbox } from '../../mime/address.ts'
import type { SmtpConnection } from './smtp-connection.ts'
import { openSmtp } from './smtp-open.ts'
import type { SmtpReply } from './smtp-reply.ts'
import type { SmtpTimeouts } from './smtp-types.ts'
import { Transcript } from './transcript.ts'

interface ProbeDeps {
  clock: Clock
  mx: MxResolver
  guard: Guard
  ehloName: string
  mxPort: number
  /** Limits the whole probe: the wait for the site's turn, DNS, connecting, the SMTP session. */
  timeoutMs?: number
}

const TIMEOUT_MS = 8000
const TIMEOUTS: Partial<SmtpTimeouts> = { connectMs: 3000, greetingMs: 6000, commandMs: 6000, quitMs: 1000 }
const TARGETS_MAX = 3
/** More probes than this make a sender look like an address harvester. */
const PROBES_PER_MINUTE_MAX = 20
const MINUTE_MS = 60_000
const SITES_MAX = 5000

/** One site's current minute: its probes so far, and the end of the queue for its single connection. */
interface SiteTurns {
  untilMs: number
  count: number
  last: Promise<void>
}

/**
 * Asks the server of a mailbox whether it accepts mail for it: MAIL FROM:<>, RCPT, and RCPT of an invented name,
 * without DATA. The null reverse-path (RFC 5321 section 4.5.5) names no domain and cannot cause a bounce. A server that
 * also accepts the invented name is a catch-all. Only a refusal that would suppress an address in delivery counts as
 * "missing": a 4xx, a block list or a policy says nothing about the mailbox.
 *
 * One connection at a time and 20 probes a minute to each site, in this process; beyond that the answer is `unknown`.
 */
export function createMailboxProber(deps: ProbeDeps): ProbeMailbox {
  const takeTurn = createSemaphore(deps.clock)
  return async (mailbox, { site, hosts }) => {
    const turn = takeTurn(site)
    if (turn === null) return 'unknown'
    const signal = AbortSignal.timeout(deps.timeoutMs ?? TIMEOUT_MS)
    const expired = new Promise<MailboxAnswer>((resolve) => {
      signal.addEventListener('abort', () => resolve('unknown'))
    })
    return Promise.race([probeInTurn(deps, mailbox, hosts, turn, signal), expired])
  }
}

interface Turn {
  /** Resolves when the previous connection has ended. */
  before: Promise<void>
  end(): void
}

/** Gives the probes of each site their turns, one after the other; null when the site has used up this minute. */
function createSemaphore(clock: Clock): (site: string) => Turn | null {
  const sites = new Map<string, SiteTurns>()
  return (site) => {
    const nowMs = clock.now().getTime()
    let turns = sites.get(site)
    if (turns === undefined || turns.untilMs <= nowMs) {
      if (sites.size >= SITES_MAX) forgetOld(sites, nowMs)
      if (sites.size >= SITES_MAX) return null
      turns = { untilMs: nowMs + MINUTE_MS, count: 0, last: turns?.last ?? Promise.resolve() }
      sites.set(site, turns)
    }
    if (turns.count >= PROBES_PER_MINUTE_MAX) return null
    turns.count++
    const { promise, resolve: end } = Promise.withResolvers<void>()
    const before = turns.last
    turns.last = before.then(() => promise)
    return { before, end }
  }
}

function forgetOld(sites: Map<string, SiteTurns>, nowMs: number): void {
  for (const [site, { untilMs }] of sites) if (untilMs <= nowMs) sites.delete(site)
}

async function probeInTurn(
  deps: ProbeDeps,
  mailbox: Mailbox,
  hosts: readonly MxHost[],
  turn: Turn,
  signal: AbortSignal,
): Promise<MailboxAnswer> {
  let farewell: Promise<void> | undefined
  try {
    await turn.before
    const connection = await connect(deps, hosts, signal)
    if (connection === null) return 'unknown'
    const answer = await ask(connection, mailbox)
    farewell = connection.quit()
    return answer
  } finally {
    // The caller need not wait for the reply to QUIT; the next connection does.
    void Promise.resolve(farewell).finally(turn.end)
  }
}

/**
 * Connects to the first of the domain's hosts that sends a greeting; the guard checks each address right before
 * connecting.
 */
async function connect(
  deps: ProbeDeps,
  hosts: readonly MxHost[],
  signal: AbortSignal,
): Promise<SmtpConnection | null> {
  let attemptsLeft = TARGETS_MAX
  for (const { name: host } of hosts) {
    for (const address of await deps.mx.addressesOf(host)) {
      if (attemptsLeft-- === 0 || signal.aborted) return null
      const outcome = await openSmtp(
        { host, address, port: deps.mxPort },
        { ehloName: deps.ehloName, guard: deps.guard, tls: 'opportunistic', timeouts: TIMEOUTS, signal },
      )
      if (outcome.ok) return outcome.connection
    }
    if (signal.aborted) return null
  }
  return null
}

async function ask(connection: SmtpConnection, { address, domain }: Mailbox): Promise<MailboxAnswer> {
  const invented = `${randomBytes(12).toString('hex')}@${domain}`
  const [own, other] = await connection.askRecipients('', [address, invented], new Transcript())
  const isUnknownUser = (reply: SmtpReply) => classifyReply(reply, 'rcpt', connection.target.host).suppress
  if (own === undefined) return 'unknown'
  if (own.code >= 300) return isUnknownUser(own) ? 'missing' : 'unknown'
  if (other === undefined) return 'unknown'
  if (other.code < 300) return 'catch_all'
  return isUnknownUser(other) ? 'exists' : 'unknown'
}
