import type { EmailWhole } from '../../api/records.ts'
import { plural } from '../../ui/plural.ts'
import type { Tone } from '../../ui/status-badge.tsx'
import { readTime } from '../../ui/times.ts'
import { wasCaptured } from '../../ui/was-captured.ts'

type Recipient = EmailWhole['recipients'][number]
type Event = EmailWhole['events'][number]

/** A stage of an email on its way to one recipient. */
export interface Stage {
  label: string
  tone: Tone
  /** As the API returns it. Null: the stage is not reached yet, and its time is unknown. */
  at: string | null
  /** The time since the stage before. Null for the first one, and for stages that are not reached. */
  sinceMs: number | null
  isReached: boolean
}

const ENDS: Readonly<Record<string, [label: string, tone: Tone]>> = {
  'email.sent': ['Handed to relay', 'blue'],
  'email.delivered': ['Delivered', 'green'],
  'email.bounced': ['Bounced', 'red'],
  'email.failed': ['Failed', 'red'],
  'email.rejected': ['Rejected', 'red'],
  'email.suppressed': ['Suppressed', 'violet'],
  'email.canceled': ['Canceled', 'gray'],
}
const VISITS: Readonly<Record<string, [label: string, tone: Tone]>> = {
  'email.opened': ['Opened', 'green'],
  'email.clicked': ['Clicked', 'green'],
  'email.complained': ['Reported as spam', 'red'],
}
const OPEN = new Set(['scheduled', 'queued', 'delivery_delayed'])

/** Returns whether an event concerns a recipient. Events without a recipient concern all of them. */
export function concerns({ data }: Event, address: string): boolean {
  const { recipient } = data
  return typeof recipient !== 'string' || recipient.toLowerCase() === address.toLowerCase()
}

/** Returns the stages that one recipient's email has passed, and the one that comes next. */
export function trackOf(email: EmailWhole, recipient: Recipient): Stage[] {
  const events = email.events.filter((event) => concerns(event, recipient.email))
  const stages: Omit<Stage, 'sinceMs'>[] = [
    { label: 'Accepted', tone: 'blue', at: email.created_at, isReached: true },
  ]
  const queued = events.findLast(({ type }) => type === 'email.queued')
  if (email.scheduled_at !== null && queued !== undefined)
    stages.push({ label: 'Queued', tone: 'blue', at: queued.created_at, isReached: true })
  const deferred = events.filter(({ type }) => type === 'email.delivery_delayed')
  if (deferred[0] !== undefined)
    stages.push({
      label: plural(deferred.length, 'Deferred', `Deferred ${deferred.length}×`),
      tone: 'amber',
      at: deferred[0].created_at,
      isReached: true,
    })
  for (const event of events) {
    const [label, tone] = ENDS[event.type] ?? []
    if (label === undefined || tone === undefined) continue
    const isCaptured = wasCaptured(recipient.status, recipient.mx_host)
    stages.push({
      label: isCaptured ? 'Captured' : label,
      tone: isCaptured ? 'gray' : tone,
      at: event.created_at,
      isReached: true,
    })
  }
  const next = nextStageOf(recipient)
  if (next !== null) stages.push(next)
  return addTimes([...stages, ...visitsOf(events)])
}

/** Returns the stage that a recipient waits for. Null: the recipient has a result. */
export function nextStageOf({ status, next_attempt_at: at }: Recipient): Omit<Stage, 'sinceMs'> | null {
  if (!OPEN.has(status)) return null
  const label = at === null ? 'On hold' : status === 'scheduled' ? 'Sends' : 'Next attempt'
  return { label, tone: 'gray', at, isReached: false }
}

/** The first visit of each kind by a person. */
function visitsOf(events: readonly Event[]): Omit<Stage, 'sinceMs'>[] {
  return Object.entries(VISITS).flatMap(([type, [label, tone]]) => {
    const first = events.find((event) => event.type === type && event.data.is_machine !== true)
    return first === undefined ? [] : [{ label, tone, at: first.created_at, isReached: true }]
  })
}

function addTimes(stages: readonly Omit<Stage, 'sinceMs'>[]): Stage[] {
  return stages.map((stage, index) => {
    const before = stages[index - 1]?.at
    const from = before == null ? null : readTime(before)
    const to = stage.at === null || !stage.isReached ? null : readTime(stage.at)
    return { ...stage, sinceMs: from === null || to === null ? null : to.getTime() - from.getTime() }
  })
}

/** Equal events or attempts in a row, such as 128 deferrals. */
export interface Run<T> {
  first: T
  last: T
  all: readonly T[]
}

/** Joins neighbours with the same key. */
export function joinRuns<T>(items: readonly T[], keyOf: (item: T) => string): Run<T>[] {
  const runs: { all: [T, ...T[]]; key: string }[] = []
  for (const item of items) {
    const key = keyOf(item)
    const last = runs.at(-1)
    if (last?.key === key) last.all.push(item)
    else runs.push({ all: [item], key })
  }
  return runs.map(({ all }) => ({ first: all[0], last: all[all.length - 1] as T, all }))
}
