import type { Config } from '../../config/config.ts'
import type { PartitionedName } from '../../db/partitions/partitions.ts'
import type { KeptKind, TeamRetention } from '../../teams/team-retention-queries.ts'

/** The retention period of each kind of data in days; Infinity for ever. */
export type Periods = Readonly<Record<KeptKind | 'emails' | 'requests', number>>

/** The kind whose period applies to the rows of a table. An email's own rows live as long as its longest-lived data. */
export const KIND_OF: Readonly<Record<PartitionedName, keyof Periods>> = {
  email_content: 'content',
  packed_content: 'content',
  attempt: 'attempts',
  event: 'events',
  webhook_delivery: 'webhook_deliveries',
  email: 'emails',
  email_tag: 'emails',
  delivery: 'emails',
  request_log: 'requests',
}

type Kept = Pick<
  Config,
  | 'keepContentDays'
  | 'keepAttemptsDays'
  | 'keepEventsDays'
  | 'keepWebhookDeliveriesDays'
  | 'keepRequestLogDays'
>

const orForever = (days: number | null) => days ?? Number.POSITIVE_INFINITY

/** Returns the periods of teams without their own settings. */
export function installationPeriods(config: Kept): Periods {
  return withEmails({
    content: orForever(config.keepContentDays),
    attempts: orForever(config.keepAttemptsDays),
    events: orForever(config.keepEventsDays),
    webhook_deliveries: orForever(config.keepWebhookDeliveriesDays),
    requests: orForever(config.keepRequestLogDays),
  })
}

/**
 * Returns the longest periods that the operator allows a team.
 * @param settings the settings of this team
 */
export function limitsOf(installation: Periods, settings: readonly TeamRetention[]): Periods {
  const limits: KeptPeriods = { ...installation }
  for (const { kind, limitDays } of settings) {
    if (limitDays !== null) limits[kind] = limitDays === 0 ? Number.POSITIVE_INFINITY : limitDays
  }
  return withEmails(limits)
}

/** Returns the periods of a team: its choice within the operator's limits. */
export function periodsOf(installation: Periods, settings: readonly TeamRetention[]): Periods {
  const periods: KeptPeriods = { ...limitsOf(installation, settings) }
  for (const { kind, ownDays } of settings) {
    if (ownDays !== null) periods[kind] = Math.min(periods[kind], ownDays)
  }
  return withEmails(periods)
}

/** The periods that have a setting. That of the request log is the same for all teams. */
type KeptPeriods = Record<KeptKind | 'requests', number>

function withEmails({ content, attempts, events, webhook_deliveries, requests }: KeptPeriods): Periods {
  const emails = Math.max(content, attempts, events, webhook_deliveries)
  return { content, attempts, events, webhook_deliveries, emails, requests }
}

/** The periods of all teams. */
export interface AllPeriods {
  ofTeam(teamId: string): Periods
  /** The longest period of any team, by kind. */
  longest: Periods
  shortest: Periods
}

/**
 * Combines the periods of all teams.
 * @param hasPlainTeam whether any team has no settings, so that the installation's periods apply
 */
export function combinePeriods(
  installation: Periods,
  settings: readonly TeamRetention[],
  hasPlainTeam: boolean,
): AllPeriods {
  const teams = new Map(
    [...Map.groupBy(settings, ({ teamId }) => teamId)].map(([id, own]) => [id, periodsOf(installation, own)]),
  )
  const used = hasPlainTeam || teams.size === 0 ? [installation, ...teams.values()] : [...teams.values()]
  return {
    ofTeam: (teamId) => teams.get(teamId) ?? installation,
    longest: used.reduce((a, b) => pick(a, b, Math.max)),
    shortest: used.reduce((a, b) => pick(a, b, Math.min)),
  }
}

function pick(a: Periods, b: Periods, choose: (a: number, b: number) => number): Periods {
  return {
    content: choose(a.content, b.content),
    attempts: choose(a.attempts, b.attempts),
    events: choose(a.events, b.events),
    webhook_deliveries: choose(a.webhook_deliveries, b.webhook_deliveries),
    emails: choose(a.emails, b.emails),
    requests: choose(a.requests, b.requests),
  }
}

const PERIOD = /^([1-9]\d{0,4})d$/
/** Webhooks may deliver an event for up to five days, so events must be kept a little longer. */
export const EVENTS_DAYS_MIN = 7

/** Parses `30d` or `forever` into days. Returns null for anything else. */
export function parsePeriod(text: string): number | null {
  if (text === 'forever') return Number.POSITIVE_INFINITY
  const match = PERIOD.exec(text)
  return match === null ? null : Number(match[1])
}

export function writePeriod(days: number): string {
  return Number.isFinite(days) ? `${days}d` : 'forever'
}
