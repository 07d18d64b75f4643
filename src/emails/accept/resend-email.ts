import { ApiError, invalidField } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { parseMailbox, quotedMailbox, suppressionKey } from '../../mime/address.ts'
import { decodeMessage } from '../../mime/encoding.ts'
import { isBuiltMessage, withoutIdentity } from '../../mime/raw/message-origin.ts'
import { isProblem } from '../../mime/raw/message-problem.ts'
import { openAttachments, type ReadTexts } from '../../mime/raw/parse.ts'
import { classOf } from '../../queue/mail-class.ts'
import { workOnContent } from '../content/heavy-content.ts'
import { orderAttachments } from '../files/message-attachments.ts'
import { type Email, type EmailDetail, findEmailDetail } from '../read/read-emails-queries.ts'
import { type ContentDeps, loadBody } from '../read/require-email.ts'
import { type Draft, draftEmail, type SendRequest } from '../request/draft-email.ts'
import { groupHeaders } from '../request/read-headers.ts'
import { readScope } from '../request/unsubscribe-scope.ts'
import { messageError } from '../validate/message-problems.ts'
import type { Recipient } from '../validate/read-addresses.ts'
import type { AcceptEmail } from './accept-email.ts'
import { submitRaw } from './accept-mime.ts'
import type { AcceptAnswer, AcceptRequest, Submission, Submitter } from './accept-types.ts'

/** The recipients of the new email. Without `to`, those of the original email. */
export type ResendRequest = Pick<SendRequest, 'to' | 'cc' | 'bcc'>

/**
 * Sends the content of an email again, as a new email that is accepted like any other. Throws an ApiError:
 * `conflict` if the content is gone, or any error of acceptance.
 */
export type ResendEmail = (
  email: Email,
  request: ResendRequest,
  submitter: Submitter,
  idempotency: AcceptRequest['idempotency'],
) => Promise<AcceptAnswer>

export interface ResendDeps extends ContentDeps {
  clock: Clock
  acceptEmail: AcceptEmail
  commit: (acceptRequest: AcceptRequest) => Promise<AcceptAnswer>
  /** Identifies the tracking links to remove from the original html. */
  trackingKey: Buffer
}

const KINDS = ['to', 'cc', 'bcc'] as const

export function createResendEmail(deps: ResendDeps): ResendEmail {
  return async (email, request, submitter, idempotency) => {
    const detail = await findEmailDetail(deps.db, email.teamId, email.id, email.sizeBytes)
    if (detail === null) {
      throw new ApiError(
        'conflict',
        'The content of this email is no longer stored, so it cannot be sent again.',
      )
    }
    const { encoding, message } = await loadBody(deps.readBody, detail)
    const bytes = await decodeMessage(encoding, message)
    const customNames = detail.headers.map(([name]) => name.toLowerCase())
    if (!isBuiltMessage(bytes, customNames)) {
      const submission = await resubmitRaw(bytes, email, request, deps.clock.now())
      return deps.commit({ submissions: [submission], submitter, idempotency, batch: null })
    }
    const stored = { encoding: 'identity', message: bytes } as const
    const untracking = { key: deps.trackingKey, email: { teamId: email.teamId, emailId: email.id } }
    const texts = await workOnContent(
      'texts',
      { teamId: email.teamId, sizeBytes: bytes.length },
      { stored, untracking },
    )
    const rebuilt = rebuild(email, detail, bytes, texts)
    return deps.acceptEmail({ ...rebuilt, ...recipientsOf(email, request) }, submitter, idempotency)
  }
}

/** Returns the recipients of the new email. With `to`, only the recipients that the request names. */
function recipientsOf({ addressees: { to, cc, bcc } }: Email, request: ResendRequest): ResendRequest {
  return request.to === undefined ? { to, cc, bcc, ...request } : request
}

