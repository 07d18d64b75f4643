import { bumpCounters } from '../db/counters.ts'
import type { Tx } from '../db/db-types.ts'
import { violates } from '../db/sqlstate.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
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
  /** With or without a display name, of which nothing is kept. */
  replyTo: string | null
}

/**
 * Adds an address to send from. Its domain need not be verified yet: sending checks that.
 * Refuses `validation_error` on each field, and `conflict` for a second sender of one address.
 */
export async function createSender(tx: Tx, teamId: string, input: SenderInput, now: Date): Promise<Sender> {
  const sender: Sender = {
    teamId,
    id: newId(now.getTime()),
    ...(await validateSender(tx, teamId, input)),
    createdAt: now,
    updatedAt: now,
  }
  await refusingSecond(insertSender(tx, sender))
  await bumpCounters(tx, [{ teamId, name: SENDER_COUNTER, by: 1 }])
  return sender
}

/** Changes what is given. Refuses like createSender, and `not_found`. */
export async function changeSender(
  tx: Tx,
  teamId: string,
  id: string,
  changes: Partial<SenderInput>,
  now: Date,
): Promise<Sender> {
  const before = await holdSender(tx, teamId, id)
  if (before === null) throw new ApiError('not_found')
  const validated = await validateSender(tx, teamId, { ...before, ...changes })
  const sender = { ...before, ...validated, updatedAt: now }
  await refusingSecond(updateSender(tx, sender))
  return sender
}

/** Refuses `not_found`, and `conflict` while a campaign, an automation or a template names it, whatever their status. */
export async function removeSender(tx: Tx, teamId: string, id: string): Promise<void> {
  if ((await holdSender(tx, teamId, id)) === null) throw new ApiError('not_found')
  const { byCampaigns, byAutomations, byTemplates } = await findSenderUses(tx, teamId, id)
  if (byCampaigns || byAutomations) {
    throw new ApiError('conflict', 'This sender is used by campaigns and cannot be deleted.')
  }
  if (byTemplates) throw new ApiError('conflict', 'This sender is used by templates and cannot be deleted.')
  await deleteSender(tx, teamId, id)
  await bumpCounters(tx, [{ teamId, name: SENDER_COUNTER, by: -1 }])
}

/** The fields of a sender, each judged. Its domain is kept from being deleted until the transaction ends. */
async function validateSender(tx: Tx, teamId: string, input: SenderInput) {
  if (!isDisplayName(input.name)) {
    throw invalidField(
      'name',
      'The name field must not contain line breaks, control characters, angle brackets or wide forms of @.',
    )
  }
  const isKept = await lockDomainForUse(tx, teamId, input.domainId)
  const domain = isKept ? await findDomain(tx, teamId, input.domainId) : null
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

async function refusingSecond(writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!violates(error, 'sender_username_unique')) throw error
    throw new ApiError('conflict', 'A sender with this username exists already in this domain.')
  }
}
