import { isAscii } from 'node:buffer'
import { trimSpaces } from '../address.ts'
import { LINE_OCTETS_MAX } from '../line-ends.ts'
import type { HeaderProblem, MessageProblem } from './message-problem.ts'

/** One field of a header section: the octets from `start` to `end`, including its last CRLF. */
export interface HeaderField {
  /** Lower case. */
  name: string
  start: number
  end: number
}

/** More than any real header, and few enough for every server to accept. */
const FIELD_COUNT_MAX = 1000
export const HEADER_BYTES_MAX = 256 * 1024
const SHOWN_CHARS_MAX = 60

/** RFC 5322 section 2.2: the name is printable ASCII without colon, and the colon follows immediately. */
const FIELD_NAME = /^([!-9;-~]+):/
/**
 * Control characters except tab, and the UTF-8 forms of C1 controls, line and paragraph separators, and the byte order
 * mark, which some readers treat as a line end or drop. Matches text read as Latin-1.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const FORBIDDEN = /[\x00-\x08\x0a-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]|\xef\xbb\xbf/

/** The header section of a message. */
export interface MessageHeader {
  fields: HeaderField[]
  /** The end of the last field; the empty line follows. */
  end: number
}

/**
 * Returns the end of the header section that begins at `start`: the offset after the CRLF of its last field. The empty
 * line or the end of the message follows. Returns -1 if the section is longer than `HEADER_BYTES_MAX`.
 */
export function findHeaderEnd(bytes: Buffer, start: number): number {
  if (bytes[start] === 13 && bytes[start + 1] === 10) return start
  const window = bytes.subarray(start, start + HEADER_BYTES_MAX)
  const gap = window.indexOf('\r\n\r\n', 0, 'latin1')
  if (gap >= 0) return start + gap + 2
  return bytes.length - start <= HEADER_BYTES_MAX ? bytes.length : -1
}

/**
 * Returns the fields of a message's header. Rejects syntax that parsers read differently: lines that are not fields,
 * a space before the colon, blank lines of white space, control characters, over-long lines.
 */
export function readMessageHeader(bytes: Buffer): MessageHeader | MessageProblem {
  const end = findHeaderEnd(bytes, 0)
  if (end < 0) return { problem: 'long_header', bytesMax: HEADER_BYTES_MAX }
  if (end === 0) return { problem: 'no_header' }
  const fields: HeaderField[] = []
  const cause = readFields(bytes, 0, end, fields)
  return cause === null ? { fields, end } : { problem: 'malformed_header', cause }
}

/**
 * Adds the fields of a header section to `fields`. Returns the first problem, or null. Adds readable fields even
 * after a problem.
 */
export function readFields(
  bytes: Buffer,
  start: number,
  end: number,
  fields: HeaderField[],
): HeaderProblem | null {
  let problem: HeaderProblem | null = null
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
      if (fields.length > FIELD_COUNT_MAX) return { problem: 'too_many_fields', countMax: FIELD_COUNT_MAX }
    }
    at = lineEnd + 2
  }
  return problem
}

/** Returns whether the local part of an address has an octet above 127, in text read as Latin-1. Reads each octet once. */
function hasUtf8LocalPart(text: string): boolean {
  return text.split('@').some((before, index, { length }) => {
    if (index === length - 1) return false
    for (let at = before.length - (before.endsWith('"') ? 2 : 1); at >= 0; at--) {
      const char = before[at] as string
      if (/[\s<>(),;:"]/.test(char)) return false
      if (char > '\x7f') return true
    }
    return false
  })
}

/**
 * Returns the name, as written, of the field that makes a message need SMTPUTF8: the first with an address whose local
 * part is not ASCII, else the first that is not ASCII. Null if there is none.
 */
export function findUtf8Field(bytes: Buffer): string | null {
  const fields: HeaderField[] = []
  const end = findHeaderEnd(bytes, 0)
  if (end > 0) readFields(bytes, 0, end, fields)
  const foreign = fields.filter((field) => !isAscii(bytes.subarray(field.start, field.end)))
  const field =
    foreign.find(({ start, end: to }) => hasUtf8LocalPart(bytes.toString('latin1', start, to))) ?? foreign[0]
  return field === undefined ? null : bytes.toString('latin1', field.start, field.start + field.name.length)
}

export function findProblem(text: string, line: number, isStray: boolean): HeaderProblem | null {
  if (text.length > LINE_OCTETS_MAX) return { problem: 'long_line', line, octetsMax: LINE_OCTETS_MAX }
  if (FORBIDDEN.test(text)) return { problem: 'control_character', line }
  if (isStray || (!FIELD_NAME.test(text) && !/^[ \t]/.test(text))) {
    return { problem: 'not_a_field', line, shown: shown(text) }
  }
  return /^[ \t]*$/.test(text) ? { problem: 'blank_line', line } : null
}

/** Returns the printable beginning of a possibly hostile line. */
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