/** Returns the request that rebuilds the message. The new email gets new links, a new Message-ID and a new date. */
function rebuild(email: Email, detail: EmailDetail, bytes: Buffer, { html, text }: ReadTexts): SendRequest {
  const attachments = orderAttachments(detail.attachments, openAttachments(bytes))
  if (attachments === null) {
    throw new ApiError(
      'conflict',
      'The attachments of this email cannot be read, so it cannot be sent again.',
    )
  }
  const scope = readScope(detail.unsubscribeScope ?? '')
  return {
    from: quoteName(email.sender),
    reply_to: email.addressees.reply_to,
    subject: email.subject,
    ...(html === null ? {} : { html }),
    text: text ?? '',
    headers: groupHeaders(detail.headers),
    tags: email.tags,
    class: classOf(email.isBulk),
    attachments: detail.attachments.map((record, place) => ({
      filename: record.filename,
      content_type: record.content_type,
      ...(record.content_id === null ? {} : { content_id: record.content_id }),
      content: attachments[place]?.read().toString('base64') ?? '',
    })),
    ...(scope === null
      ? {}
      : { unsubscribe: scope.kind === 'list' ? { list_id: scope.listId } : { topic: scope.topic } }),
  }
}

/**
 * Quotes the display name. A stored sender has its name in readable form, which may contain characters that end
 * a name in a header (RFC 5322 section 3.4).
 */
function quoteName(sender: string): string {
  const [, name, address] = /^(.*) <([^<>]*)>$/s.exec(sender) ?? []
  return name === undefined || address === undefined ? sender : quotedMailbox(name, address)
}

/** Submits a message that the caller wrote again, unchanged except for the fields that identify it. */
async function resubmitRaw(
  bytes: Buffer,
  email: Email,
  request: ResendRequest,
  createdAt: Date,
): Promise<Submission> {
  const isSame = request.to === undefined && request.cc === undefined && request.bcc === undefined
  const { to, ...envelope } = isSame ? sameEnvelope(email) : newEnvelope(email, request, createdAt)
  const emailId = newId(createdAt.getTime())
  const anonymous = withoutIdentity(bytes, request.to === undefined ? null : to)
  if (isProblem(anonymous)) throw messageError(anonymous, 'http')
  const of = { teamId: email.teamId, sizeBytes: anonymous.length, handedOver: [anonymous] }
  const repaired = await workOnContent('repair', of, {
    given: anonymous,
    missing: { messageIdLocal: emailId, date: createdAt },
    entryPoint: 'http',
  })
  const { tags, isBulk } = email
  const rest = { emailId, createdAt, tags, isBulk, scheduledAt: null, envelopeDomains: [] }
  return submitRaw(repaired, { ...envelope, ...rest })
}

/** Returns the original envelope. Over SMTP, its recipients may differ from those that the message names. */
function sameEnvelope({ addressees }: Email): Pick<Draft, 'recipients' | 'addressees' | 'to'> {
  const recipients = KINDS.flatMap((kind) =>
    addressees[kind].flatMap((text): Recipient[] => {
      const mailbox = parseMailbox(text)
      // An earlier grammar accepted this address. Skipping it would silently drop a recipient.
      if (mailbox === null) throw invalidField(kind, `The ${kind} field must be a valid email address.`)
      return [{ kind, mailbox, key: suppressionKey(mailbox.address) }]
    }),
  )
  const byKey = new Map([...recipients].reverse().map((recipient) => [recipient.key, recipient]))
  return { recipients: [...byKey.values()].reverse(), addressees, to: [] }
}

function newEnvelope(email: Email, request: ResendRequest, now: Date) {
  // Only the recipients matter here: a raw message may have no subject and no text.
  const whole = {
    from: quoteName(email.sender),
    ...recipientsOf(email, request),
    subject: 'any',
    text: 'any',
  }
  const { recipients, addressees, to } = draftEmail(whole, now)
  return { recipients, addressees, to }
}
