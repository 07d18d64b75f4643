import { toCrlfLines, toLfText } from '../../mime/line-ends.ts'
import { parseParameterValue } from '../../mime/media-type.ts'
import { decodeText, decodeTransfer } from '../../mime/transfer-decoding.ts'
import { type Fields, findField, readSection, type Section } from './fields.ts'

/** A leaf part of a DSN. */
export interface DsnPart {
  /** Lower case, for example `message/delivery-status`. */
  type: string
  fields: Fields
  /** Decoded, with LF line ends. */
  text: string
}

export interface OpenedDsn {
  fields: Fields
  parts: readonly DsnPart[]
}

/** The report is at the start of a DSN. The returned message after it may have any size. */
const EXAMINED_BYTES_MAX = 1024 * 1024
const PART_COUNT_MAX = 100
const DEPTH_MAX = 20

/** The escape sequences of ISO-2022-JP (RFC 1468), which is often sent without a charset. */
const JAPANESE = ['\u001b$B', '\u001b$@']

interface Waiting extends Section {
  depth: number
  defaultType: string
}

/**
 * Splits a DSN into its parts, however broken its structure. Malformed parts are read as they are. Examines only the
 * first megabyte, at most 100 parts and 20 levels. Inner messages stay whole.
 */
export function openDsn(message: Buffer): OpenedDsn {
  return openText(textOfDsn(message))
}

/** Returns the text that `openText` examines. A server takes a turn of the event loop for each. */
export function textOfDsn(message: Buffer): string {
  // Messages from mbox files begin with an additional line (RFC 4155).
  return toLfText(message.subarray(0, EXAMINED_BYTES_MAX)).replace(/^(?:\n|From [^\n]*\n)+/, '')
}

export function openText(text: string): OpenedDsn {
  const top = readSection(text)
  return { fields: top.fields, parts: partsOf(top) }
}

function partsOf(top: Section): DsnPart[] {
  const parts: DsnPart[] = []
  const waiting: Waiting[] = [{ ...top, depth: 0, defaultType: 'text/plain' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const type = parseParameterValue(findField(next.fields, 'content-type') ?? next.defaultType)
    const pieces = type.value.startsWith('multipart/')
      ? splitMultipart(next.body, type.parameters.get('boundary') ?? '')
      : []
    if (pieces.length === 0) {
      const value = type.value.startsWith('multipart/') ? 'text/plain' : type.value
      parts.push(readPart(next, value, type.parameters.get('charset') ?? ''))
    }
    if (parts.length >= PART_COUNT_MAX) break
    if (next.depth >= DEPTH_MAX) continue
    const inside = {
      depth: next.depth + 1,
      defaultType: type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
    }
    for (const piece of pieces.reverse()) waiting.push({ ...readSection(piece), ...inside })
  }
  return parts
}

/** Returns the parts of a multipart. If its boundary does not occur in it, uses the first line that looks like one. */
function splitMultipart(body: string, boundary: string): string[] {
  const pieces = boundary === '' ? [] : splitAt(body, boundary)
  if (pieces.length > 0) return pieces
  const guessed = /^--([^\s-][^\n]{0,199})$/m.exec(body)?.[1]?.trim() ?? ''
  return guessed === '' ? [] : splitAt(body, guessed)
}

/** Returns the text between the delimiter lines (RFC 2046 section 5.1.1). The last one may be missing. */
function splitAt(body: string, boundary: string): string[] {
  const line = `\n--${boundary}`
  const text = `\n${body}`
  const pieces: string[] = []
  let start = -1
  for (let at = text.indexOf(line); at >= 0 && pieces.length < PART_COUNT_MAX; ) {
    const lineEnd = endOfLine(text, at + 1)
    const rest = text.slice(at + line.length, Math.min(lineEnd, at + line.length + 100)).trim()
    const next = text.indexOf(line, at + line.length)
    if (rest !== '' && rest !== '--') {
      at = next
      continue
    }
    if (start >= 0) pieces.push(text.slice(start, at))
    start = rest === '--' ? -1 : lineEnd + 1
    at = next
  }
  if (start >= 0 && start < text.length && pieces.length < PART_COUNT_MAX) pieces.push(text.slice(start))
  return pieces
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Reports that consist of fields. Without the empty line before them, they were parsed as the part's header. */
const MADE_OF_FIELDS = /^message\/(?:(?:global-)?delivery-status|feedback-report)$/

function textOfFields(fields: Fields): string {
  const own = fields.filter(({ name }) => !name.startsWith('content-'))
  return own.map(({ name, value }) => `${name}: ${value}\n`).join('')
}

function readPart({ fields, body }: Section, type: string, charset: string): DsnPart {
  const encoding = (findField(fields, 'content-transfer-encoding') ?? '').toLowerCase()
  if (body.trim() === '' && MADE_OF_FIELDS.test(type)) return { type, fields, text: textOfFields(fields) }
  const lines = Buffer.from(body, 'latin1')
  // The decoder recognizes soft line breaks by CRLF.
  const octets = decodeTransfer(encoding === 'quoted-printable' ? toCrlfLines(lines) : lines, encoding)
  return {
    type,
    fields,
    text: decodeText(octets, JAPANESE.some((shift) => body.includes(shift)) ? 'iso-2022-jp' : charset),
  }
}
