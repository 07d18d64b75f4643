import type { Tx } from '../db/db-types.ts'
import { rollBackTo, setSavepoint } from '../db/locks.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
import { type Mailbox, parseMailbox } from '../mime/address.ts'
import { findDomainByName } from './domains-queries.ts'
import { createSender } from './senders.ts'
import { findSenderByEmail, lockSender, type Sender } from './senders-queries.ts'

const NAME_LENGTH_MAX = 255

/**
 * Returns the team's sender with this address, locked until the transaction ends. Creates it if there is none, named
 * after the display name or else the local part; an existing sender keeps its name. Throws `validation_error` on
 * `from`.
 */
export async function senderOf(tx: Tx, teamId: string, from: string, now: Date): Promise<Sender> {
  const mailbox = parseMailbox(from)
  if (mailbox === null || [...mailbox.name].length > NAME_LENGTH_MAX) throw invalidFrom()
  const sender = await ensureSender(tx, teamId, mailbox)
  if (sender !== null) return sender
  const domain = await findDomainByName(tx, teamId, mailbox.domain)
  if (domain === null) throw invalidField('from', 'The from address domain is not verified.')
  return makeSender(tx, teamId, domain.id, mailbox, now)
}

async function ensureSender(tx: Tx, teamId: string, { local, domain }: Mailbox): Promise<Sender | null> {
  const sender = await findSenderByEmail(tx, teamId, local, domain)
  return sender === null ? null : lockSender(tx, teamId, sender.id)
}

async function makeSender(
  tx: Tx,
  teamId: string,
  domainId: string,
  mailbox: Mailbox,
  now: Date,
): Promise<Sender> {
  const { name, local } = mailbox
  const input = { domainId, name: name === '' ? local : name, username: local, replyTo: null }
  await setSavepoint(tx, 'making_sender')
  try {
    return await createSender(tx, teamId, input, now)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // A quoted local part is a valid address, but not a valid username.
    if (error.code !== 'conflict') throw invalidFrom()
    // Another request created the sender at the same time and has committed it.
    await rollBackTo(tx, 'making_sender')
    const sender = await ensureSender(tx, teamId, mailbox)
    if (sender === null) throw error
    return sender
  }
}

function invalidFrom(): ApiError {
  return invalidField('from', 'The from field must be a valid email address.')
}
