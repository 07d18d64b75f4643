import { type ApiError, type FieldErrors, invalidFields } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Mailbox, parseMailbox, suppressionKey } from '../../mime/address.ts'
import type { MailClass } from '../../queue/mail-class.ts'
import { type ResultOf, workOnContent } from '../content/heavy-content.ts'
import { WITHHELD } from '../read/read-emails-queries.ts'
import type { Recipient } from '../validate/read-addresses.ts'
import type { AcceptAnswer, AcceptRequest, SenderDomain, Submission, Submitter } from './accept-types.ts'

/** The body of POST /emails/mime after schema validation. */
export interface MimeRequest {
  envelope_from: string
  envelope_to: string
  raw_message: string
  class?: MailClass
}

/**
 * Takes responsibility for a message that the caller wrote: validates and repairs it, then accepts it like any
 * other email. Throws an ApiError for problems that the caller can fix, DatabaseUnavailable if nothing could be
 * accepted.
 */
export type AcceptMime = (
  request: MimeRequest,
  submitter: Submitter,
  idempotency: AcceptRequest['idempotency'],
  options?: MimeOptions,
) => Promise<AcceptAnswer>

export interface MimeOptions {
  /** Hides the content from people who read the team's emails. */
  isWithheld?: boolean
}

export function createAcceptMime(deps: {
  clock: Clock
  commit: (acceptRequest: AcceptRequest) => Promise<AcceptAnswer>
}): AcceptMime {
  return async (request, submitter, idempotency, { isWithheld = false } = {}) => {
    const read = await readSubmission(request, submitter.teamId, deps.clock.now())
    const submission = isWithheld ? { ...read, headers: [WITHHELD] } : read
    return deps.commit({ submissions: [submission], submitter, idempotency, batch: null })
  }
}

async function readSubmission(request: MimeRequest, teamId: string, createdAt: Date): Promise<Submission> {
  const { sender, recipient } = readEnvelope(request)
  const emailId = newId(createdAt.getTime())
  const raw = request.raw_message
  const missing = { messageIdLocal: emailId, date: createdAt }
  const message = await workOnContent(
    'repair',
    { teamId, sizeBytes: raw.length },
    { given: raw, missing, entryPoint: 'http' },
  )
  return submitRaw(message, {
    emailId,
    createdAt,
    recipients: [recipient],
    addressees: { to: [request.envelope_to], cc: [], bcc: [], reply_to: [] },
    envelopeDomains: [{ name: sender.domain, field: 'envelope_from' }],
    tags: [],
    scheduledAt: null,
    isBulk: request.class === 'bulk',
  })
}

/** The fields of an email made from a raw message that the message does not supply. */
export interface RawEnvelope
  extends Pick<
    Submission,
    'emailId' | 'createdAt' | 'recipients' | 'addressees' | 'tags' | 'scheduledAt' | 'isBulk'
  > {
  /** Domains that must be verified because the envelope names them. */
  envelopeDomains: readonly SenderDomain[]
}

/** Returns a repaired message as a submission that is ready to commit. */
export function submitRaw(
  message: ResultOf<'repair'>,
  { envelopeDomains, ...envelope }: RawEnvelope,
): Submission {
  const { bytes, smtpUtf8, from, messageId, subject, stored } = message
  // Any address that a reader may take for the sender must belong to a verified domain of the team.
  const senderDomains = [
    { name: from.domain, field: 'raw_message' },
    ...envelopeDomains,
    ...(message.sender === null ? [] : [{ name: message.sender.domain, field: 'raw_message' }]),
  ]
  return {
    ...envelope,
    messageId,
    ownMessageId: null,
    from,
    senderDomains,
    subject,
    headers: [],
    template: null,
    unsubscribe: null,
    message: { bytes, smtpUtf8 },
    stored,
    attachments: message.attachments.map(({ filename, contentType, contentId, size }) => ({
      filename,
      content_type: contentType,
      content_id: contentId,
      size,
    })),
  }
}

/** Parses the envelope addresses. Throws one validation ApiError that names each invalid one. */
function readEnvelope(request: MimeRequest): { sender: Mailbox; recipient: Recipient } {
  const sender = parseMailbox(request.envelope_from)
  const mailbox = parseMailbox(request.envelope_to)
  if (sender !== null && mailbox !== null) {
    return { sender, recipient: { kind: 'to', mailbox, key: suppressionKey(mailbox.address) } }
  }
  const errors: FieldErrors = {}
  for (const [field, address] of Object.entries({ envelope_from: sender, envelope_to: mailbox })) {
    if (address === null) errors[field] = [`The ${field} field must be a valid email address.`]
  }
  throw invalidFields(errors) as ApiError
}
