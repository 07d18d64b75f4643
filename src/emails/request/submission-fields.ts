import { createHash } from 'node:crypto'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { parseScheduledAt } from '../../lib/time/scheduled-at.ts'
import type { Mailbox } from '../../mime/address.ts'
import { suppressionKey } from '../../mime/address.ts'
import { toCrlfLines } from '../../mime/line-ends.ts'
import { readMendedHeader } from '../../mime/raw/mend-header.ts'
import { isProblem } from '../../mime/raw/message-problem.ts'
import { fieldValue, HEADER_BYTES_MAX } from '../../mime/raw/raw-header.ts'
import type { TakenField } from '../../mime/raw/raw-message.ts'
import { REQUIRE_TLS } from '../../mime/require-tls.ts'
import { MAIL_CLASSES, type MailClass } from '../../queue/mail-class.ts'
import { type Idempotency, readIdempotencyKey } from '../idempotency/idempotency-key.ts'
import { messageError } from '../validate/message-problems.ts'
import type { Recipient } from '../validate/read-addresses.ts'
import { readTagFields } from './read-tags.ts'

/**
 * Header fields of a submitted message that carry settings which the API takes as JSON. They are removed before
 * delivery.
 */
const KEY = 'idempotency-key'
const PREFIX = 'x-sendwright-'
const TAG = 'x-sendwright-tag'
const TAGS = 'x-sendwright-tags'
const SCHEDULED_AT = 'x-sendwright-scheduled-at'
const CLASS = 'x-sendwright-class'
const KNOWN = new Set([KEY, TAG, TAGS, SCHEDULED_AT, CLASS, REQUIRE_TLS])
const NAME_CHARS_MAX = 60

/** Returns whether a header field is for this service and is removed before delivery. */
export function isForService(name: string): boolean {
  return name === KEY || name.startsWith(PREFIX)
}

/** Reads the tags, the schedule and the class from the header fields for the service. Throws ApiError (422). */
export function readServiceFields(
  fields: readonly TakenField[],
  now: Date,
): { tags: { name: string; value: string }[]; scheduledAt: Date | null; isBulk: boolean } {
  const unknown = fields.find(({ name }) => !KNOWN.has(name))
  if (unknown !== undefined) throw refuseUnknown(unknown.name)
  const valuesOf = (fieldName: string) =>
    fields.filter(({ name }) => name === fieldName).map(({ value }) => value)
  const tags = readTagFields(valuesOf(TAG), valuesOf(TAGS))
  return { tags, scheduledAt: readSchedule(fields, now), isBulk: readClass(fields) === 'bulk' }
}

/**
 * Rejects an unknown field. Ignoring it would send mail without its tag or too early. Relayed mail is not
 * affected: no copy that leaves this service carries such a field.
 */
function refuseUnknown(name: string): ApiError {
  return invalidField(
    'raw_message',
    `There is no field ${name.slice(0, NAME_CHARS_MAX)}. The fields for the service are X-Sendwright-Tag, X-Sendwright-Tags, X-Sendwright-Scheduled-At, X-Sendwright-Class and X-Sendwright-Require-TLS.`,
  )
}

function readSchedule(fields: readonly TakenField[], now: Date): Date | null {
  const [first, second] = fields.filter(({ name }) => name === SCHEDULED_AT)
  if (first === undefined) return null
  if (second !== undefined) throw invalidField('scheduled_at', 'The scheduled_at field occurs twice.')
  const parsed = parseScheduledAt(first.value, now)
  if (parsed instanceof Date) return parsed
  throw invalidField('scheduled_at', parsed.problem)
}

function readClass(fields: readonly TakenField[]): MailClass {
  const [first, second] = fields.filter(({ name }) => name === CLASS)
  if (first === undefined) return 'transactional'
  if (second !== undefined) throw invalidField('class', 'The class field occurs twice.')
  const value = first.value.trim().toLowerCase()
  const mailClass = MAIL_CLASSES.find((name) => name === value)
  if (mailClass !== undefined) return mailClass
  throw invalidField('class', `The class field must be one of ${MAIL_CLASSES.join(', ')}.`)
}

