import { isUtf8 } from 'node:buffer'
import { type Mailbox, needsSmtpUtf8 } from '../address.ts'
import type { Edit } from '../edits.ts'
import { addressField } from '../header.ts'
import { isProblem, type MessageProblem } from './message-problem.ts'
import { fieldValue, firstValue, type HeaderField, type MessageHeader } from './raw-header.ts'
import { isDeceptiveField, mendHeaderMailbox, parseHeaderMailbox } from './raw-mailbox.ts'

/** The authors of a message, and the edits that write their fields anew. */
export interface Senders {
  from: Mailbox
  /** The Sender field, if there is one. */
  sender: Mailbox | null
  edits: Edit[]
}

interface ReadMailbox {
  mailbox: Mailbox
  isMended: boolean
}

const RECEIVED_COUNT_MAX = 50
/** RFC 5322 section 3.6 and RFC 2045 section 3: at most once each. */
const SINGLETONS = [
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
  'content-id',
  'content-description',
]
/** Address fields that are not parsed, because the envelope determines the recipients. */
const SHOWN_ADDRESSES = ['to', 'cc', 'reply-to']
const SIGNING_DOMAIN = /(?:^|;) *d *= *([^; ]*)/

/**
 * Reads From and Sender. Their domains are written in the verified form, because only some readers treat full-width
 * letters and U-labels as equal.
 * @param isMended whether a field with one reading is written anew, unless another domain has signed it
 */
export function readSenders(
  bytes: Buffer,
  { fields, end }: MessageHeader,
  isMended: boolean,
): Senders | MessageProblem {
  if (!isUtf8(bytes.subarray(0, end))) return { problem: 'header_charset' }
  const from = checkCounts(fields) ?? readMailbox(bytes, fields, 'from', isMended)
  if (from === null) return { problem: 'not_one_from' }
  if (isProblem(from)) return from
  const sender = readMailbox(bytes, fields, 'sender', isMended)
  if (sender !== null && isProblem(sender)) return sender
  const isSigned = fields.some((field) => isForeignSignature(bytes, field, from.mailbox))
  if (isSigned && from.isMended) return { problem: 'signed_address', name: 'from' }
  if (isSigned && sender?.isMended) return { problem: 'signed_address', name: 'sender' }
  const edits = [
    ...rewriteMailbox(bytes, fields, 'from', from),
    ...(sender === null ? [] : rewriteMailbox(bytes, fields, 'sender', sender)),
  ]
  return { from: from.mailbox, sender: sender?.mailbox ?? null, edits }
}

/** Returns the problem of the first field of recipients with deceptive characters. */
export function checkShownAddresses(bytes: Buffer, fields: readonly HeaderField[]): MessageProblem | null {
  const name = SHOWN_ADDRESSES.find((one) => isDeceptiveField(firstValue(bytes, fields, one) ?? ''))
  return name === undefined ? null : { problem: 'deceptive_address', name }
}

/** Returns whether the field is a DKIM signature that stays: one of another domain. Sendwright replaces that of From. */
export function isForeignSignature(bytes: Buffer, field: HeaderField, from: Mailbox): boolean {
  if (field.name !== 'dkim-signature') return false
  const domain = SIGNING_DOMAIN.exec(fieldValue(bytes, field))?.[1]?.toLowerCase()
  return domain !== undefined && domain !== from.domain
}

function checkCounts(fields: readonly HeaderField[]): MessageProblem | null {
  const counts = new Map<string, number>()
  for (const { name } of fields) counts.set(name, (counts.get(name) ?? 0) + 1)
  const twice = SINGLETONS.find((name) => (counts.get(name) ?? 0) > 1)
  if (twice === 'from') return { problem: 'not_one_from' }
  if (twice !== undefined) return { problem: 'repeated_field', name: twice }
  if ((counts.get('received') ?? 0) <= RECEIVED_COUNT_MAX) return null
  return { problem: 'too_many_received', countMax: RECEIVED_COUNT_MAX }
}

/** Returns null if there is no such field. */
function readMailbox(
  bytes: Buffer,
  fields: readonly HeaderField[],
  name: 'from' | 'sender',
  isMended: boolean,
): ReadMailbox | MessageProblem | null {
  const value = firstValue(bytes, fields, name)
  if (value === null) return null
  const plain = parseHeaderMailbox(value)
  if (plain !== null) return { mailbox: plain, isMended: false }
  const mended = mendHeaderMailbox(value)
  if ('fault' in mended) return { problem: 'not_one_address', name, fault: mended.fault }
  if (!isMended) return { problem: 'not_one_address', name, fault: 'not_plain' }
  return { mailbox: mended, isMended: true }
}

function rewriteMailbox(
  bytes: Buffer,
  fields: readonly HeaderField[],
  name: 'from' | 'sender',
  { mailbox, isMended }: ReadMailbox,
): Edit[] {
  const field = fields.find((candidate) => candidate.name === name)
  if (field === undefined) return []
  const value = fieldValue(bytes, field).replace(/>$/, '')
  if (!isMended && value.toLowerCase().endsWith(`@${mailbox.domain}`)) return []
  const title = name === 'from' ? 'From' : 'Sender'
  return [{ ...field, bytes: Buffer.from(addressField(title, [mailbox], needsSmtpUtf8(mailbox))) }]
}
