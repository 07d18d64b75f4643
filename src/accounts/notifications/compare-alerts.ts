import { type Alert, type AlertKind, byUrgency, type Severity } from '../../metrics/alerts/alert.ts'
import { isWorse, subjectKeyOf, subjectNameOf } from './alert-kinds.ts'

/** An alert that a channel was told of. */
export interface AnnouncedAlert {
  kind: AlertKind
  subject: string
  name: string | null
  severity: Severity
  toldAt: Date
  missingSince: Date | null
  endedAt: Date | null
}

/** One line of a message. */
export interface MessageItem {
  state: 'begun' | 'worse' | 'ended' | 'open'
  kind: AlertKind
  severity: Severity
  name: string | null
  /** Null for an alert that ended. */
  message: string | null
  /** ISO 8601. */
  since: string | null
}

export interface AlertMessageContent {
  items: MessageItem[]
  /** Further alerts, which the message does not list. */
  more: number
}

export interface ChannelState {
  kinds: readonly AlertKind[]
  everyMinutes: number
  /** Null until the first summary. */
  startedAt: Date | null
  lastMessageAt: Date | null
}

export interface Comparison {
  /** Null: there is nothing to tell, or it is too early for another message. */
  content: AlertMessageContent | null
  /** Rows to write. */
  changed: AnnouncedAlert[]
  /** Rows to delete. */
  forgotten: AnnouncedAlert[]
}

const MINUTE_MS = 60_000
/** An alert that returns within this time has not ended. */
export const END_AFTER_MS = 10 * MINUTE_MS
/** The minimum time between two messages that the same alert began. */
export const REPEAT_AFTER_MS = 60 * MINUTE_MS
/** The most alerts that one message lists. */
const ITEMS_MAX = 20
/** GET /attention lists at most this many of a kind, so one that is missing from a full list may be open. */
const LISTED_MAX = 20

/**
 * Compares the open alerts with those that a channel was told of. Alerts that were open before the channel was
 * enabled are in its first summary only. What cannot be told yet stays untold, and joins the next message.
 * @param alerts the open alerts that the channel gets
 */
export function compareAlerts(
  channel: ChannelState,
  alerts: readonly Alert[],
  announced: readonly AnnouncedAlert[],
  now: Date,
): Comparison {
  const relevant = alerts.filter(({ kind }) => channel.kinds.includes(kind))
  const announcedByKey = new Map(announced.map((one) => [keyOf(one), one]))
  const open = new Map(relevant.toSorted(byUrgency).map((alert) => [keyOf(toAnnounced(alert, now)), alert]))
  const present = [...open].map(([key, alert]) => compareOpen(alert, announcedByKey.get(key), channel, now))
  const absent = announced
    .filter((one) => !open.has(keyOf(one)))
    .map((one) => (channel.kinds.includes(one.kind) ? compareAbsent(one, relevant, now) : { forgotten: one }))
  const steps: Step[] = [...present, ...absent]
  const news = steps.filter((step) => step.item !== undefined)
  const maySend = isDue(channel, now)
  const sendable = steps.filter((step) => maySend || step.item === undefined)
  return {
    content: maySend && news.length > 0 ? toContent(news.map(({ item }) => item as MessageItem)) : null,
    changed: sendable.flatMap(({ next }) => (next === undefined ? [] : [next])),
    forgotten: sendable.flatMap(({ forgotten }) => (forgotten === undefined ? [] : [forgotten])),
  }
}

interface Step {
  item?: MessageItem
  next?: AnnouncedAlert
  forgotten?: AnnouncedAlert
}

function compareOpen(
  alert: Alert,
  before: AnnouncedAlert | undefined,
  channel: ChannelState,
  now: Date,
): Step {
  const next = toAnnounced(alert, now)
  const item = (state: MessageItem['state']): Step => ({ item: { state, ...describe(alert) }, next })
  if (channel.startedAt === null) return item('open')
  if (before === undefined) return item('begun')
  const mayRepeat = now.getTime() - before.toldAt.getTime() >= REPEAT_AFTER_MS
  if (mayRepeat && before.endedAt !== null) return item('begun')
  if (mayRepeat && before.endedAt === null && isWorse(alert.severity, before.severity)) return item('worse')
  return before.missingSince === null || before.endedAt !== null
    ? {}
    : { next: { ...before, missingSince: null } }
}

function compareAbsent(before: AnnouncedAlert, alerts: readonly Alert[], now: Date): Step {
  const hasPassed = (since: Date, ms: number) => now.getTime() - since.getTime() >= ms
  if (before.endedAt !== null) return hasPassed(before.toldAt, REPEAT_AFTER_MS) ? { forgotten: before } : {}
  if (alerts.filter(({ kind }) => kind === before.kind).length >= LISTED_MAX) return {}
  if (before.missingSince === null) return { next: { ...before, missingSince: now } }
  if (!hasPassed(before.missingSince, END_AFTER_MS)) return {}
  const { kind, severity, name, missingSince } = before
  const since = missingSince.toISOString()
  return {
    item: { state: 'ended', kind, severity, name, message: null, since },
    next: { ...before, endedAt: now },
  }
}

/** Returns whether the channel may get another message. */
export function isDue(
  { everyMinutes, lastMessageAt }: Pick<ChannelState, 'everyMinutes' | 'lastMessageAt'>,
  now: Date,
): boolean {
  return lastMessageAt === null || now.getTime() - lastMessageAt.getTime() >= everyMinutes * MINUTE_MS
}

function toContent(items: readonly MessageItem[]): AlertMessageContent {
  return { items: items.slice(0, ITEMS_MAX), more: Math.max(0, items.length - ITEMS_MAX) }
}

function toAnnounced(alert: Alert, now: Date): AnnouncedAlert {
  const { kind, severity } = alert
  const subject = subjectKeyOf(alert)
  const name = subjectNameOf(alert)
  return { kind, subject, name, severity, toldAt: now, missingSince: null, endedAt: null }
}

function describe(alert: Alert): Omit<MessageItem, 'state'> {
  const { kind, severity, message, since } = alert
  return { kind, severity, name: subjectNameOf(alert), message, since: since?.toISOString() ?? null }
}

function keyOf({ kind, subject }: Pick<AnnouncedAlert, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`
}
