import { type Alert, type AlertKind, ATTENTION_KINDS, type Severity } from '../../metrics/alerts/alert.ts'

/** Titles of alerts, for messages. They name no record, because a subject line may be read by others. */
export const ALERT_TITLES: Readonly<Record<AlertKind, string>> = {
  sending_paused: 'Sending is paused',
  campaign_paused: 'Campaign paused',
  automation_paused: 'Automation paused',
  automation_failing: 'Automation failing',
  quota_month: 'Monthly quota',
  quota_day: 'Daily quota',
  domain_unverified: 'Domain not verified',
  domain_failing: 'Domain verification failed',
  site_paused: 'Delivery on hold',
  webhook_disabled: 'Webhook disabled',
  webhook_failing: 'Webhook failing',
  email_waiting: 'Emails are waiting',
  bounce_rate: 'Bounce rate',
  complaint_rate: 'Complaint rate',
  api_key_expiring: 'API key expires',
}

/** A paused site usually recovers by itself, so its alerts are sent only to those who choose them. */
export const DEFAULT_KINDS: readonly AlertKind[] = ATTENTION_KINDS.filter((kind) => kind !== 'site_paused')

const GRADES: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 }

/** A domain that was just added needs time for its records. */
const UNVERIFIED_GRACE_MS = 3_600_000

/** Returns whether `severity` is worse than `other`. */
export function isWorse(severity: Severity, other: Severity): boolean {
  return GRADES[severity] > GRADES[other]
}

/** Returns whether an alert interrupts people. The dashboard shows the others too. */
export function isWorthMessage({ kind, severity, since }: Alert, now: Date): boolean {
  if (kind === 'email_waiting') return severity !== 'info'
  if (kind !== 'domain_unverified' || since === null) return true
  return now.getTime() - since.getTime() >= UNVERIFIED_GRACE_MS
}

/** Identifies the record of an alert. The oldest waiting email changes all the time, so such alerts concern the team. */
export function subjectKeyOf({ kind, subject }: Alert): string {
  if (subject === null || kind === 'email_waiting') return ''
  return subject.id ?? subject.name
}

/** The name of the record for messages. Subject lines of emails may name people, so messages omit them. */
export function subjectNameOf({ kind, subject }: Alert): string | null {
  return subject === null || kind === 'email_waiting' ? null : subject.name
}
