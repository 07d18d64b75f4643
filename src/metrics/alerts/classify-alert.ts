import { cutToBytes, escapeControls, hideAddresses } from '../../lib/text/foreign-text.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { Team } from '../../teams/teams-queries.ts'
import type { Reputation } from '../reading/read-metrics-queries.ts'
import { type Alert, describeSpan, type Severity } from './alert.ts'
import type {
  EndingKey,
  FailingAutomation,
  StoppedAutomation,
  StoppedCampaign,
  UnverifiedDomain,
  UnwellWebhook,
  WaitedForSite,
  WaitingEmail,
} from './alerts-queries.ts'
import type { GuardLimits } from './guard.ts'

/** The longest quotation of text from third parties. */
const QUOTE_BYTES_MAX = 200
const HOUR_MS = 3_600_000
/** A waiting email is worth an alert from this age: receivers often delay unknown senders for less. */
export const WAITING_INFO_MS = 15 * 60_000
const WAITING_WARNING_MS = 2 * HOUR_MS
const WAITING_CRITICAL_MS = 24 * HOUR_MS
/** An endpoint that fails this long eventually loses events. */
const FAILING_CRITICAL_MS = 24 * HOUR_MS
/** Shares of a quota. */
const QUOTA_INFO = 0.8
const QUOTA_WARNING = 0.95
/** The share of the guard's limit from which a rate is near it. */
const NEAR_LIMIT = 0.6

const quote = (text: string) => cutToBytes(escapeControls(text), QUOTE_BYTES_MAX)

export function pauseAlerts(team: Team | null): Alert[] {
  if (team === null || team.sendingPausedAt === null) return []
  const who = team.sendingPausedBy === 'reputation' ? 'the service' : 'an operator'
  const why = team.sendingPausedReason === null ? '' : ` Reason: ${quote(team.sendingPausedReason)}`
  const message = `Sending is paused by ${who}. New emails are rejected; emails accepted earlier are still delivered.${why}`
  return [
    { kind: 'sending_paused', severity: 'critical', message, subject: null, since: team.sendingPausedAt },
  ]
}

/** Why Sendwright paused a campaign, and what to do, by `paused_reason`. */
const STOPS: Readonly<Record<string, string>> = {
  quota: 'the quota of the account is used up. Resume it when the quota is renewed, or change the plan',
  reputation: 'sending is paused for the account. Resume it when sending is resumed',
  domain: 'the domain of its sender is not verified. Verify the domain, then resume it',
  missed: 'its time passed more than six hours ago. Resume it to send it now, or schedule it again',
  restored: 'a backup was restored. Check what was sent before, then resume or cancel it',
  errors: 'what it needs was deleted, or it failed repeatedly. Complete its content, then resume it',
}

export function campaignAlert({ id, name, reason, since }: StoppedCampaign): Alert {
  const message = `The campaign "${quote(name)}" is paused: ${STOPS[reason ?? 'errors']}.`
  const subject = { type: 'campaign', id, name: quote(name) }
  return { kind: 'campaign_paused', severity: 'critical', message, subject, since }
}

const AUTOMATION_STOPS: Readonly<Record<string, string>> = {
  upgraded:
    'earlier versions of Sendwright stored automations without running them. Check it, then resume it',
  restored: 'a backup was restored. Check which runs are under way, then resume it',
}

export function stoppedAutomationAlert({ id, name, reason, since }: StoppedAutomation): Alert {
  const message = `The automation "${quote(name)}" is paused: ${AUTOMATION_STOPS[reason] ?? quote(reason)}.`
  const subject = { type: 'automation', id, name: quote(name) }
  return { kind: 'automation_paused', severity: 'warning', message, subject, since }
}

export function failingAutomationAlert({ id, name, failed, reason, since }: FailingAutomation): Alert {
  const runs = failed === 1 ? 'A run' : `${failed}${failed >= 100 ? ' or more' : ''} runs`
  const why = reason === null ? '' : ` The last reason: ${quote(hideAddresses(reason))}`
  const message = `${runs} of the automation "${quote(name)}" failed within a day. Mend the cause, then retry them.${why}`
  const subject = { type: 'automation', id, name: quote(name) }
  return { kind: 'automation_failing', severity: 'warning', message, subject, since }
}

/**
 * Returns an alert when most of the quota is used.
 * @param limit null when the plan has no limit
 */
export function quotaAlerts(period: 'month' | 'day', used: number, limit: number | null): Alert[] {
  if (limit === null || used < QUOTA_INFO * limit) return []
  const share = Math.floor((100 * used) / limit)
  const severity: Severity = used >= limit ? 'critical' : used >= QUOTA_WARNING * limit ? 'warning' : 'info'
  const effect =
    severity === 'critical'
      ? `Emails are rejected until the end of the ${period} (UTC), or until the plan changes.`
      : 'When the quota is used up, emails are rejected. Request a larger plan before then.'
  const message = `${share} % of the ${period}'s recipients are used: ${used.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')}. ${effect}`
  return [{ kind: `quota_${period}`, severity, message, subject: null, since: null }]
}

