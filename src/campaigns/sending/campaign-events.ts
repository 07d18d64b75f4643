import type { Tx } from '../../db/db-types.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { findProgress } from '../rows/progress-queries.ts'
import type { CampaignKey } from '../rows/recipients-queries.ts'
import type { Move } from '../rows/runs-queries.ts'

/** A campaign before a change of its status. */
interface Before extends CampaignKey {
  name: string
  version: number
}

/**
 * Records the event of a change of the status, in the transaction that changes it. There is none for drafts and schedules.
 * @param before the campaign with the version that it had
 */
export async function recordMove(
  tx: Tx,
  { teamId, id, name, version }: Before,
  { status, pausedReason }: Move,
  now: Date,
): Promise<void> {
  const record = (type: CampaignEventType, more: object = {}) =>
    recordEvents(tx, [{ teamId, subjectId: id, type, data: { id, name, ...more } }], now)
  if (status === 'sending') record(version === 0 ? 'campaign.started' : 'campaign.resumed')
  if (status === 'paused') record('campaign.paused', { reason: pausedReason })
  if (status === 'canceled') record('campaign.canceled')
  if (status !== 'sent') return
  const { accepted = 0, skipped = 0, failed = 0 } = (await findProgress(tx, { teamId, id })) ?? {}
  record('campaign.sent', { recipients: { accepted, skipped, failed } })
}

type CampaignEventType =
  | 'campaign.started'
  | 'campaign.paused'
  | 'campaign.resumed'
  | 'campaign.sent'
  | 'campaign.canceled'
