import { bumpCounters } from '../db/counters.ts'
import type { Tx } from '../db/db-types.ts'
import { holdReferences, type ReferenceKind } from '../db/references.ts'
import { ApiError, type FieldErrors, invalidField, orNotFound, throwInvalid } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { parseScheduledAt } from '../lib/time/scheduled-at.ts'
import { isTimeZone } from '../lib/time/time-zone.ts'
import { deleteCampaignCounts } from '../metrics/campaigns/campaign-counts-queries.ts'
import { validatePlaceholders } from '../templates/templates.ts'
import { NO_AUDIENCE } from './audience/audience.ts'
import { type AudienceChanges, mergeAudience, validateAudience } from './audience/validate-audience.ts'
import {
  CAMPAIGN_COUNTER,
  type Campaign,
  type CampaignContent,
  type CampaignStatus,
  deleteCampaign,
  holdCampaign,
  insertCampaign,
  updateCampaign,
} from './rows/campaigns-queries.ts'
import { hasQueued } from './rows/recipients-queries.ts'
import type { SendWindow } from './rows/send-window.ts'
import { recordMove } from './sending/campaign-events.ts'
import { startCampaign } from './sending/start-campaign.ts'
import { validateHead } from './validate-head.ts'

/** The longest name, in characters. */
export const NAME_LENGTH_MAX = 255

/** The statuses that requests may set. Only Sendwright itself sets `sent`. */
export type SettableStatus = Exclude<CampaignStatus, 'sent'>

/** The input, with `scheduledAt` and the audience as given in the request. */
export interface CampaignInput extends Omit<CampaignContent, 'scheduledAt' | 'audience'>, AudienceChanges {
  status: SettableStatus
  scheduledAt: string | null
}

/** The statuses that a request may change each status to, before the campaign has begun and after. */
const MOVES_BEFORE: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ['draft', 'scheduled', 'sending', 'canceled'],
  scheduled: ['scheduled', 'draft', 'sending', 'canceled'],
  // Its time passed while the server was down.
  paused: ['paused', 'draft', 'scheduled', 'sending', 'canceled'],
  canceled: ['canceled', 'draft'],
  sending: ['sending'],
  sent: ['sent'],
}
const MOVES_AFTER: Record<CampaignStatus, readonly CampaignStatus[]> = {
  ...MOVES_BEFORE,
  sending: ['sending', 'paused', 'canceled'],
  paused: ['paused', 'sending', 'canceled'],
  canceled: ['canceled'],
}

const EMPTY: CampaignContent = {
  name: '',
  senderId: null,
  templateId: null,
  audience: NO_AUDIENCE,
  subject: null,
  previewText: null,
  replyTo: null,
  html: null,
  text: null,
  scheduledAt: null,
  ratePerHour: null,
  sendWindow: null,
}

