import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { type FieldErrors, invalidFields } from '../base/refusal.ts'
import { type Mailbox, parseMailbox, suppressionKey } from '../mime/address.ts'
import { encodeMessage } from '../mime/encoding.ts'
import { repairRawMessage } from '../mime/raw-message.ts'
import type { Acceptance, Parcel, Submission } from './accept-batch.ts'
import type { Submitter } from './accept-email.ts'
import type { Recipient } from './draft-email.ts'

/** POST /emails/mime as its schema admits it. */
export interface MimeRequest {
  envelope_from: string
  envelope_to: string | string[]
  raw_message: string
}

/**
 * Takes responsibility for a message that the caller wrote: checked, repaired, then like any other email. Throws a
 * Refusal for anything that the caller can mend, DatabaseUnavailable when nothing could be accepted.
 */
export type AcceptMime = (
  request: MimeRequest,
  submitter: Submitter,
  idempotency: Parcel['idempotency'],
) => Promise<Acceptance>

export function createAcceptMime(deps: {
  clock: Clock
  commit: (parcel: Parcel) => Promise<Acceptance>
}): AcceptMime {
  return async (request, submitter, idempotency) => {
    const submission = await readSubmission(request, deps.clock.now())
    return deps.commit({ submissions: [submission], submitter, idempotency, batch: null })
  }
}

async function readSubmission(request: MimeRequest, createdAt: Date): Promise<Submission> {
  const { sender, recipients } = readEnvelope(request)
  const emailId = newId(createdAt.getTime())
  const message = repairRawMessage(request.raw_message, { messageIdLocal: emailId, date: createdAt })
  const { bytes, smtpUtf8, from, messageId, subject } = message
  // Whoever a reader may take for the sender must be one that the team may speak for.
  const senderDomains = [
    { name: from.domain, field: 'raw_message' },
    { name: sender.domain, field: 'envelope_from' },
    ...(message.sender === null ? [] : [{ name: message.sender.domain, field: 'raw_message' }]),
  ]
  return {
    emailId,
    messageId,
    createdAt,
    from,
    senderDomains,
    recipients,
    addressees: { to: asArray(request.envelope_to), cc: [], bcc: [], reply_to: [] },
    subject,
    headers: [],
    tags: [],
    template: null,
    scheduledAt: null,
    message: { bytes, smtpUtf8 },
    stored: await encodeMessage(bytes),
    attachments: message.attachments.map(({ filename, contentType, contentId, size }) => ({
      filename,
      content_type: contentType,
      content_id: contentId,
      size,
    })),
  }
}

function asArray(value: string | string[]): string[] {
  return typeof value === 'string' ? [value] : value
}

/** The addresses of the envelope. Throws one validation Refusal that names all that are none. */
function readEnvelope(request: MimeRequest): { sender: Mailbox; recipients: Recipient[] } {
  const errors: FieldErrors = {}
  const read = (field: string, text: string) => {
    const mailbox = parseMailbox(text)
    if (mailbox === null) errors[field] = [`The ${field} field must be a valid email address.`]
    return mailbox
  }
  const { envelope_from: from, envelope_to: to } = request
  const sender = read('envelope_from', from)
  const recipients =
    typeof to === 'string'
      ? [read('envelope_to', to)]
      : to.map((text, index) => read(`envelope_to.${index}`, text))
  const refusal = invalidFields(errors)
  if (refusal !== null) throw refusal
  return { sender: sender as Mailbox, recipients: distinct(recipients as Mailbox[]) }
}

/** The same address twice is sent once. */
function distinct(mailboxes: readonly Mailbox[]): Recipient[] {
  const byKey = new Map<string, Recipient>()
  for (const mailbox of mailboxes) {
    const key = suppressionKey(mailbox.address)
    if (!byKey.has(key)) byKey.set(key, { kind: 'to', mailbox, key })
  }
  return [...byKey.values()]
}
