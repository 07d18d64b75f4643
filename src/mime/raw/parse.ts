import { type Address, addressParser } from 'postal-mime'
import { mergeBase64Words, readWords } from '../joined-words.ts'
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

/** The parser of addresses takes quadratic time for longer values of encoded words. */
const SHORT_CHARS_MAX = 16_000
const OUTER_BLANKS = /^[ \t]+|(?<![ \t])[ \t]+$/g

/** Parses the header of a message, at most its first 256 KiB. */
export function parseHeader(message: Buffer): ReadHeader {
  const end = findHeaderEnd(message, 0)
  const headers = unfoldFields(message.toString('utf8', 0, end < 0 ? HEADER_BYTES_MAX : end))
  const valuesOf = (key: string) =>
    headers.filter(([name]) => name.toLowerCase() === key).map(([, value]) => value)
  const firstOf = (key: string) => valuesOf(key)[0] ?? ''
  const decodedOf = (key: string) => (firstOf(key) === '' ? null : readWords(firstOf(key)))
  return {
    messageId: decodedOf('message-id')?.replace(/^<|>$/g, '') ?? null,
    subject: decodedOf('subject'),
    from: mailboxes(addressesIn(firstOf('from')).slice(0, 1)),
    to: mailboxes(valuesOf('to').flatMap(addressesIn)),
    cc: mailboxes(valuesOf('cc').flatMap(addressesIn)),
    replyTo: mailboxes(valuesOf('reply-to').flatMap(addressesIn)),
    headers,
  }
}

/** Returns the names and values of fields, and lines that are none as names. */
function unfoldFields(text: string): [string, string][] {
  const [header = ''] = text.split(/(?<![^\n])\r?\n/, 1)
  const lines = header.split(/\r?\n(?![ \t])/).filter((line) => line !== '')
  return lines.map((line) => {
    const [name = '', value = ''] = line.replace(/\r?\n/g, '').split(/:(.*)/s)
    return [name.replace(OUTER_BLANKS, ''), value.replace(/\r+/g, ' ').replace(OUTER_BLANKS, '')]
  })
}

function addressesIn(value: string): Address[] {
  return addressParser(value.length > SHORT_CHARS_MAX ? mergeBase64Words(value) : value)
}

function mailboxes(addresses: Address[]): ReadMailbox[] {
  return addresses.flatMap((address) => address.group ?? [{ name: address.name, address: address.address }])
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
