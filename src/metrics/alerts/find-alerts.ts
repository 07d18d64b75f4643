import { PLANS, type PlanName } from '../../access/plans.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { EmailScope } from '../../emails/read/read-emails-queries.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { readUsage } from '../../teams/usage-queries.ts'
import { type Alert, byUrgency } from './alert.ts'
import {
  findOldestWaiting,
  listEndingKeys,
  listFailingAutomations,
  listStoppedAutomations,
  listStoppedCampaigns,
  listUnverifiedDomains,
  listUnwellWebhooks,
  listWaitedForSites,
} from './alerts-queries.ts'
import {
  campaignAlert,
  domainAlert,
  failingAutomationAlert,
  keyAlert,
  pauseAlerts,
  quotaAlerts,
  reputationAlerts,
  siteAlert,
  stoppedAutomationAlert,
  waitingAlerts,
  webhookAlert,
} from './classify-alert.ts'
import { findReputations, type GuardLimits } from './guard.ts'

/** A shorter outage of an endpoint needs no alert. */
const WEBHOOK_GRACE_MS = 5 * 60_000
/** Failed runs of automations are shown for this long. */
const FAILED_MS = 24 * 3_600_000
const KEY_NOTICE_MS = 7 * 24 * 3_600_000

/** Returns the conditions that a team's members should see now, most severe first, by a dozen short index scans. */
export async function findAlerts(
  db: Queryable,
  { plan, ...scope }: EmailScope & { plan: PlanName },
  limits: GuardLimits,
  now: Date,
): Promise<Alert[]> {
  const { teamId } = scope
  const { monthRecipientsMax, dayRecipientsMax } = PLANS[plan]
  const usage = await readUsage(db, teamId, now)
  // A key of one domain sees no webhooks, whose addresses may be secrets, and no campaigns or automations (ADR 0039).
  const shared = scope.domainId === null ? await findSharedAlerts(db, teamId, now) : []
  const [reputation] = await findReputations(db, [teamId], now)
  const keys = await listEndingKeys(db, teamId, now, new Date(now.getTime() + KEY_NOTICE_MS))
  const items = [
    ...pauseAlerts(await findTeam(db, teamId)),
    ...shared,
    ...quotaAlerts('month', usage.monthRecipients, monthRecipientsMax),
    ...quotaAlerts('day', usage.dayRecipients, dayRecipientsMax),
    ...(await listUnverifiedDomains(db, teamId)).map(domainAlert),
    ...(await listWaitedForSites(db, scope)).map(siteAlert),
    ...waitingAlerts(await findOldestWaiting(db, scope), now),
    ...reputationAlerts(reputation, limits),
    ...keys.map((key) => keyAlert(key, now)),
  ]
  return items.sort(byUrgency)
}

/** Returns the alerts about what concerns the emails of all domains. */
async function findSharedAlerts(db: Queryable, teamId: string, now: Date): Promise<Alert[]> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return [
    ...(await listStoppedCampaigns(db, teamId)).map(campaignAlert),
    ...(await listStoppedAutomations(db, teamId)).map(stoppedAutomationAlert),
    ...(await listFailingAutomations(db, teamId, ago(FAILED_MS))).map(failingAutomationAlert),
    ...(await listUnwellWebhooks(db, teamId, ago(WEBHOOK_GRACE_MS))).map((webhook) =>
      webhookAlert(webhook, now),
    ),
  ]
}