export function domainAlert(domain: UnverifiedDomain): Alert {
  const { id, name, status, createdAt } = domain
  const subject = { type: 'domain', id, name }
  const reason = domain.reason === null ? '' : ` ${quote(domain.reason)}`
  if (status === 'pending') {
    const message = `${name} is not verified yet, so it cannot send. Publish its DNS records.${reason}`
    const since = domain.pendingSince ?? createdAt
    return { kind: 'domain_unverified', severity: 'warning', message, subject, since }
  }
  const what =
    status === 'temporary_failure'
      ? 'is about to lose its verification because its DNS records were not found'
      : 'failed verification, so it cannot send. Check its DNS records and verify it again'
  const message = `${name} ${what}.${reason}`
  return {
    kind: 'domain_failing',
    severity: 'critical',
    message,
    subject,
    since: domain.failedDayAt ?? createdAt,
  }
}

export function siteAlert(site: WaitedForSite): Alert {
  const { domain, domains, waiting, pausedUntil, response } = site
  const others =
    domains === 1 ? '' : ` and ${domains - 1} more domain${domains === 2 ? '' : 's'} at the same servers`
  const emails =
    waiting === 1 ? '1 recipient waits' : `${waiting}${waiting >= 100 ? ' or more' : ''} recipients wait`
  const reply = response === null ? '' : ` Server reply: ${quote(hideAddresses(response))}`
  const message = `Delivery to ${domain}${others} is on hold until ${formatTime(pausedUntil)} UTC: ${emails}. No mail is lost, and no action is needed unless this continues.${reply}`
  return {
    kind: 'site_paused',
    severity: 'warning',
    message,
    subject: { type: 'site', id: null, name: domain },
    since: site.changedAt,
  }
}

export function webhookAlert(webhook: UnwellWebhook, now: Date): Alert {
  const { id, url, disabledReason, disabledAt, failingSince } = webhook
  const subject = { type: 'webhook', id, name: quote(url) }
  if (webhook.status === 'disabled') {
    const message = `The webhook ${quote(url)} was disabled: ${quote(disabledReason ?? '')} Fix the endpoint, enable the webhook, and replay the missed events.`
    return { kind: 'webhook_disabled', severity: 'critical', message, subject, since: disabledAt }
  }
  const ms = now.getTime() - (failingSince ?? now).getTime()
  const message = `The webhook ${quote(url)} has failed for ${describeSpan(ms)}. Check its recent deliveries. Events are retried; after days of failures, the webhook is disabled.`
  const severity = ms >= FAILING_CRITICAL_MS ? 'critical' : 'warning'
  return { kind: 'webhook_failing', severity, message, subject, since: failingSince }
}

export function waitingAlerts(email: WaitingEmail | null, now: Date): Alert[] {
  if (email === null) return []
  const ms = now.getTime() - email.since.getTime()
  if (ms < WAITING_INFO_MS) return []
  const severity = ms >= WAITING_CRITICAL_MS ? 'critical' : ms >= WAITING_WARNING_MS ? 'warning' : 'info'
  const subject = { type: 'email', id: email.id, name: quote(email.subject) }
  const message = `The oldest queued email has waited for ${describeSpan(ms)}. Its recipients show the reason.`
  return [{ kind: 'email_waiting', severity, message, subject, since: email.since }]
}

export function reputationAlerts(reputation: Reputation | undefined, limits: GuardLimits): Alert[] {
  if (reputation === undefined) return []
  const { attempted, bouncedHard, complained, takenMost } = reputation
  const { bounceRate, complaintRate, recipientsMin } = limits
  const items: Alert[] = []
  const near = (rate: number, limit: number): Severity | null =>
    rate > limit ? 'critical' : rate >= NEAR_LIMIT * limit ? 'warning' : null
  const add = (kind: 'bounce_rate' | 'complaint_rate', severity: Severity | null, message: string) => {
    if (severity !== null) items.push({ kind, severity, message, subject: null, since: null })
  }
  if (bounceRate !== null && attempted >= recipientsMin) {
    const rate = bouncedHard / attempted
    const message = `${percent(rate)} of the recipients of the last 24 hours do not exist; above ${percent(bounceRate)} sending is paused. Send only to confirmed addresses, and validate old lists.`
    add('bounce_rate', near(rate, bounceRate), message)
  }
  if (complaintRate !== null && takenMost >= recipientsMin) {
    const rate = complained / takenMost
    const message = `${percent(rate)} of the emails were reported as spam in the last 24 hours; above ${percent(complaintRate)} sending is paused. Send only to people who asked for it, and make unsubscribing easy.`
    add('complaint_rate', near(rate, complaintRate), message)
  }
  return items
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`
}

export function keyAlert({ id, name, expiresAt }: EndingKey, now: Date): Alert {
  const message = `The API key "${quote(name)}" expires in ${describeSpan(expiresAt.getTime() - now.getTime())}. Replace it before then.`
  const severity = expiresAt.getTime() - now.getTime() < 24 * HOUR_MS ? 'warning' : 'info'
  return {
    kind: 'api_key_expiring',
    severity,
    message,
    subject: { type: 'api_key', id, name: quote(name) },
    since: null,
  }
}
