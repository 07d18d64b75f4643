import PostalMime, { type Address } from 'postal-mime'
import { toCrlfLines } from '../line-ends.ts'
import { decodeText, decodeTransfer } from '../transfer-decoding.ts'
import { isProblem } from './message-problem.ts'
import { attachedParts, describeAttachment, isBodyText, type RawAttachment } from './raw-attachments.ts'
import { findHeaderEnd, HEADER_BYTES_MAX, type HeaderField, readFields } from './raw-header.ts'
import { type RawPart, readStructure } from './raw-structure.ts'

/** The sender and recipients that a message names. */
export interface ReadHeader {
  messageId: string | null
  subject: string | null
  from: ReadMailbox[]
  to: ReadMailbox[]
  cc: ReadMailbox[]
  replyTo: ReadMailbox[]
  /** In order, names as written, values unfolded but not decoded. */
  headers: [string, string][]
}

/** The main text of a message. Line ends are LF. */
export interface ReadTexts {
  html: string | null
  text: string | null
}

interface ReadAttachment extends RawAttachment {
  content: Buffer
}

/** An attachment, decoded on demand. */
export interface OpenAttachment extends RawAttachment {
  read(): Buffer
}

interface ReadMailbox {
  name: string
  address: string
}

/** Parses the header of a message, at most its first 256 KiB. */
export async function parseHeader(message: Buffer): Promise<ReadHeader> {
  const end = findHeaderEnd(message, 0)
  // Never pass the body to this parser: it creates an object for each line, and millions of lines would take gigabytes.
  const email = await PostalMime.parse(message.subarray(0, end < 0 ? HEADER_BYTES_MAX : end))
  return {
    messageId: email.messageId?.replace(/^<|>$/g, '') ?? null,
    subject: email.subject ?? null,
    from: mailboxes(email.from === undefined ? undefined : [email.from]),
    to: mailboxes(email.to),
    cc: mailboxes(email.cc),
    replyTo: mailboxes(email.replyTo),
    headers: email.headers.map(({ originalKey, value }) => [originalKey, value]),
  }
}

function mailboxes(addresses: Address[] | undefined): ReadMailbox[] {
  return (addresses ?? []).flatMap(
    (address) => address.group ?? [{ name: address.name, address: address.address }],
  )
}

/** Returns the text of a message, the inverse of `buildMessage` (line ends as LF). */
export function readTexts(message: Buffer): ReadTexts {
  const bytes = toCrlfLines(message)
  const parts = partsOf(bytes)
  return { html: joinTexts(bytes, parts, 'text/html'), text: joinTexts(bytes, parts, 'text/plain') }
}

/** Returns the attachments of a message, at most a hundred. */
export function parseAttachments(message: Buffer): ReadAttachment[] {
  return openAttachments(message).map(({ read, ...described }) => {
    const content = read()
    return { ...described, size: content.length, content }
  })
}

/** Finds the attachments of a message, at most a hundred. */
export function openAttachments(message: Buffer): OpenAttachment[] {
  const bytes = toCrlfLines(message)
  return attachedParts(bytes, partsOf(bytes)).map((part) => ({
    ...describeAttachment(bytes, part),
    read: () => decodeTransfer(bytes.subarray(part.bodyStart, part.bodyEnd), part.encoding),
  }))
}

/** Returns the parts of a message, or none if its structure exceeds the limits. */
function partsOf(bytes: Buffer): RawPart[] {
  const end = findHeaderEnd(bytes, 0)
  const fields: HeaderField[] = []
  if (end < 0) return []
  readFields(bytes, 0, end, fields)
  const structure = readStructure(bytes, fields, end)
  return isProblem(structure) ? [] : structure.parts
}

function joinTexts(bytes: Buffer, parts: readonly RawPart[], type: string): string | null {
  const texts = parts.filter((part) => part.type.value === type && isBodyText(bytes, part))
  return texts.length === 0 ? null : texts.map((part) => textOf(bytes, part)).join('\n')
}

function textOf(bytes: Buffer, part: RawPart): string {
  const body = bytes.subarray(part.bodyStart, part.bodyEnd)
  // A line end before a boundary is part of the boundary. The one that ends the message is not part of the text either.
  const isLast = part.bodyEnd === bytes.length && body.toString('latin1', body.length - 2) === '\r\n'
  const octets = decodeTransfer(isLast ? body.subarray(0, -2) : body, part.encoding)
  return decodeText(octets, part.type.parameters.get('charset') ?? '')
}
