import { createHash } from 'node:crypto'
import { SIMULATOR_DOMAIN } from '../classification/simulator.ts'
import { CATEGORIES } from '../classification/verdict-categories.ts'
import { findMailProvider } from '../lib/dns/mail-providers.ts'
import { bucketOf } from './delays.ts'
import {
  COUNTERS,
  type Counter,
  type Counts,
  type Dimension,
  type MetricRow,
  noCounts,
} from './metric-counts-queries.ts'
import type { CountedEmail, UncountedEvent } from './metric-feed-queries.ts'
import type { Visit } from './metric-visits-queries.ts'

const HOUR_MS = 3_600_000

/** A row of one hour that counts are added to. */
interface Tally extends MetricRow {
  grain: 'hour'
  delays: number[]
}

/** By team, hour, dimension and key. */
class Tallies {
  readonly #byPlace = new Map<string, Tally>()

  find(teamId: string, sinceMs: number, dimension: Dimension, key: string): Tally {
    const place = `${teamId} ${sinceMs} ${dimension} ${key}`
    let tally = this.#byPlace.get(place)
    if (tally === undefined) {
      tally = { teamId, grain: 'hour', dimension, sinceMs, key, counts: noCounts(), delays: [] }
      this.#byPlace.set(place, tally)
    }
    return tally
  }

