import { newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Mailbox } from '../../mime/address.ts'
import { workOnContent } from '../content/heavy-content.ts'
import type { Idempotent } from '../idempotency/idempotency.ts'
import type { Idempotency } from '../idempotency/idempotency-key.ts'
import { hasMessageKey, namedRecipients, readServiceFields } from '../request/submission-fields.ts'
import type { Recipient } from '../validate/read-addresses.ts'
import { submitRaw } from './accept-mime.ts'
import type { AcceptAnswer, AcceptRequest, Submission, Submitter } from './accept-types.ts'

/** A message received over SMTP, with the recipients that RCPT named. */
export interface SubmittedMessage {
  recipients: readonly Mailbox[]
  content: Buffer
}

/**
 * Takes responsibility for a submitted message. Reads it as POST /emails/mime does and applies its X-Sendwright
 * fields. Ignores MAIL FROM: bounces always return to the service (docs/guides/smtp.md). Returns the email's
 * id. Throws an ApiError for problems that the caller can fix, DatabaseUnavailable if nothing was accepted,
 * or if that is unknown (`commitUnknown`).
 */
export type AcceptSubmission = (message: SubmittedMessage, submitter: Submitter) => Promise<string>

export function createAcceptSubmission(deps: {
  clock: Clock
  commit: (acceptRequest: AcceptRequest) => Promise<AcceptAnswer>
  idempotent: Idempotent
}): AcceptSubmission {
  return async (message, submitter) => {
    const send = async (idempotency: AcceptRequest['idempotency']) => {
      const submission = await readSubmission(message, submitter.teamId, deps.clock.now())
      return deps.commit({ submissions: [submission], submitter, idempotency, batch: null })
    }
    const addresses = message.recipients.map(({ address }) => address)
    const key = await readKey(submitter.teamId, message.content, addresses)
    const { emailIds } = key === null ? await send(null) : await deps.idempotent(submitter.teamId, key, send)
    return emailIds[0] as string
  }
}

/** Reads the idempotency key of a message. A cheap check spares most messages, which have none, a second parse. */
async function readKey(
  teamId: string,
  content: Buffer,
  recipients: readonly string[],
): Promise<Idempotency | null> {
  if (!hasMessageKey(content)) return null
  return workOnContent('messageKey', { teamId, sizeBytes: content.length }, { given: content, recipients })
}

async function readSubmission(
  { recipients: mailboxes, content }: SubmittedMessage,
  teamId: string,
  createdAt: Date,
): Promise<Submission> {
  const emailId = newId(createdAt.getTime())
  const missing = { messageIdLocal: emailId, date: createdAt }
  const source = { teamId, sizeBytes: content.length, handedOver: [content] }
  const message = await workOnContent('repair', source, { given: content, missing, entryPoint: 'submission' })
  const { tags, scheduledAt, isBulk } = readServiceFields(message.taken, createdAt)
  const recipients = namedRecipients(mailboxes, message.addressed)
  const of = (kind: Recipient['kind']) =>
    recipients.filter((one) => one.kind === kind).map(({ mailbox }) => mailbox.address)
  return submitRaw(message, {
    emailId,
    createdAt,
    recipients,
    addressees: { to: of('to'), cc: of('cc'), bcc: of('bcc'), reply_to: [] },
    envelopeDomains: [],
    tags,
    scheduledAt,
    isBulk,
  })
}
