import type { Tx } from '../db/db-types.ts'
import { ApiError, orNotFound } from '../lib/api-error.ts'
import { cutText } from '../lib/text/cut-text.ts'
import { saveAudience } from './audience/audience-queries.ts'
import { applyChanges, type CampaignInput, createCampaign, NAME_LENGTH_MAX } from './campaigns.ts'
import { type Campaign, holdCampaign } from './rows/campaigns-queries.ts'
import { beginRetry } from './sending/read-retry.ts'

/**
 * Sends a campaign that has not begun. Throws `not_found`, `conflict` if it has, and `validation_error` for each field that is
 * invalid or missing.
 * @param scheduledAt when it begins, as given in the request; undefined or null: now
 */
export async function sendCampaign(
  tx: Tx,
  teamId: string,
  id: string,
  scheduledAt: string | null | undefined,
  now: Date,
): Promise<Campaign> {
  const before = orNotFound(await holdCampaign(tx, teamId, id))
  refuseToSend(before)
  const changes: Partial<CampaignInput> =
    scheduledAt == null ? { status: 'sending' } : { status: 'scheduled', scheduledAt }
  return applyChanges(tx, before, changes, now)
}

/** Throws `conflict` for a campaign that has begun, or waits for a decision. */
export function refuseToSend({ status, version }: Pick<Campaign, 'status' | 'version'>): void {
  if (status === 'paused') {
    throw new ApiError('conflict', 'This campaign is paused. Resume it instead of sending it.')
  }
  if (status === 'sending') {
    throw new ApiError('conflict', 'This campaign is sending. It can only be paused or canceled.')
  }
  if (status === 'sent') {
    throw new ApiError('conflict', 'This campaign is sent. Retry its failed recipients, or send a duplicate.')
  }
  if (status === 'canceled' && version > 0) {
    throw new ApiError(
      'conflict',
      'This campaign was canceled while it was sending. Send a duplicate instead.',
    )
  }
}

/** Pauses a campaign that is being sent. A paused one does not change. Throws `not_found` and `conflict`. */
export async function pauseCampaign(tx: Tx, teamId: string, id: string, now: Date): Promise<Campaign> {
  const before = orNotFound(await holdCampaign(tx, teamId, id))
  if (before.status !== 'sending' && before.status !== 'paused') {
    const { status } = before
    throw new ApiError(
      'conflict',
      `This campaign has the status ${status}. Only one with the status sending can be paused.`,
    )
  }
  return moveTo(tx, before, 'paused', now)
}

/**
 * Resumes a paused campaign with its current content. One that is being sent does not change. Throws `not_found`,
 * `conflict`, and `validation_error` for each field that is missing.
 */
export async function resumeCampaign(tx: Tx, teamId: string, id: string, now: Date): Promise<Campaign> {
  const before = orNotFound(await holdCampaign(tx, teamId, id))
  if (before.status !== 'sending' && before.status !== 'paused') {
    const { status } = before
    throw new ApiError(
      'conflict',
      `This campaign has the status ${status}. Only one with the status paused can be resumed.`,
    )
  }
  return moveTo(tx, before, 'sending', now)
}

/** Cancels a campaign that is not sent. A canceled one does not change. Throws `not_found` and `conflict`. */
export async function cancelCampaign(tx: Tx, teamId: string, id: string, now: Date): Promise<Campaign> {
  const before = orNotFound(await holdCampaign(tx, teamId, id))
  if (before.status === 'sent') {
    throw new ApiError('conflict', 'This campaign is sent and cannot be canceled.')
  }
  return moveTo(tx, before, 'canceled', now)
}

function moveTo(
  tx: Tx,
  before: Campaign,
  status: 'sending' | 'paused' | 'canceled',
  now: Date,
): Promise<Campaign> {
  return before.status === status ? Promise.resolve(before) : applyChanges(tx, before, { status }, now)
}

/** Copies the content, audience and pace of a campaign into a draft. Throws `not_found`. */
export async function duplicateCampaign(tx: Tx, teamId: string, id: string, now: Date): Promise<Campaign> {
  const original = orNotFound(await holdCampaign(tx, teamId, id))
  const { senderId, templateId, audience, subject, previewText, replyTo, html, text } = original
  const { ratePerHour, sendWindow } = original
  const name = cutText(`Copy of ${original.name}`, NAME_LENGTH_MAX)
  const content = { senderId, templateId, subject, previewText, replyTo, html, text }
  const pace = { ratePerHour, sendWindow }
  const copy = await createCampaign(tx, teamId, { name, ...content, ...pace, status: 'draft' }, now)
  // As it is: an exclusion that was deleted keeps the copy from being sent, as it keeps the original.
  await saveAudience(tx, { teamId, id: copy.id, audience })
  return { ...copy, audience }
}

/**
 * Sends the current content of a campaign to its failed recipients. The first of them wait again in this transaction, the others
 * while the campaign is sent. Returns how many have failed. Throws `not_found`, `conflict` if the campaign is neither paused nor
 * sent or nobody has failed, and `validation_error` for each field that is missing.
 */
export async function retryCampaign(tx: Tx, teamId: string, id: string, now: Date): Promise<number> {
  const before = orNotFound(await holdCampaign(tx, teamId, id))
  const { status } = before
  if (status !== 'paused' && status !== 'sent') {
    throw new ApiError(
      'conflict',
      `This campaign has the status ${status}. Only one with the status paused or sent can be retried.`,
    )
  }
  const { count, leftCount } = await beginRetry(tx, before, now)
  if (count === 0) {
    throw new ApiError('conflict', 'No recipient of this campaign has failed, so there is nothing to retry.')
  }
  await applyChanges(tx, before, { status: 'sending' }, now)
  return count + leftCount
}