  /** The rows with any counts. */
  get rows(): MetricRow[] {
    return [...this.#byPlace.values()].filter(({ counts }) => COUNTERS.some((counter) => counts[counter] > 0))
  }
}

/** The rows of one email's events in one hour, except those of its recipients' providers. */
type EmailRows = { email: CountedEmail | undefined; rows: readonly Tally[] }

/**
 * Counts events, each in the hour in which it happened. `firsts` are the visits that are the first of their kind; of
 * several events for the same visit the first counts.
 */
export function countEvents(
  events: readonly UncountedEvent[],
  emails: ReadonlyMap<string, CountedEmail>,
  firsts: readonly Visit[],
): MetricRow[] {
  const tallies = new Tallies()
  const unique = new Set(firsts.map(nameOfVisit))
  const known = new Map<string, EmailRows>()
  for (const event of events) {
    const hourMs = Math.floor(event.createdAt.getTime() / HOUR_MS) * HOUR_MS
    const name = `${event.subjectId}${hourMs}`
    let rows = known.get(name)
    if (rows === undefined) {
      rows = findEmailRows(tallies, event, emails.get(event.subjectId), hourMs)
      known.set(name, rows)
    }
    countEvent(tallies, event, hourMs, rows, unique)
  }
  return tallies.rows
}

/**
 * Returns rows for the dimensions of the event's email; an email that is no longer stored counts for the team alone.
 */
function findEmailRows(
  tallies: Tallies,
  { teamId }: UncountedEvent,
  email: CountedEmail | undefined,
  hourMs: number,
): EmailRows {
  const rows = [tallies.find(teamId, hourMs, 'all', '')]
  if (email === undefined) return { email, rows }
  rows.push(tallies.find(teamId, hourMs, 'domain', email.domainId))
  if (email.templateId !== null) rows.push(tallies.find(teamId, hourMs, 'template', email.templateId))
  const tags = new Set(email.tags.map(({ name, value }) => `${name}:${value}`))
  for (const tag of tags) rows.push(tallies.find(teamId, hourMs, 'tag', tag))
  return { email, rows }
}

function countEvent(
  tallies: Tallies,
  event: UncountedEvent,
  hourMs: number,
  { email, rows }: EmailRows,
  unique: Set<string>,
): void {
  if (event.recipient === null) {
    for (const { counts } of rows) countEmailEvent(counts, event, email)
    return
  }
  const counters = countersOf(event, unique)
  if (counters.length === 0) return
  const provider = providerOf(event.recipient, event.mxHost)
  const providerRow = tallies.find(event.teamId, hourMs, 'provider', provider)
  const bucket = email === undefined ? null : delayBucketOf(event, email)
  // Simulated mail says nothing about a team's real mail: it counts as a separate provider only.
  const isSimulated = provider === SIMULATOR
  const counting = isSimulated ? [providerRow] : [...rows, providerRow]
  for (const { counts, delays } of counting) {
    for (const counter of counters) counts[counter]++
    if (bucket === null) continue
    while (delays.length <= bucket) delays.push(0)
    delays[bucket] = (delays[bucket] as number) + 1
  }
  if (!isSimulated) countReason(tallies, event, hourMs, counters)
}

/** Failures by their cause. Only these: other counts say nothing about a cause. */
const FAILURES: ReadonlySet<Counter> = new Set(['bounced', 'bounced_hard', 'failed', 'rejected'])
/** The key of failures whose cause is not stored. */
const UNKNOWN = 'unknown'

function countReason(
  tallies: Tallies,
  { teamId, category }: UncountedEvent,
  hourMs: number,
  counters: readonly Counter[],
): void {
  const failures = counters.filter((counter) => FAILURES.has(counter))
  if (failures.length === 0) return
  const { counts } = tallies.find(teamId, hourMs, 'reason', category ?? UNKNOWN)
  for (const counter of failures) counts[counter]++
}

/** Counters of events about a whole email. */
const EMAIL_COUNTERS: Readonly<Record<string, Counter>> = {
  'email.queued': 'queued',
  'email.scheduled': 'scheduled',
  'email.canceled': 'canceled',
}

/** Counts an email's event; an email whose recipients are all simulated is not counted. */
function countEmailEvent(counts: Counts, event: UncountedEvent, email: CountedEmail | undefined): void {
  const counter = EMAIL_COUNTERS[event.type]
  if (counter === undefined) return
  const recipientCount = email === undefined ? null : countReal(email)
  if (recipientCount === 0) return
  counts[counter]++
  if (email === undefined || recipientCount === null || !isAcceptance(event, email)) return
  counts.emails++
  counts.accepted += recipientCount
}

/** A scheduled email is queued again when its time comes, and reported as scheduled again when it is rescheduled. */
function isAcceptance({ type, isRescheduled }: UncountedEvent, { scheduledAt }: CountedEmail): boolean {
  return type === 'email.queued' ? scheduledAt === null : type === 'email.scheduled' && !isRescheduled
}

function countReal({ recipientCount, addressees }: CountedEmail): number {
  if (addressees === null) return recipientCount
  const all = [...addressees.to, ...addressees.cc, ...addressees.bcc]
  const addresses = all.map((text) => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase())
  const simulated = new Set(addresses.filter((address) => address.endsWith(`@${SIMULATOR_DOMAIN}`)))
  return Math.max(0, recipientCount - simulated.size)
}

/** Final results of a delivery; those from a reply, not from a later DSN, count as attempted recipients. */
const ENDS: Readonly<Record<string, Counter>> = {
  'email.sent': 'sent',
  'email.delivered': 'delivered',
  'email.bounced': 'bounced',
  'email.failed': 'failed',
  'email.rejected': 'rejected',
}
const OTHERS: Readonly<Record<string, Counter>> = {
  'email.delivery_delayed': 'delivery_delayed',
  'email.suppressed': 'suppressed',
  'email.complained': 'complained',
}

function countersOf(event: UncountedEvent, unique: Set<string>): Counter[] {
  const { type, category, isReported } = event
  const end = ENDS[type]
  if (end !== undefined) {
    const counters: Counter[] = isReported ? [end] : [end, 'attempted']
    if (end === 'bounced' && isDeadAddress(category)) counters.push('bounced_hard')
    return counters
  }
  const other = OTHERS[type]
  if (other !== undefined) return [other]
  return countersOfVisit(event, unique)
}

/** Returns whether the address itself is at fault, which is rare in lists of people who asked for mail. */
function isDeadAddress(category: string | null): boolean {
  if (category === null || !Object.hasOwn(CATEGORIES, category)) return false
  const { fault } = CATEGORIES[category as keyof typeof CATEGORIES]
  return fault === 'recipient' && category !== 'recipient_declines'
}

function countersOfVisit(event: UncountedEvent, unique: Set<string>): Counter[] {
  const visit = toVisit(event)
  if (visit !== null)
    return unique.delete(nameOfVisit(visit)) ? [visit.name, `${visit.name}_unique`] : [visit.name]
  if (!event.isMachine) return []
  if (event.type === 'email.opened') return ['opened_machine']
  return event.type === 'email.clicked' ? ['clicked_machine'] : []
}

/** Returns the opens and clicks of people, without those of machines. */
export function findVisits(events: readonly UncountedEvent[]): Visit[] {
  return events.flatMap((event) => toVisit(event) ?? [])
}

function toVisit({ teamId, subjectId, type, recipient, isMachine }: UncountedEvent): Visit | null {
  const name = type === 'email.opened' ? 'opened' : type === 'email.clicked' ? 'clicked' : null
  if (name === null || recipient === null || isMachine) return null
  return { teamId, emailId: subjectId, name, recipient: visitorOf(recipient) }
}

/** Returns the pseudonym under which one person's visits are counted once. */
export function visitorOf(recipient: string): string {
  const digest = createHash('sha256').update(recipient.toLowerCase()).digest('hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`
}

function nameOfVisit({ emailId, name, recipient }: Visit): string {
  return `${emailId} ${name} ${recipient}`
}

const SIMULATOR = 'simulator'

function providerOf(recipient: string, mxHost: string | null): string {
  const domain = recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase()
  if (domain === SIMULATOR_DOMAIN) return SIMULATOR
  return findMailProvider(domain, mxHost?.toLowerCase() ?? null) ?? 'other'
}

/**
 * Returns the bucket of the time from acceptance, or the scheduled time, until a server accepted the message. Null:
 * none did.
 */
function delayBucketOf({ type, createdAt, isReported }: UncountedEvent, email: CountedEmail): number | null {
  if (isReported || (type !== 'email.delivered' && type !== 'email.sent')) return null
  const from = email.scheduledAt ?? email.createdAt
  return bucketOf(createdAt.getTime() - from.getTime())
}
