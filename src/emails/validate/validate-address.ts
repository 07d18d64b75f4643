import { type SimulatedOutcome, simulatedOutcome } from '../../classification/simulator.ts'
import { CATEGORIES, type Category } from '../../classification/verdict-categories.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import type { MxAnswer, MxResolver } from '../../lib/dns/mx.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Mailbox, parseAddress, suppressionKey, trimSpaces } from '../../mime/address.ts'
import { type AddressOutcome, isSuppressedForBounce, listOutcomesAt } from './address-history-queries.ts'
import { isDisposable } from './disposable.ts'
import { isFreeProvider } from './free-providers.ts'
import { looksRandom } from './random-input.ts'
import { isRoleAddress } from './role-addresses.ts'
import { suggestDomain } from './suggest-domain.ts'

/**
 * The reply of the domain's server about one mailbox. `catch_all`: the server accepts every name, so its reply
 * proves nothing.
 */
export type MailboxAnswer = 'exists' | 'missing' | 'catch_all' | 'unknown'

/** Probes the mailbox's server. Never rejects because of a server or network, and answers within a time limit. */
export type ProbeMailbox = (
  mailbox: Mailbox,
  route: Extract<MxAnswer, { kind: 'hosts' }>,
) => Promise<MailboxAnswer>

export interface Validation {
  /** The text as given. */
  email: string
  isValid: boolean
  hasValidSyntax: boolean
  /** Null if DNS gave no answer. */
  hasValidDns: boolean | null
  /** Null if the server was not queried or gave no reliable answer. */
  mailboxExists: boolean | null
  isRoleAddress: boolean
  isDisposable: boolean
  isRandomInput: boolean
  blockReason: 'invalid_syntax' | 'invalid' | 'disposable_email' | null
  verdict: 'deliverable' | 'risky' | 'undeliverable' | 'unknown'
  /** The whole address that was probably meant. */
  didYouMean: string | null
  hasKnownBounce: boolean
  isFreeProvider: boolean
  validatedAt: Date
}

/** Validates a text as an address, with what the team knows about it. Returns a result for every text. */
export type ValidateAddress = (teamId: string, email: string) => Promise<Validation>

interface Deps {
  db: Db
  clock: Clock
  mx: MxResolver
  /** Null if mail servers are never queried. */
  probe: ProbeMailbox | null
}

/** The findings that the verdict is based on. */
type Findings = Omit<
  Validation,
  'email' | 'isValid' | 'mailboxExists' | 'blockReason' | 'verdict' | 'validatedAt'
> & { mailbox: MailboxAnswer | 'not_asked' }

/** The longest wait for DNS. A slower lookup continues in the background, for the cache. */
const DNS_TIMEOUT_MS = 3000

const NO_ADDRESS: Findings = {
  hasValidSyntax: false,
  hasValidDns: false,
  mailbox: 'not_asked',
  isRoleAddress: false,
  isDisposable: false,
  isRandomInput: false,
  didYouMean: null,
  hasKnownBounce: false,
  isFreeProvider: false,
}

export function createValidateAddress(deps: Deps): ValidateAddress {
  return async (teamId, email) => {
    const mailbox = parseAddress(trimSpaces(email))
    const findings = mailbox === null ? NO_ADDRESS : await examine(deps, teamId, mailbox)
    return { email, ...conclude(findings), validatedAt: deps.clock.now() }
  }
}

async function examine({ db, mx, probe }: Deps, teamId: string, mailbox: Mailbox): Promise<Findings> {
  const { local, domain, address } = mailbox
  const key = suppressionKey(address)
  const simulated = simulatedOutcome(key)
  const [route, disposable, knownBounce] = await Promise.all([
    simulated === null ? withinTimeout(mx.resolve(domain)) : null,
    isDisposable(domain),
    hasKnownBounce(db, teamId, key),
  ])
  const hasValidDns = route === null || dnsVerdict(route)
  // Ask a server only if its answer could still change the verdict.
  const shouldProbe = probe !== null && hasValidDns === true && !disposable && !knownBounce
  const suggestion = suggestDomain(domain, hasValidDns)
  return {
    hasValidSyntax: true,
    hasValidDns,
    mailbox: shouldProbe
      ? await probeServer(probe, mailbox, route ?? (simulated as SimulatedOutcome))
      : 'not_asked',
    isRoleAddress: isRoleAddress(local),
    isDisposable: disposable,
    isRandomInput: looksRandom(local),
    didYouMean: suggestion === null ? null : `${local}@${suggestion}`,
    hasKnownBounce: knownBounce,
    isFreeProvider: isFreeProvider(domain),
  }
}

