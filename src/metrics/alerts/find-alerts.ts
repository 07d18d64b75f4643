import { PLANS, type PlanName } from '../../access/plans.ts'
import type { Queryable } from '../../db/db.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { readUsage } from '../../teams/usage-queries.ts'
import { findReputations, type GuardLimits } from '../guard.ts'
import { type Alert, byUrgency } from './alert.ts'
import {
  findOldestWaiting,
  listEndingKeys,
  listUnverifiedDomains,
  listUnwellWebhooks,
  listWaitedForSites,
} from './alerts-queries.ts'
import {
  judgeDomain,
  judgeKey,
  judgePause,
  judgeQuota,
  judgeReputation,
  judgeSite,
  judgeWaiting,
  judgeWebhook,
} from './classify-alert.ts'

/** An endpoint that was down for a moment needs nobody. */
const WEBHOOK_GRACE_MS = 5 * 60_000
const KEY_NOTICE_MS = 7 * 24 * 3_600_000

/** What needs a team's people now, the worst first. A dozen short looks at indexes, one after the other. */
export async function findAlerts(
  db: Queryable,
  { teamId, plan }: { teamId: string; plan: PlanName },
  limits: GuardLimits,
  now: Date,
): Promise<Alert[]> {
  const { monthRecipientsMax, dayRecipientsMax } = PLANS[plan]
  const usage = await readUsage(db, teamId, now)
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const webhooks = await listUnwellWebhooks(db, teamId, ago(WEBHOOK_GRACE_MS))
  const [reputation] = await findReputations(db, [teamId], now)
  const keys = await listEndingKeys(db, teamId, now, ago(-KEY_NOTICE_MS))
  const items = [
    ...judgePause(await findTeam(db, teamId)),
    ...judgeQuota('month', usage.monthRecipients, monthRecipientsMax),
    ...judgeQuota('day', usage.dayRecipients, dayRecipientsMax),
    ...(await listUnverifiedDomains(db, teamId)).map(judgeDomain),
    ...(await listWaitedForSites(db, teamId)).map(judgeSite),
    ...webhooks.map((webhook) => judgeWebhook(webhook, now)),
    ...judgeWaiting(await findOldestWaiting(db, teamId), now),
    ...judgeReputation(reputation, limits),
    ...keys.map((key) => judgeKey(key, now)),
  ]
  return items.sort(byUrgency)
}
