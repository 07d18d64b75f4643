import type { Config } from '../../config/config.ts'
import type { PartitionedName } from '../../db/partitions/partitions.ts'
import type { KeptKind, TeamRetention } from '../../teams/team-retention-queries.ts'

/** Days that each kind of data is kept; Infinity: for ever. */
export type Periods = Readonly<Record<KeptKind | 'emails', number>>

/** Whose period the rows of a table have. An email's own rows live as long as anything that is told of it. */
export const KIND_OF: Readonly<Record<PartitionedName, keyof Periods>> = {
  email_content: 'content',
  attempt: 'attempts',
  event: 'events',
  webhook_delivery: 'webhook_deliveries',
  email: 'emails',
  email_tag: 'emails',
  delivery: 'emails',
}

type Kept = Pick<
  Config,
  'keepContentDays' | 'keepAttemptsDays' | 'keepEventsDays' | 'keepWebhookDeliveriesDays'
>

const orForever = (days: number | null) => days ?? Number.POSITIVE_INFINITY

/** What holds for a team of which nothing is said. */
export function installationPeriods(config: Kept): Periods {
  return withEmails({
    content: orForever(config.keepContentDays),
    attempts: orForever(config.keepAttemptsDays),
    events: orForever(config.keepEventsDays),
    webhook_deliveries: orForever(config.keepWebhookDeliveriesDays),
  })
}

/** The longest that the operator allows a team. @param said all that is said of this one team */
export function limitsOf(installation: Periods, said: readonly TeamRetention[]): Periods {
  const limits: Record<KeptKind, number> = { ...installation }
  for (const { kind, limitDays } of said) {
    if (limitDays !== null) limits[kind] = limitDays === 0 ? Number.POSITIVE_INFINITY : limitDays
  }
  return withEmails(limits)
}

/** What holds for a team: what it wants, within what it is allowed. */
export function periodsOf(installation: Periods, said: readonly TeamRetention[]): Periods {
  const periods: Record<KeptKind, number> = { ...limitsOf(installation, said) }
  for (const { kind, ownDays } of said) {
    if (ownDays !== null) periods[kind] = Math.min(periods[kind], ownDays)
  }
  return withEmails(periods)
}

function withEmails({ content, attempts, events, webhook_deliveries }: Record<KeptKind, number>): Periods {
  const emails = Math.max(content, attempts, events, webhook_deliveries)
  return { content, attempts, events, webhook_deliveries, emails }
}

/** The periods of all teams. */
export interface AllPeriods {
  ofTeam(teamId: string): Periods
  /** Of any team. */
  longest: Periods
  shortest: Periods
}

/** @param hasPlainTeam there are teams of which nothing is said: the installation's periods are in use */
export function combinePeriods(
  installation: Periods,
  said: readonly TeamRetention[],
  hasPlainTeam: boolean,
): AllPeriods {
  const teams = new Map(
    [...Map.groupBy(said, ({ teamId }) => teamId)].map(([id, own]) => [id, periodsOf(installation, own)]),
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
  }
}

const PERIOD = /^([1-9]\d{0,4})d$/
/** Webhooks are told of an event for five days at most, and a bit more: it must be there so long. */
export const EVENTS_DAYS_MIN = 7

/** `30d` or `forever` as days; null for anything else. */
export function parsePeriod(text: string): number | null {
  if (text === 'forever') return Number.POSITIVE_INFINITY
  const match = PERIOD.exec(text)
  return match === null ? null : Number(match[1])
}

export function writePeriod(days: number): string {
  return Number.isFinite(days) ? `${days}d` : 'forever'
}