/** A null MX (RFC 7505), a missing domain, or a domain without a mail host: none of them receives mail. */
function dnsVerdict({ kind }: MxAnswer): boolean | null {
  return kind === 'temporary' ? null : kind === 'hosts'
}

/** The replies of the simulator's server, for callers that test how their program handles them. */
const SIMULATED: Readonly<Record<SimulatedOutcome, MailboxAnswer>> = {
  delivered: 'exists',
  complained: 'exists',
  suppressed: 'exists',
  bounced: 'missing',
  'soft-bounced': 'unknown',
  deferred: 'unknown',
}

async function probeServer(
  probe: ProbeMailbox,
  mailbox: Mailbox,
  route: MxAnswer | SimulatedOutcome,
): Promise<MailboxAnswer> {
  if (typeof route === 'string') return SIMULATED[route]
  return route.kind === 'hosts' ? probe(mailbox, route) : 'unknown'
}

async function withinTimeout(lookup: Promise<MxAnswer>): Promise<MxAnswer> {
  const { promise, resolve } = Promise.withResolvers<MxAnswer>()
  const reason = `DNS gave no answer within ${DNS_TIMEOUT_MS} ms`
  const timer = setTimeout(() => resolve({ kind: 'temporary', reason }), DNS_TIMEOUT_MS)
  return Promise.race([lookup, promise]).finally(() => clearTimeout(timer))
}

/** docs/validation.md states the same rules in prose. */
function conclude(findings: Findings) {
  const { mailbox, ...evaluations } = findings
  const blockReason = blockReasonOf(findings)
  return {
    ...evaluations,
    mailboxExists: mailbox === 'exists' ? true : mailbox === 'missing' ? false : null,
    isValid: blockReason === null || blockReason === 'disposable_email',
    blockReason,
    verdict: verdictOf(findings, blockReason),
  }
}

function blockReasonOf(findings: Findings): Validation['blockReason'] {
  const { hasValidSyntax, hasValidDns, hasKnownBounce, mailbox, isDisposable } = findings
  if (!hasValidSyntax) return 'invalid_syntax'
  if (hasValidDns === false || hasKnownBounce || mailbox === 'missing') return 'invalid'
  return isDisposable ? 'disposable_email' : null
}

function verdictOf(findings: Findings, blockReason: Validation['blockReason']): Validation['verdict'] {
  const { isRoleAddress, isDisposable, isRandomInput, didYouMean, mailbox, hasValidDns } = findings
  if (blockReason === 'invalid_syntax' || blockReason === 'invalid') return 'undeliverable'
  if (isRoleAddress || isDisposable || isRandomInput || didYouMean !== null || mailbox === 'catch_all')
    return 'risky'
  return hasValidDns === null || mailbox === 'unknown' ? 'unknown' : 'deliverable'
}

/** The categories of bounces that suppress an address: those that the address itself causes (SUP-6). */
const DEAD: ReadonlySet<string> = new Set(
  Object.entries(CATEGORIES as Record<string, Category>)
    .filter(([, { suppress }]) => suppress === true)
    .map(([name]) => name),
)

/**
 * Returns whether the team's own mail to an address bounced permanently: the address is suppressed for a
 * bounce, or its latest conclusive delivery bounced. A delivery after the bounce clears it. Results of other
 * teams are never used.
 * @param addressKey suppressionKey of the address
 */
async function hasKnownBounce(db: Queryable, teamId: string, addressKey: string): Promise<boolean> {
  const [isSuppressed, outcomes] = await Promise.all([
    isSuppressedForBounce(db, teamId, addressKey),
    listOutcomesAt(db, teamId, addressKey),
  ])
  if (isSuppressed) return true
  const last = outcomes.find((outcome) => outcome.status === 'delivered' || isDead(outcome))
  return last !== undefined && isDead(last)
}

function isDead({ status, category }: AddressOutcome): boolean {
  return status === 'bounced' && DEAD.has(category ?? '')
}