/** Creates a campaign. Throws `validation_error` for each field that is invalid, or missing for the status. */
export async function createCampaign(
  tx: Tx,
  teamId: string,
  input: Partial<CampaignInput> & { name: string },
  now: Date,
): Promise<Campaign> {
  const empty: Campaign = {
    ...EMPTY,
    teamId,
    id: newId(now.getTime()),
    status: 'draft',
    pausedReason: null,
    version: 0,
    isAudienceDone: false,
    startedAt: null,
    endedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  if (input.status === 'sending' || input.status === 'paused') {
    throw invalidField('status', 'The status field must be one of draft, scheduled, canceled.')
  }
  const campaign = await validateCampaign(tx, empty, input, now)
  await insertCampaign(tx, campaign)
  await bumpCounters(tx, [{ teamId, name: CAMPAIGN_COUNTER, by: 1 }])
  return campaign
}

/**
 * Updates the given fields. Throws `not_found`, the errors of createCampaign, and `validation_error` on `status` for
 * a change that MOVES_BEFORE or MOVES_AFTER does not allow. Once a campaign has begun, its audience never changes, and its
 * content only while it is paused, for those who still wait.
 */
export async function changeCampaign(
  tx: Tx,
  teamId: string,
  id: string,
  changes: Partial<CampaignInput>,
  now: Date,
): Promise<Campaign> {
  const before = orNotFound(await holdCampaign(tx, teamId, id))
  refuseChanges(before, changes)
  return applyChanges(tx, before, changes, now)
}

/**
 * Saves changes of a locked campaign, and begins or resumes it if it becomes `sending`. The caller has checked that its status
 * allows them. Throws `validation_error` for each field that is invalid, or missing for the status.
 */
export async function applyChanges(
  tx: Tx,
  before: Campaign,
  changes: Partial<CampaignInput>,
  now: Date,
): Promise<Campaign> {
  const campaign = await validateCampaign(tx, before, changes, now)
  await updateCampaign(tx, campaign)
  if (campaign.status !== before.status) await recordMove(tx, before, campaign, now)
  if (campaign.status === 'sending' && before.status !== 'sending') await begin(tx, campaign, now)
  return campaign
}

/** Begins or resumes a campaign, with its content as it is now. */
async function begin(tx: Tx, campaign: Campaign, now: Date): Promise<void> {
  if ((await startCampaign(tx, campaign, now)) !== null) {
    throw new ApiError(
      'conflict',
      'The sender, template or audience of this campaign has just changed. Try again.',
    )
  }
  campaign.version++
  campaign.startedAt ??= now
}

/**
 * Deletes a campaign. Throws `not_found`, and `conflict` while it is being sent, or canceled with emails in the queue, which
 * would be sent without it.
 */
export async function removeCampaign(tx: Tx, teamId: string, id: string): Promise<void> {
  const campaign = orNotFound(await holdCampaign(tx, teamId, id))
  if (campaign.status === 'sending' || (campaign.status === 'paused' && campaign.version > 0)) {
    throw new ApiError('conflict', 'This campaign is being sent and cannot be deleted.')
  }
  if (campaign.status === 'canceled' && (await hasQueued(tx, campaign))) {
    throw new ApiError('conflict', 'Emails of this campaign are still in the queue. Try again later.')
  }
  await deleteCampaign(tx, teamId, id)
  await deleteCampaignCounts(tx, teamId, id)
  await bumpCounters(tx, [{ teamId, name: CAMPAIGN_COUNTER, by: -1 }])
}

/** Refuses a change of the status or of a field that the campaign is past. */
function refuseChanges(before: Campaign, changes: Partial<CampaignInput>): void {
  const { status: from, version } = before
  const to = changes.status ?? from
  const moves = version === 0 ? MOVES_BEFORE : MOVES_AFTER
  if (!moves[from].includes(to)) {
    throw invalidField('status', `The status field must not change from ${from} to ${to}.`)
  }
  const field = FIELDS.find(({ key }) => changes[key] !== undefined && !mayChange(key, before, to))
  if (field !== undefined) {
    const state = version === 0 || from === to ? to : from
    throw invalidField(field.name, `The ${field.name} field cannot be changed once the campaign is ${state}.`)
  }
}

/** What may be changed while a campaign that has begun is paused. */
const WHILE_PAUSED: ReadonlySet<keyof CampaignInput> = new Set([
  'sendWindow',
  'senderId',
  'templateId',
  'subject',
  'previewText',
  'replyTo',
  'html',
  'text',
])

function mayChange(
  key: keyof CampaignInput,
  { status: from, version }: Campaign,
  to: CampaignStatus,
): boolean {
  if (key === 'name') return true
  if (key === 'ratePerHour') return from !== 'sent' && to !== 'canceled'
  if (version > 0) return from === 'paused' && to !== 'canceled' && WHILE_PAUSED.has(key)
  return to !== 'canceled' && from !== 'sending' && from !== 'sent'
}

const FIELDS: readonly { key: keyof CampaignInput; name: string }[] = [
  { key: 'name', name: 'name' },
  { key: 'senderId', name: 'sender_id' },
  { key: 'templateId', name: 'template_id' },
  { key: 'segmentId', name: 'segment_id' },
  { key: 'listId', name: 'list_id' },
  { key: 'audience', name: 'audience' },
  { key: 'subject', name: 'subject' },
  { key: 'previewText', name: 'preview_text' },
  { key: 'replyTo', name: 'reply_to' },
  { key: 'html', name: 'html' },
  { key: 'text', name: 'text' },
  { key: 'scheduledAt', name: 'scheduled_at' },
  { key: 'ratePerHour', name: 'rate_per_hour' },
  { key: 'sendWindow', name: 'send_window' },
]

type Refuse = (field: string, message: string) => void

/** Returns the updated campaign after validation. Reports all errors at once. */
async function validateCampaign(
  tx: Tx,
  before: Campaign,
  { scheduledAt, audience, listId, segmentId, ...changes }: Partial<CampaignInput>,
  now: Date,
): Promise<Campaign> {
  const errors: FieldErrors = {}
  const refuse: Refuse = (field, message) => {
    errors[field] ??= [message]
  }
  const ofAudience = { audience, listId, segmentId } as AudienceChanges
  const mergedAudience = mergeAudience(before.audience, ofAudience, refuse)
  const after: Campaign = { ...before, ...changes, audience: mergedAudience, updatedAt: now }
  after.pausedReason = after.status === 'paused' ? (before.pausedReason ?? 'user') : null
  after.endedAt = endOf(after, before, now)
  if (scheduledAt !== undefined) after.scheduledAt = readScheduledAt(scheduledAt, now, refuse)
  if (changes.sendWindow != null) validateSendWindow(changes.sendWindow, before, refuse)
  // One that is being sent has all that it needs in its version, whatever becomes of its template.
  const begins = after.status === 'sending' && before.status !== 'sending'
  const goesOut = after.status === 'scheduled' || begins
  await validateReferences(tx, after, { changes, goesOut }, refuse)
  // Once all recipients are known, it no longer matters what was to be left out.
  const context = { changes: ofAudience, goesOut: goesOut && !after.isAudienceDone }
  after.audience = await validateAudience(tx, after.teamId, mergedAudience, context, refuse)
  validateCombinations(after, refuse)
  if (goesOut) validateReadiness(after, refuse)
  if (after.status === 'scheduled' && after.scheduledAt === null)
    refuse('scheduled_at', 'The scheduled_at field is required.')
  const becomesScheduled = after.status === 'scheduled' && before.status !== 'scheduled'
  if (
    becomesScheduled &&
    scheduledAt === undefined &&
    after.scheduledAt !== null &&
    after.scheduledAt <= now
  ) {
    refuse('scheduled_at', 'The scheduled_at field must be a date in the future.')
  }
  throwInvalid(errors)
  return after
}

/** A canceled campaign has ended if it had begun. One that is sent again has not. */
function endOf({ status }: Campaign, before: Campaign, now: Date): Date | null {
  if (status === 'sending') return null
  return status === 'canceled' && before.version > 0 ? (before.endedAt ?? now) : before.endedAt
}

function readScheduledAt(text: string | null, now: Date, refuse: Refuse): Date | null {
  if (text === null) return null
  const at = parseScheduledAt(text, now)
  if (at instanceof Date) return at
  refuse('scheduled_at', at.problem)
  return null
}

function validateSendWindow(window: SendWindow, { sendWindow, version }: Campaign, refuse: Refuse): void {
  const { from, to, timeZone, byContact = false } = window
  // Recipients got their time zones when they were added.
  if (byContact && version > 0 && sendWindow?.byContact !== true) {
    const message = 'The send_window.by_contact field cannot be turned on once the campaign has begun.'
    refuse('send_window.by_contact', message)
  }
  if (from === to) {
    refuse('send_window.to', 'The send_window.to field must be another time than send_window.from.')
  }
  if (!isTimeZone(timeZone)) {
    const message = 'The send_window.time_zone field must be an IANA time zone, such as Europe/Berlin.'
    refuse('send_window.time_zone', message)
  }
}

const REFERENCES = [
  { key: 'senderId', name: 'sender_id', kind: 'sender' },
  { key: 'templateId', name: 'template_id', kind: 'template' },
] as const satisfies readonly { key: keyof CampaignContent; name: string; kind: ReferenceKind }[]

/**
 * Validates that all referenced objects exist, and locks them until the transaction ends. Clears earlier references
 * to deleted objects.
 */
async function validateReferences(
  tx: Tx,
  after: Campaign,
  { changes, goesOut }: { changes: Partial<CampaignInput>; goesOut: boolean },
  refuse: Refuse,
): Promise<void> {
  for (const { key, name, kind } of REFERENCES) {
    const id = after[key]
    if (id === null) continue
    const reference = (await holdReferences(tx, after.teamId, kind, [id])).get(id)
    if (reference === undefined) {
      if (changes[key] !== undefined)
        refuse(name, `The ${name} field must be the id of a ${kind} of this account.`)
      after[key] = null
    } else if (goesOut && !reference.isReady) {
      refuse(name, `The ${name} field must be the id of a published template.`)
    }
  }
}

function validateCombinations(after: Campaign, refuse: Refuse): void {
  const hasOwn = after.subject !== null || after.html !== null || after.text !== null
  if (after.templateId !== null && hasOwn) {
    refuse('template_id', 'The template_id field must not be combined with subject, html or text.')
  }
  validateHead(after, refuse)
}

/** Checks that everything needed for sending is present. */
export function validateReadiness(after: Campaign, refuse: Refuse): void {
  validateContentReadiness(after, refuse)
  // Once the audience has been read, its list or segment may be deleted.
  if (!after.isAudienceDone && after.audience.include.length === 0) {
    refuse(
      'segment_id',
      'The segment_id field is required when list_id and audience.include are not present.',
    )
  }
}

/** Checks that everything needed for one email is present, and that a hundred of them can be rendered at a time. */
export function validateContentReadiness(after: Campaign, refuse: Refuse): void {
  const { subject, previewText, html, text } = after
  validatePlaceholders({ subject, preview_text: previewText, html, text }, refuse)
  if (after.senderId === null) refuse('sender_id', 'The sender_id field is required.')
  if (after.templateId === null) {
    if (after.subject === null || after.subject === '') {
      refuse('subject', 'The subject field is required when template_id is not present.')
    }
    if ((after.html ?? '') === '' && (after.text ?? '') === '') {
      refuse('html', 'The html field is required when text and template_id are not present.')
    }
  }
}
