import { type ApiError, invalidField } from '../../lib/api-error.ts'
import { trimSpaces } from '../address.ts'

/** One field of a header section: octets from `start` up to `end`, its last CRLF included. */
export interface HeaderField {
  /** Lower case. */
  name: string
  start: number
  end: number
}

/** More than any real header, and little enough for every server on the way. */
const FIELD_COUNT_MAX = 1000
export const HEADER_BYTES_MAX = 256 * 1024
const LINE_OCTETS_MAX = 998
const SHOWN_CHARS_MAX = 60

/** RFC 5322 section 2.2: the name is printable ASCII without colon, and the colon follows at once. */
const FIELD_NAME = /^([!-9;-~]+):/
/**
 * Controls except tab; the UTF-8 forms of C1, of the line and paragraph separators and of the byte order mark, which
 * some readers take for a line end or drop. Read as Latin-1.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNFIT = /[\x00-\x08\x0a-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]|\xef\xbb\xbf/

/** Returns a 422 error for `raw_message`. */
export function refuseRaw(message: string): ApiError {
  return invalidField('raw_message', message)
}

/**
 * Returns the end of the header section that begins at `start`: after the CRLF of its last field. The empty line or the
 * end of the message follows. -1 when it is longer than `HEADER_BYTES_MAX`, where the search stops.
 */
export function findHeaderEnd(bytes: Buffer, start: number): number {
  if (bytes[start] === 13 && bytes[start + 1] === 10) return start
  const window = bytes.subarray(start, start + HEADER_BYTES_MAX)
  const gap = window.indexOf('\r\n\r\n', 0, 'latin1')
  if (gap >= 0) return start + gap + 2
  return bytes.length - start <= HEADER_BYTES_MAX ? bytes.length : -1
}

/**
 * Returns the fields of a message's header. Rejects what parsers disagree about: lines that are not fields, a space
 * before the colon, blank lines of white space, control characters, over-long lines. Throws ApiError (422).
 */
export function readMessageHeader(bytes: Buffer): { fields: HeaderField[]; end: number } {
  const end = findHeaderEnd(bytes, 0)
  if (end < 0) {
    throw refuseRaw(`The raw_message field must not have a header of more than ${HEADER_BYTES_MAX} bytes.`)
  }
  if (end === 0) throw refuseRaw('The raw_message field must begin with header fields.')
  const fields: HeaderField[] = []
  const problem = readFields(bytes, 0, end, fields)
  if (problem !== null) throw refuseRaw(`The raw_message field has a malformed header: ${problem}.`)
  return { fields, end }
}

/**
 * Collects the fields of a header section; returns null, or the first problem, as the end of a sentence. Readable
 * fields are collected even after a problem.
 */
export function readFields(bytes: Buffer, start: number, end: number, fields: HeaderField[]): string | null {
  let problem: string | null = null
  let at = start
  for (let number = 1; at < end; number++) {
    const lineEnd = bytes.indexOf('\r\n', at, 'latin1')
    const line = bytes.toString('latin1', at, lineEnd)
    const isContinuation = line.startsWith(' ') || line.startsWith('\t')
    problem ??= findProblem(line, number, isContinuation && fields.length === 0)
    const last = fields.at(-1)
    const name = FIELD_NAME.exec(line)?.[1]
    if (isContinuation) {
      if (last !== undefined) last.end = lineEnd + 2
    } else if (name !== undefined) {
      fields.push({ name: name.toLowerCase(), start: at, end: lineEnd + 2 })
      if (fields.length > FIELD_COUNT_MAX) return `it has more than ${FIELD_COUNT_MAX} fields`
    }
    at = lineEnd + 2
  }
  return problem
}

function findProblem(line: string, number: number, isStray: boolean): string | null {
  if (line.length > LINE_OCTETS_MAX) return `line ${number} is longer than ${LINE_OCTETS_MAX} bytes`
  if (UNFIT.test(line)) return `line ${number} holds a control character`
  if (isStray || (!FIELD_NAME.test(line) && !/^[ \t]/.test(line))) {
    return `line ${number} is no header field (${shown(line)})`
  }
  return /^[ \t]*$/.test(line) ? `line ${number} holds nothing but white space` : null
}

/** A hostile line is repeated only as far as it is printable. */
function shown(line: string): string {
  return line.slice(0, SHOWN_CHARS_MAX).replace(/[^\x20-\x7e]/g, '?')
}

/** Returns a field's value, unfolded (RFC 5322 section 2.2.3) and trimmed, decoded as UTF-8 (RFC 6532). */
export function fieldValue(bytes: Buffer, field: HeaderField): string {
  const text = bytes.toString('utf8', field.start + field.name.length + 1, field.end)
  // String.trim removes more than RFC 5322 white space and would make an invalid value look valid.
  return trimSpaces(text.replaceAll('\r\n', '').replaceAll('\t', ' '))
}

/** Returns the value of the first field with that name, or null. */
export function firstValue(bytes: Buffer, fields: readonly HeaderField[], name: string): string | null {
  const field = fields.find((candidate) => candidate.name === name)
  return field === undefined ? null : fieldValue(bytes, field)
}
