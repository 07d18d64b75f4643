import { type FieldErrors, throwInvalid } from '../../lib/api-error.ts'
import { parseScheduledAt } from '../../lib/time/scheduled-at.ts'
import type { Mailbox } from '../../mime/address.ts'
import { cleanFilename } from '../../mime/attachment-name.ts'
import { unfold } from '../../mime/custom-field.ts'
import { readWords } from '../../mime/joined-words.ts'
import type { MailClass } from '../../queue/mail-class.ts'
import type { EmailTag } from '../../queue/types.ts'
import type { GivenValues } from '../../templates/render-template.ts'
import { type Addressed, type Refuse, readAddressees, readFrom } from '../validate/read-addresses.ts'
import { type GivenHeaders, readHeaders } from './read-headers.ts'
import { type GivenTag, readEmailTags } from './read-tags.ts'
import { isTopic, type UnsubscribeScope } from './unsubscribe-scope.ts'

/** The body of POST /emails after schema validation. The rules beyond its shape are checked in this file. */
export interface SendRequest {
  from?: string
  to?: string | string[]
  cc?: string | string[]
  bcc?: string | string[]
  reply_to?: string | string[]
  subject?: string
  html?: string | null
  text?: string | null
  headers?: GivenHeaders
  tags?: GivenTag[]
  scheduled_at?: string | null
  attachments?: AttachmentRequest[]
  /** Supplies fields that the request leaves out (fill-from-template.ts). */
  template?: { id: string; variables?: GivenValues }
  /** The list or the topic that the one recipient can unsubscribe from. */
  unsubscribe?: { list_id?: string; topic?: string }
  class?: MailClass
}

export interface AttachmentRequest {
  filename?: string
  content?: string | { type: 'Buffer'; data: Uint8Array | unknown[] }
  path?: string
  content_type?: string
  content_id?: string
}

/** A request with every field validated and its addresses parsed. Nothing is looked up yet. */
export interface Draft extends Addressed {
  from: Mailbox
  subject: string
  html: string | null
  text: string | null
  headers: [string, string][]
  /** The Message-ID among the given header fields. */
  messageId: string | null
  tags: EmailTag[]
  attachments: AttachmentRequest[]
  scheduledAt: Date | null
  unsubscribe: UnsubscribeScope | null
  isBulk: boolean
}

const SUBJECT_LENGTH_MAX = 998
const FILENAME_LENGTH_MAX = 255

/** Line breaks and NUL end header fields. The other control characters, except tab, are never valid in one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/

/**
 * Validates every field of a send request. Throws one validation ApiError that names all problems.
 * @param now the time that `scheduled_at` is compared with
 */
export function draftEmail(request: SendRequest, now: Date): Draft {
  const errors: FieldErrors = {}
  const refuse = (field: string, message: string) => {
    errors[field] ??= []
    errors[field].push(message)
  }
  const from = readFrom(request.from, refuse)
  const addressed = readAddressees(request, refuse)
  const subject = readSubject(request.subject, refuse)
  // An empty html counts as absent. An empty text with an html suppresses the derived text part.
  const html = request.html || null
  const text = request.text ?? null
  if (html === null && (text ?? '') === '') {
    refuse('html', 'The html field is required when text is not present.')
    refuse('text', 'The text field is required when html is not present.')
  }
  const { fields, messageId } = readHeaders(request.headers ?? {}, refuse)
  const tags = readEmailTags(request.tags ?? [], refuse)
  checkAttachmentNames(request.attachments ?? [], refuse)
  const scheduledAt = readScheduledAt(request.scheduled_at, now, refuse)
  const unsubscribe = readUnsubscribe(request, addressed.recipients.length, refuse)

  throwInvalid(errors)
  return {
    ...addressed,
    from: from as Mailbox,
    subject,
    html,
    text,
    headers: fields,
    messageId,
    tags,
    attachments: request.attachments ?? [],
    scheduledAt,
    unsubscribe,
    isBulk: request.class === 'bulk',
  }
}

function readSubject(text: string | undefined, refuse: Refuse): string {
  const folded = unfold(text ?? '')
  // Encoded words that hide control characters stay text.
  const decoded = readWords(folded)
  const subject = CONTROL.test(decoded) ? folded : decoded
  if (subject === '') refuse('subject', 'The subject field is required.')
  else if (CONTROL.test(subject)) {
    refuse('subject', 'The subject field must not contain line breaks or control characters.')
  } else if (codePoints(subject) > SUBJECT_LENGTH_MAX) {
    refuse('subject', `The subject field must not be greater than ${SUBJECT_LENGTH_MAX} characters.`)
  }
  return subject
}

/** Counts Unicode code points, the unit of length limits (API-19). */
function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function checkAttachmentNames(attachments: readonly AttachmentRequest[], refuse: Refuse): void {
  for (const [index, attachment] of attachments.entries()) {
    const path = `attachments.${index}`
    const both = attachment.content !== undefined && attachment.path !== undefined
    if (both || (attachment.content === undefined && attachment.path === undefined)) {
      refuse(`${path}.content`, `The ${path}.content field is required, or else ${path}.path.`)
    }
    if (!attachment.filename) {
      if (attachment.path === undefined) {
        refuse(`${path}.filename`, `The ${path}.filename field is required.`)
      }
    } else {
      const reason = validateFilename(attachment.filename)
      if (reason !== null) refuse(`${path}.filename`, `The ${path}.filename field ${reason}`)
    }
  }
}

/** Returns the reason to reject a file name, or null if its base name is valid. */
function validateFilename(name: string): string | null {
  if (!CONTROL.test(name) && cleanFilename(name) !== null) return null
  return !CONTROL.test(name) && codePoints(name) > FILENAME_LENGTH_MAX
    ? `must not be greater than ${FILENAME_LENGTH_MAX} characters.`
    : 'must be a file name without control characters.'
}

function readScheduledAt(text: string | null | undefined, now: Date, refuse: Refuse): Date | null {
  if (text === undefined || text === null) return null
  const parsed = parseScheduledAt(text, now)
  if (parsed instanceof Date) return parsed
  refuse('scheduled_at', parsed.problem)
  return null
}

/** The header fields that `unsubscribe` sets (RFC 2369, RFC 8058). */
const LIST_UNSUBSCRIBE = /^list-unsubscribe(-post)?$/i

/**
 * Reads `unsubscribe`, which allows only one recipient: each recipient needs a personal link, and all
 * recipients of an email receive the same message.
 */
function readUnsubscribe(
  { unsubscribe, headers = {} }: SendRequest,
  recipientCount: number,
  refuse: Refuse,
): UnsubscribeScope | null {
  if (unsubscribe === undefined) return null
  const { list_id: listId, topic } = unsubscribe
  if ((listId === undefined) === (topic === undefined)) {
    refuse('unsubscribe', 'The unsubscribe field needs either list_id or topic.')
  }
  if (topic !== undefined && !isTopic(topic)) {
    const field = 'unsubscribe.topic'
    refuse(
      field,
      `The ${field} field must be 1 to 100 characters (300 octets) without line breaks or space at its ends.`,
    )
  }
  if (recipientCount > 1) {
    refuse('unsubscribe', 'An email with unsubscribe must have one recipient: send a batch to reach more.')
  }
  const own = Object.keys(headers).find((name) => LIST_UNSUBSCRIBE.test(name))
  if (own !== undefined)
    refuse(`headers.${own}`, `The headers.${own} field must not be given with unsubscribe.`)
  return listId !== undefined
    ? { kind: 'list', listId: listId.toLowerCase() }
    : { kind: 'topic', topic: topic ?? '' }
}
