import { type Db, isAway, type Tx } from '../../db/db-types.ts'
import type { Log } from '../../lib/log.ts'
import { type FrozenAudience, scopeOf } from '../audience/audience.ts'
import { freezeAudience } from '../audience/freeze-audience.ts'
import { type Campaign, holdCampaign, type PausedReason } from '../rows/campaigns-queries.ts'
import { findNewestContactId } from '../rows/recipients-queries.ts'
import {
  type CampaignVersion,
  type Due,
  findDue,
  findVersion,
  insertVersion,
  moveCampaign,
} from '../rows/runs-queries.ts'
import { recordMove } from './campaign-events.ts'
import { readContent } from './read-content.ts'

/** A campaign that is later than this, because the server was down, is paused until a person resumes it. */
const LATE_MAX_MS = 6 * 3_600_000
/** The same for campaigns that were stored by a version of Sendwright that did not send any. */
const STORED_LATE_MAX_MS = 60_000
const DUE_COUNT_MAX = 20

/**
 * Starts the scheduled campaigns whose time has come. One that fails is logged and tried again in the next round; the campaigns of
 * other teams do not wait for it.
 */
export async function startDue({ db, log }: { db: Db; log: Log }, now: Date): Promise<void> {
  for (const due of await findDue(db, now, DUE_COUNT_MAX)) {
    try {
      await db.transaction((tx) => startOne(tx, due, now))
    } catch (error) {
      if (isAway(error)) throw error
      log.warn({ err: error, campaign: due.id, team: due.teamId }, 'could not start a campaign')
    }
  }
}

async function startOne(tx: Tx, { teamId, id, predatesSending }: Due, now: Date): Promise<void> {
  const campaign = await holdCampaign(tx, teamId, id)
  if (campaign?.status !== 'scheduled' || campaign.scheduledAt === null || campaign.scheduledAt > now) return
  const lateMaxMs = predatesSending ? STORED_LATE_MAX_MS : LATE_MAX_MS
  const isLate = now.getTime() - campaign.scheduledAt.getTime() > lateMaxMs
  const pausedReason = isLate ? 'missed' : await startCampaign(tx, campaign, now)
  const status = pausedReason === null ? 'sending' : 'paused'
  await moveCampaign(tx, campaign, { status, pausedReason }, now)
  await recordMove(tx, campaign, { status, pausedReason }, now)
}

/**
 * Stores the content of a locked campaign, with its sender and the conditions of its segments, as the version that is sent. The
 * caller changes the status. Returns why it cannot be sent, or null.
 */
export async function startCampaign(tx: Tx, campaign: Campaign, now: Date): Promise<PausedReason | null> {
  const version = await takeVersion(tx, campaign)
  if (version === null) return 'errors'
  await insertVersion(tx, version, now)
  return null
}

/**
 * Returns null if anything that the campaign names is missing: it was deleted since, or never chosen. Once a campaign has begun, its
 * audience is that of its first version.
 */
async function takeVersion(tx: Tx, campaign: Campaign): Promise<CampaignVersion | null> {
  const { teamId, id, templateId, version } = campaign
  const earlier = version === 0 ? null : await findVersion(tx, campaign)
  const audience =
    earlier === null ? await freezeWhole(tx, campaign) : withoutDeleted(earlier.audience, campaign)
  const { sender, template, content } = await readContent(tx, campaign)
  if (sender === null || audience === null) return null
  if (audience.include.length === 0 && !campaign.isAudienceDone) return null
  if (templateId !== null && template?.status !== 'published') return null
  if (template === null && campaign.subject === null) return null
  // An empty html counts as absent, as in a request to send.
  if ((content.html ?? '') === '' && (content.text ?? '') === '') return null
  return { teamId, campaignId: id, version: version + 1, ...content, audience }
}

/**
 * Leaves out the included lists that were deleted since: nobody can unsubscribe from them. If one of several is left, recipients
 * leave what they left before: not all are members of it, and some have left the other.
 */
function withoutDeleted(frozen: FrozenAudience, { audience }: Campaign): FrozenAudience {
  const ids = new Set(audience.include.map(({ id }) => id))
  const include = frozen.include.filter((item) => !('listId' in item) || ids.has(item.listId))
  const scope = scopeOf(frozen)
  return { ...frozen, include, ...(scope.kind === 'topic' && { scope }) }
}

/** Returns null if an exclusion would leave out fewer contacts than it did. */
async function freezeWhole(tx: Tx, { teamId, audience }: Campaign): Promise<FrozenAudience | null> {
  const frozen = await freezeAudience(tx, teamId, audience)
  if (frozen.lost.length > 0) return null
  return { ...frozen.audience, newestContactId: await findNewestContactId(tx, teamId) }
}
