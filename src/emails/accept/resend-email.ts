import type { Db } from '../../db/db-types.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { parseMailbox, suppressionKey } from '../../mime/address.ts'
import { decodeMessage } from '../../mime/encoding.ts'
import { isBuiltMessage, withoutIdentity } from '../../mime/message-origin.ts'
import { openAttachments, type ReadTexts } from '../../mime/parse.ts'
import { workOnContent } from '../content/heavy-content.ts'
import { orderAttachments } from '../files/message-attachments.ts'
import { type Email, type EmailDetail, findEmailDetail } from '../read/read-emails-queries.ts'
import type { AcceptEmail } from './accept-email.ts'
import { submitRaw } from './accept-mime.ts'
import type { Acceptance, AcceptRequest, Submission, Submitter } from './accept-types.ts'
import { type Draft, draftEmail, type Recipient, type SendRequest } from './draft-email.ts'
import { readScope } from './unsubscribe-scope.ts'

/** Whom it goes to this time; without `to`, to those it went to. */
export type ResendRequest = Pick<SendRequest, 'to' | 'cc' | 'bcc'>

/**
 * Sends the content of an email again, as a new email that is accepted like any other. Throws an ApiError: `conflict` for
 * an email whose content is gone, and whatever stands against accepting it now.
 */
export type ResendEmail = (
  email: Email,
  request: ResendRequest,
  submitter: Submitter,
  idempotency: AcceptRequest['idempotency'],
) => Promise<Acceptance>

export interface ResendDeps {
  db: Db
  clock: Clock
  acceptEmail: AcceptEmail
  commit: (acceptRequest: AcceptRequest) => Promise<Acceptance>
  /** Takes the links of the first sending out of its html. */
  trackingKey: Buffer
}

const KINDS = ['to', 'cc', 'bcc'] as const

export function createResendEmail(deps: ResendDeps): ResendEmail {
  return async (email, request, submitter, idempotency) => {
    const detail = await findEmailDetail(deps.db, email.teamId, email.id, email.sizeBytes)
    if (detail === null) {
      throw new ApiError(
        'conflict',
        'The content of this email is not kept any more: it cannot be sent again.',
      )
    }
    const bytes = await decodeMessage(detail.encoding, detail.message)
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
    return deps.acceptEmail({ ...rebuilt, ...namedBy(email, request) }, submitter, idempotency)
  }
}

/** Whom a request means: with `to` nobody else than it names. */
function namedBy({ addressees: { to, cc, bcc } }: Email, request: ResendRequest): ResendRequest {
  return request.to === undefined ? { to, cc, bcc, ...request } : request
}

/** The request that the message would be built of again: with links, a Message-ID and a date of its own. */
function rebuild(email: Email, detail: EmailDetail, bytes: Buffer, { html, text }: ReadTexts): SendRequest {
  const attachments = orderAttachments(detail.attachments, openAttachments(bytes))
  if (attachments === null) {
    throw new ApiError('conflict', 'The attachments of this email cannot be read: it cannot be sent again.')
  }
  const scope = readScope(detail.unsubscribeScope ?? '')
  return {
    from: quoteName(email.sender),
    reply_to: email.addressees.reply_to,
    subject: email.subject,
    ...(html === null ? {} : { html }),
    text: text ?? '',
    headers: Object.fromEntries(detail.headers),
    tags: email.tags,
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

/** A sender is kept with its name as people read it, which may hold what ends a name in a header (RFC 5322 section 3.4). */
function quoteName(sender: string): string {
  const [, name, address] = /^(.*) <([^<>]*)>$/s.exec(sender) ?? []
  return name === undefined ? sender : `"${name.replace(/[\\"]/g, '\\$&')}" <${address}>`
}

/** A message that somebody else wrote goes again as it is, but for what says which message it is. */
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
  const of = { teamId: email.teamId, sizeBytes: anonymous.length, handedOver: [anonymous] }
  const repaired = await workOnContent('repair', of, {
    given: anonymous,
    missing: { messageIdLocal: emailId, date: createdAt },
    entryPoint: 'http',
  })
  const rest = { emailId, createdAt, tags: email.tags, scheduledAt: null, envelopeDomains: [] }
  return submitRaw(repaired, { ...envelope, ...rest })
}

/** By SMTP a message may have come for nobody whom it names. */
function sameEnvelope({ addressees }: Email): Pick<Draft, 'recipients' | 'addressees' | 'to'> {
  const recipients = KINDS.flatMap((kind) =>
    addressees[kind].flatMap((text): Recipient[] => {
      const mailbox = parseMailbox(text)
      // An earlier grammar accepted it. Skipping it would drop a recipient silently.
      if (mailbox === null) throw invalidField(kind, `The ${kind} field must be a valid email address.`)
      return [{ kind, mailbox, key: suppressionKey(mailbox.address) }]
    }),
  )
  const byKey = new Map([...recipients].reverse().map((recipient) => [recipient.key, recipient]))
  return { recipients: [...byKey.values()].reverse(), addressees, to: [] }
}

function newEnvelope(email: Email, request: ResendRequest, now: Date) {
  // Only its recipients matter here: a raw message may have no subject and no text.
  const whole = { from: quoteName(email.sender), ...namedBy(email, request), subject: 'any', text: 'any' }
  const { recipients, addressees, to } = draftEmail(whole, now)
  return { recipients, addressees, to }
}
