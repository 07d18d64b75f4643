import type { Queryable, Tx } from '../../db/db-types.ts'
import { findSender } from '../../domains/senders-queries.ts'
import { senderOf } from '../../domains/template-sender.ts'
import { invalidField, orNotFound } from '../../lib/api-error.ts'
import { cutText } from '../../lib/text/cut-text.ts'
import { cancelCampaign, sendCampaign } from '../campaign-verbs.ts'
import {
  applyChanges,
  type CampaignInput,
  changeCampaign,
  createCampaign,
  NAME_LENGTH_MAX,
} from '../campaigns.ts'
import { type Campaign, holdCampaign } from '../rows/campaigns-queries.ts'
import type { BroadcastInput } from './broadcast-schemas.ts'

/** Creates a campaign, and sends or schedules it if asked to. Throws `validation_error` in the names of the request. */
export async function createBroadcast(
  tx: Tx,
  teamId: string,
  input: BroadcastInput,
  now: Date,
): Promise<Campaign> {
  const { send = false, scheduled_at: scheduledAt = null } = input
  if (scheduledAt !== null && !send) {
    throw invalidField('scheduled_at', 'The scheduled_at field is only allowed when send is true.')
  }
  for (const field of ['from', 'subject'] as const) {
    if ((input[field] ?? '') === '') throw invalidField(field, `The ${field} field is required.`)
  }
  const changes = await readInput(tx, teamId, input, now)
  const name = changes.name ?? cutText(input.subject as string, NAME_LENGTH_MAX)
  const campaign = await createCampaign(tx, teamId, { ...changes, name, status: 'draft' }, now)
  return send ? sendCampaign(tx, teamId, campaign.id, scheduledAt, now) : campaign
}

/** Changes a broadcast that has not begun. Throws `not_found`, and `validation_error`. */
export async function changeBroadcast(
  tx: Tx,
  teamId: string,
  id: string,
  input: BroadcastInput,
  now: Date,
): Promise<Campaign> {
  const changes = await readInput(tx, teamId, input, now)
  const { status, version } = orNotFound(await holdCampaign(tx, teamId, id))
  // Shown as a draft (broadcastSummaryToJson), so it can be changed like one.
  const isShownAsDraft = status === 'canceled' && version === 0
  return changeCampaign(tx, teamId, id, isShownAsDraft ? { ...changes, status: 'draft' } : changes, now)
}

/**
 * Cancels a broadcast. One that has not begun becomes a draft again, as Resend does it. Throws `not_found`, and `conflict` if it
 * is sent.
 */
export async function cancelBroadcast(tx: Tx, teamId: string, id: string, now: Date): Promise<Campaign> {
  const before = orNotFound(await holdCampaign(tx, teamId, id))
  if (before.version > 0 || before.status === 'sent') return cancelCampaign(tx, teamId, id, now)
  return applyChanges(tx, before, { status: 'draft', scheduledAt: null }, now)
}

/** Returns the sender as `Name <address>`; null if there is none. */
export async function fromOf(db: Queryable, { teamId, senderId }: Campaign): Promise<string | null> {
  const sender = senderId === null ? null : await findSender(db, teamId, senderId)
  return sender === null ? null : `${sender.name} <${sender.email}>`
}

/** Returns the given fields as those of a campaign. */
async function readInput(
  tx: Tx,
  teamId: string,
  input: BroadcastInput,
  now: Date,
): Promise<Partial<CampaignInput>> {
  const { name, from, subject, html, text, preview_text: previewText } = input
  const segmentId = readSegmentId(input)
  const fields = {
    // Without a name, a broadcast has that of its subject.
    name: name == null || name === '' ? undefined : name,
    senderId: from == null ? undefined : (await senderOf(tx, teamId, from, now)).id,
    segmentId,
    // A segment replaces the list that the campaign may have elsewhere.
    listId: segmentId == null ? undefined : null,
    subject,
    html,
    text,
    previewText: previewText === '' ? null : previewText,
    replyTo: readReplyTo(input.reply_to),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Returns the segment under either of its names; null for none, undefined to keep what is stored. */
function readSegmentId({
  segment_id: segmentId,
  audience_id: audienceId,
}: BroadcastInput): string | null | undefined {
  const [id, alias] = [segmentId?.toLowerCase() ?? segmentId, audienceId?.toLowerCase() ?? audienceId]
  if (id != null && alias != null && id !== alias) {
    throw invalidField('audience_id', 'The audience_id field must be the same as segment_id, or left out.')
  }
  return id ?? alias
}

/** Returns the one address; null for none, undefined to keep what is stored. */
function readReplyTo(replyTo: BroadcastInput['reply_to']): string | null | undefined {
  if (replyTo === undefined) return undefined
  const address = Array.isArray(replyTo) ? replyTo[0] : replyTo
  return address === undefined || address === '' ? null : address
}
