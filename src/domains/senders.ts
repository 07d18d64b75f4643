import { bumpCounters } from '../db/counters.ts'
import type { Tx } from '../db/db-types.ts'
import { isInFollowedVersion } from '../db/references.ts'
import { violates } from '../db/sqlstate.ts'
import { ApiError, invalidField, orNotFound } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { isDisplayName, parseAddress, parseMailbox } from '../mime/address.ts'
import { findDomain, lockDomainForUse } from './domains-queries.ts'
import {
  deleteSender,
  findSenderUses,
  holdSender,
  insertSender,
  SENDER_COUNTER,
  type Sender,
  updateSender,
} from './senders-queries.ts'

export interface SenderInput {
  domainId: string
  /** The display name. */
  name: string
  /** The local part of the address. */
  username: string
  /** With or without a display name, which is not stored. */
  replyTo: string | null
}

/**
 * Adds a sender address. Its domain may be unverified: sending checks that. Throws `validation_error` for each field,
 * and `conflict` for a second sender of one address.
 */
export async function createSender(tx: Tx, teamId: string, input: SenderInput, now: Date): Promise<Sender> {
  const sender: Sender = {
    teamId,
    id: newId(now.getTime()),
    ...(await validateSender(tx, teamId, input)),
    createdAt: now,
    updatedAt: now,
  }
  await conflictIfTaken(insertSender(tx, sender))
  await bumpCounters(tx, [{ teamId, name: SENDER_COUNTER, by: 1 }])
  return sender
}

/** Updates the given fields. Throws `not_found`, and the same errors as createSender. */
export async function changeSender(
  tx: Tx,
  teamId: string,
  id: string,
  changes: Partial<SenderInput>,
  now: Date,
): Promise<Sender> {
  const before = orNotFound(await holdSender(tx, teamId, id))
  const validated = await validateSender(tx, teamId, { ...before, ...changes })
  const sender = { ...before, ...validated, updatedAt: now }
  await conflictIfTaken(updateSender(tx, sender))
  return sender
}

/** Deletes a sender. Throws `not_found`, and `conflict` while any campaign, automation or template uses it. */
export async function removeSender(tx: Tx, teamId: string, id: string): Promise<void> {
  if ((await holdSender(tx, teamId, id)) === null) throw new ApiError('not_found')
  const { byCampaigns, byAutomations, byTemplates } = await findSenderUses(tx, teamId, id)
  if (byCampaigns || byAutomations || (await isInFollowedVersion(tx, teamId, id))) {
    throw new ApiError('conflict', 'This sender is used by campaigns and cannot be deleted.')
  }
  if (byTemplates) throw new ApiError('conflict', 'This sender is used by templates and cannot be deleted.')
  await deleteSender(tx, teamId, id)
  await bumpCounters(tx, [{ teamId, name: SENDER_COUNTER, by: -1 }])
}

/** Validates the fields of a sender, and locks its domain against deletion until the transaction ends. */
async function validateSender(tx: Tx, teamId: string, input: SenderInput) {
  if (!isDisplayName(input.name)) {
    throw invalidField(
      'name',
      'The name field must not contain line breaks, control characters, angle brackets or wide forms of @.',
    )
  }
  const isLocked = await lockDomainForUse(tx, teamId, input.domainId)
  const domain = isLocked ? await findDomain(tx, teamId, input.domainId) : null
  if (domain === null) {
    throw invalidField('domain_id', 'The domain_id field must be the id of a domain of this account.')
  }
  const mailbox = parseAddress(`${input.username}@${domain.name}`)
  if (mailbox === null || mailbox.local !== input.username || mailbox.local.startsWith('"')) {
    throw invalidField('username', 'The username field must be a valid local part of an email address.')
  }
  return {
    domainId: domain.id,
    domainName: domain.name,
    name: input.name,
    username: input.username,
    email: mailbox.address,
    replyTo: readReplyTo(input.replyTo),
  }
}

function readReplyTo(text: string | null): string | null {
  if (text === null) return null
  const mailbox = parseMailbox(text)
  if (mailbox === null) throw invalidField('reply_to', 'The reply_to field must be a valid email address.')
  return mailbox.address
}

async function conflictIfTaken(writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!violates(error, 'sender_username_unique')) throw error
    throw new ApiError('conflict', 'A sender with this username already exists in this domain.')
  }
}
