export type Severity = 'info' | 'warning' | 'critical'

export const ATTENTION_KINDS = [
  'sending_paused',
  'campaign_paused',
  'automation_paused',
  'automation_failing',
  'quota_month',
  'quota_day',
  'domain_unverified',
  'domain_failing',
  'site_paused',
  'webhook_disabled',
  'webhook_failing',
  'email_waiting',
  'bounce_rate',
  'complaint_rate',
  'api_key_expiring',
] as const

export type AlertKind = (typeof ATTENTION_KINDS)[number]

/** A condition that a team's members should see now. */
export interface Alert {
  kind: AlertKind
  severity: Severity
  /** The condition and the remedy, for people. */
  message: string
  /** The resource concerned, or null for the whole team. Its `id` is null if the resource has none. */
  subject: { type: string; id: string | null; name: string } | null
  since: Date | null
}

const GRADES: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, info: 2 }

/** Orders the most severe first, then the oldest. */
export function byUrgency(a: Alert, b: Alert): number {
  return (
    GRADES[a.severity] - GRADES[b.severity] ||
    (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0) ||
    ATTENTION_KINDS.indexOf(a.kind) - ATTENTION_KINDS.indexOf(b.kind)
  )
}

const MINUTE_MS = 60_000
const UNITS: readonly [name: string, ms: number][] = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
]

/** Formats a duration such as `3 hours`: the largest unit of which there are two, or minutes. */
export function describeSpan(ms: number): string {
  const [name, unitMs] = UNITS.find(([, each]) => ms >= 2 * each) ?? ['minute', MINUTE_MS]
  const count = Math.max(1, Math.floor(ms / unitMs))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
