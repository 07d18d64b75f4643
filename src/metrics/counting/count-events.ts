import { createHash } from 'node:crypto'
import { SIMULATOR_DOMAIN } from '../../classification/simulator.ts'
import { CATEGORIES } from '../../classification/verdict-categories.ts'
import { findMailProvider } from '../../lib/dns/mail-providers.ts'
import { tagKey } from './bound-keys.ts'
import { bucketOf } from './delays.ts'
import { COUNTERS, type Counter, type Dimension, type MetricRow, noCounts } from './metric-counts-queries.ts'
import type { CountedEmail, UncountedEvent } from './metric-feed-queries.ts'
import type { CountedVisit } from './metric-visits-queries.ts'

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
interface EmailRows {
  email: CountedEmail | undefined
  rows: readonly Tally[]
  /** The rows of simulated mail. Created when needed: most mail is real. */
  simulatedRows(): readonly Tally[]
}

/**
 * Counts events, each in the hour in which it happened. `firsts` are the visits that are the first of their kind; of
 * several events for the same visit the first counts.
 */
export function countEvents(
  events: readonly UncountedEvent[],
  emails: ReadonlyMap<string, CountedEmail>,
  firsts: readonly CountedVisit[],
): MetricRow[] {
  const tallies = new Tallies()
  const unique = new Set(firsts.map(nameOfVisit))
  const cache = new Map<string, EmailRows>()
  for (const event of events) {
    const hourMs = Math.floor(event.createdAt.getTime() / HOUR_MS) * HOUR_MS
    const name = `${event.subjectId}${hourMs}`
    let rows = cache.get(name)
    if (rows === undefined) {
      rows = findEmailRows(tallies, event, emails.get(event.subjectId), hourMs)
      cache.set(name, rows)
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
  const places: [dimension: 'all' | 'domain' | 'template' | 'sender' | 'tag', key: string][] = [['all', '']]
  if (email !== undefined) {
    places.push(['domain', email.domainId], ['sender', email.senderAddress])
    if (email.templateId !== null) places.push(['template', email.templateId])
    const tags = new Set(email.tags.map(tagKey))
    for (const tag of tags) places.push(['tag', tag])
  }
  return {
    email,
    rows: places.map(([dimension, key]) => tallies.find(teamId, hourMs, dimension, key)),
    simulatedRows: () =>
      places.map(([dimension, key]) => tallies.find(teamId, hourMs, `${dimension}_simulated`, key)),
  }
}

function countEvent(
  tallies: Tallies,
  event: UncountedEvent,
  hourMs: number,
  emailRows: EmailRows,
  unique: Set<string>,
): void {
  const { email, rows, simulatedRows } = emailRows
  if (event.recipient === null) {
    countEmailEvent(event, emailRows)
    return
  }
  const counters = countersOf(event, unique)
  if (counters.length === 0) return
  const provider = mailProviderOf(event.recipient, event.mxHost)
  const providerRow = tallies.find(event.teamId, hourMs, 'provider', provider)
  const bucket = email === undefined ? null : delayBucketOf(event, email)
  // Simulated mail says nothing about a team's real mail: it is counted apart.
  const isSimulated = provider === SIMULATOR
  const counting = [...(isSimulated ? simulatedRows() : rows), providerRow]
  for (const { counts, delays } of counting) {
    for (const counter of counters) counts[counter]++
    if (bucket === null) continue
    while (delays.length <= bucket) delays.push(0)
    delays[bucket] = (delays[bucket] as number) + 1
  }
  countReason(tallies, event, hourMs, counters, isSimulated)
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
  isSimulated: boolean,
): void {
  const failures = counters.filter((counter) => FAILURES.has(counter))
  if (failures.length === 0) return
  const dimension = isSimulated ? 'reason_simulated' : 'reason'
  const { counts } = tallies.find(teamId, hourMs, dimension, category ?? UNKNOWN)
  for (const counter of failures) counts[counter]++
}

/** Counters of events about a whole email. */
const EMAIL_COUNTERS: Readonly<Record<string, Counter>> = {
  'email.queued': 'queued',
  'email.scheduled': 'scheduled',
  'email.canceled': 'canceled',
}

/** Counts an email's event, as simulated if all of its recipients are. Each recipient is accepted on its side. */
function countEmailEvent(event: UncountedEvent, { email, rows, simulatedRows }: EmailRows): void {
  const counter = EMAIL_COUNTERS[event.type]
  if (counter === undefined) return
  const realCount = email === undefined ? null : countReal(email)
  const counting = realCount === 0 ? simulatedRows() : rows
  for (const { counts } of counting) counts[counter]++
  if (email === undefined || realCount === null || !isAcceptance(event, email)) return
  for (const { counts } of counting) counts.emails++
  for (const { counts } of rows) counts.accepted += realCount
  const simulatedCount = email.recipientCount - realCount
  if (simulatedCount === 0) return
  for (const { counts } of simulatedRows()) counts.accepted += simulatedCount
}

/** A scheduled email is queued again when its time comes, and reported as scheduled again when it is rescheduled. */
export function isAcceptance(
  { type, isRescheduled }: UncountedEvent,
  { scheduledAt }: CountedEmail,
): boolean {
  return type === 'email.queued' ? scheduledAt === null : type === 'email.scheduled' && !isRescheduled
}

/** Returns the number of recipients that are not at the simulator. */
export function countReal({ recipientCount, addressees }: CountedEmail): number {
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

/** Returns the counters of an event about a recipient. Takes a first visit from `unique`, so that it counts once. */
export function countersOf(event: UncountedEvent, unique: Set<string>): Counter[] {
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
  if (visit !== null && visit.name !== 'complained')
    return unique.delete(nameOfVisit(visit)) ? [visit.name, `${visit.name}_unique`] : [visit.name]
  if (!event.isMachine) return []
  if (event.type === 'email.opened') return ['opened_machine']
  return event.type === 'email.clicked' ? ['clicked_machine'] : []
}

/** Returns the opens and clicks of people, without those of machines, and the complaints. */
export function findVisits(events: readonly UncountedEvent[]): CountedVisit[] {
  return events.flatMap((event) => toVisit(event) ?? [])
}

const VISITS: Readonly<Record<string, CountedVisit['name']>> = {
  'email.opened': 'opened',
  'email.clicked': 'clicked',
  'email.complained': 'complained',
}

function toVisit({ teamId, subjectId, type, recipient, isMachine }: UncountedEvent): CountedVisit | null {
  const name = VISITS[type]
  if (name === undefined || recipient === null || isMachine) return null
  return { teamId, emailId: subjectId, name, recipient: visitorOf(recipient) }
}

/** Returns the pseudonym under which one person's visits are counted once. */
export function visitorOf(recipient: string): string {
  const digest = createHash('sha256').update(recipient.toLowerCase()).digest('hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`
}

/** Returns the name of a visit among those of other emails, kinds and people. */
export function nameOfVisit({ emailId, name, recipient }: CountedVisit): string {
  return `${emailId} ${name} ${recipient}`
}

const SIMULATOR = 'simulator'

/** Returns the mailbox provider of a recipient. */
export function mailProviderOf(recipient: string, mxHost: string | null): string {
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