/** Fields that a program generates again each time it builds the same message. */
const VOLATILE = new Set(['date', 'message-id', 'received', 'return-path', 'dkim-signature', KEY])
const KEY_FIELD = /^idempotency-key:/im
/** Boundary parameters, and lines that may be built from them (RFC 2046 section 5.1.1). */
const BOUNDARY = /(boundary="?|^--)([^\s";]{1,72})/gim
const BOUNDARIES_MAX = 100
/** Boundaries beyond this count are compared unchanged, which bounds the work on any message. */
const BOUNDARY_PLACES_MAX = 10_000

/** Returns false if a message has no Idempotency-Key, true if it may have one. */
export function hasMessageKey(message: Buffer): boolean {
  return KEY_FIELD.test(message.toString('latin1', 0, HEADER_BYTES_MAX))
}

/**
 * Returns the Idempotency-Key of a message, or null if it has none. A mailer that repeats a message rebuilds it
 * with a new date, Message-ID and boundaries: two messages that differ only in these are the same request.
 */
export function readMessageIdempotency(message: Buffer, recipients: readonly string[]): Idempotency | null {
  if (!hasMessageKey(message)) return null
  const header = readMendedHeader(toCrlfLines(message))
  if (isProblem(header)) throw messageError(header, 'submission')
  const { bytes, fields, end } = header
  const keys = fields.filter(({ name }) => name === KEY)
  if (keys.length === 0) return null
  if (keys.length > 1) throw new ApiError('invalid_idempotency_key')
  const key = readIdempotencyKey(fieldValue(bytes, keys[0] as (typeof keys)[0]))
  const lasting = fields.filter(({ name }) => !VOLATILE.has(name))
  const lastingHeader = lasting.map((field) => bytes.toString('latin1', field.start, field.end)).join('')
  const hash = createHash('sha256').update(JSON.stringify([...recipients].sort()))
  const text = lastingHeader + bytes.toString('latin1', end)
  for (const piece of withoutBoundaries(text)) hash.update(piece, 'latin1')
  return { key, requestHash: hash.digest() }
}

/** Yields the text with numbers in place of its boundaries. A boundary is declared before it is used. */
function* withoutBoundaries(text: string): Generator<string> {
  const numbers = new Map<string, string>()
  let at = 0
  let placesLeft = BOUNDARY_PLACES_MAX
  for (const { 0: whole, 1: lead = '', 2: word = '', index } of text.matchAll(BOUNDARY)) {
    if (placesLeft-- === 0) break
    const isNamed = lead !== '--'
    if (isNamed && !numbers.has(word) && numbers.size < BOUNDARIES_MAX) {
      numbers.set(word, `b${numbers.size}`)
    }
    const isLast = !isNamed && word.endsWith('--') && !numbers.has(word)
    const number = numbers.get(isLast ? word.slice(0, -2) : word)
    if (number === undefined) continue
    yield text.slice(at, index + lead.length) + number + (isLast ? '--' : '')
    at = index + whole.length
  }
  yield text.slice(at)
}

const BETWEEN_ADDRESSES = /[\s<>,;:"()[\]]+/
const FIELD_CHARS_MAX = 64 * 1024

/**
 * Returns the envelope's recipients with their kind: to or cc if the message names them there, else bcc. The
 * kind only affects how recipients are shown; the envelope alone decides who receives the message.
 */
export function namedRecipients(
  mailboxes: readonly Mailbox[],
  header: { to: string; cc: string },
): Recipient[] {
  const to = addressKeys(header.to)
  const cc = addressKeys(header.cc)
  return mailboxes.map((mailbox) => {
    const key = suppressionKey(mailbox.address)
    return { kind: to.has(key) ? 'to' : cc.has(key) ? 'cc' : 'bcc', mailbox, key }
  })
}

/** Splits instead of matching: a pattern with letters around the @ would rescan from each letter of a long word. */
function addressKeys(value: string): Set<string> {
  const words = value.slice(0, FIELD_CHARS_MAX).split(BETWEEN_ADDRESSES)
  return new Set(words.filter((word) => word.includes('@')).map(suppressionKey))
}
