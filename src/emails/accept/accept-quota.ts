import { PLANS } from '../../access/plans.ts'
import type { Tx } from '../../db/db-types.ts'
import type { ApiError } from '../../lib/api-error.ts'
import { type Allowance, ensureUsageRows, lockAllowances, periodOf } from '../../teams/usage-queries.ts'
import { countBillable, type Facts, type TeamFacts } from './accept-facts-queries.ts'
import type { AcceptRequest, BatchDeps, Submission } from './accept-types.ts'
import { Refusal } from './refusal.ts'

/**
 * Locks the usage rows of teams with a quota until the commit, so that quotas are exact, and returns their
 * usage by team id. Teams without a quota are absent from the result: their counts are added last, just before
 * the commit, so that batches of one busy team overlap except for that moment. All locks are taken in the same
 * order: teams with a quota by id, then the others by id.
 */
export async function lockQuotas(
  tx: Tx,
  deps: BatchDeps,
  facts: Facts,
  items: readonly AcceptRequest[],
  now: Date,
): Promise<Map<string, Allowance>> {
  const teams = [...new Set(items.map((item) => item.submitter.teamId))].sort()
  const { month } = periodOf(now)
  const unseen = teams.filter((team) => !deps.seenUsageRows.has(`${team}/${month}`))
  if (unseen.length > 0) await ensureUsageRows(tx, unseen, now)
  const limited = teams.filter((team) => hasQuota(facts.teams.get(team)))
  if (limited.length === 0) return new Map()
  const allowances = await lockAllowances(tx, limited, now)
  return new Map(allowances.map((allowance) => [allowance.teamId, allowance]))
}

function hasQuota(team: TeamFacts | undefined): boolean {
  if (team === undefined) return false
  const { monthRecipientsMax, dayRecipientsMax } = PLANS[team.plan]
  return monthRecipientsMax !== null || dayRecipientsMax !== null
}

/**
 * Adds the billable recipients of a submission to the usage of its team. Returns an ApiError, and adds nothing,
 * if the quota of the month or the day does not cover them.
 * @param allowance undefined for a team without a quota
 */
export function spendQuota(
  submission: Submission,
  team: TeamFacts,
  facts: Facts,
  allowance: Allowance | undefined,
): ApiError | null {
  if (allowance === undefined) return null
  const recipients = countBillable(submission, allowance.teamId, facts)
  const { monthRecipientsMax, dayRecipientsMax } = PLANS[team.plan]
  if (monthRecipientsMax !== null && allowance.monthRecipients + recipients > monthRecipientsMax) {
    return new Refusal('quota_exceeded', 'validation_error', 'Monthly email quota exceeded.')
  }
  if (dayRecipientsMax !== null && allowance.dayRecipients + recipients > dayRecipientsMax) {
    return new Refusal('quota_exceeded', 'validation_error', 'Daily email quota exceeded.')
  }
  allowance.monthRecipients += recipients
  allowance.dayRecipients += recipients
  return null
}
