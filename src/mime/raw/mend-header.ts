import { foldTokens, splitAtSpaces, textField } from '../header.ts'
import { readWords } from '../joined-words.ts'
import { LINE_OCTETS_MAX } from '../line-ends.ts'
import { tokensOf } from './header-tokens.ts'
import type { HeaderProblem, MessageProblem } from './message-problem.ts'
import { findHeaderEnd, findProblem, type MessageHeader, readMessageHeader } from './raw-header.ts'

/** The header of a submitted message, and the message with that header. */
export interface MendedHeader extends MessageHeader {
  bytes: Buffer
  /** What was wrong with lines that a signature may cover, or null. */
  mended: HeaderProblem | null
}

interface MendedField {
  /** The number of its first line. */
  line: number
  lines: string[]
}

/** The line before each message of an mbox file. */
const MBOX =
  /^>?From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) |\d)/
const SPACE_BEFORE_COLON = /^([!-9;-~]+)[ \t]+:/
const SPACES = /^[ \t]*$/
const LISTS = /^(?:to|cc|bcc|reply-to|from|sender|list-[a-z]+|keywords)$/
const PARAMETERS = /^content-(?:type|disposition)$/
const MESSAGE_IDS = /^(?:in-reply-to|references)$/
const TEXTS = /^(?:subject|comments|content-description)$/

/**
 * Reads the header of a message, and mends lines that have one meaning only: drops the line of an mbox file, white space
 * before a colon and folded lines of white space, and folds lines that are too long.
 * @param isMended false only reads
 */
export function readMendedHeader(bytes: Buffer, isMended = true): MendedHeader | MessageProblem {
  const header = readMessageHeader(bytes)
  if (!('problem' in header)) return { ...header, bytes, mended: null }
  if (!isMended || header.problem !== 'malformed_header') return header
  const end = findHeaderEnd(bytes, 0)
  const mended = mendLines(bytes.toString('latin1', 0, end - 2).split('\r\n'))
  if ('problem' in mended) return { problem: 'malformed_header', cause: mended }
  const octets = Buffer.from(mended.text, 'latin1')
  const whole = Buffer.concat([octets, bytes.subarray(end)])
  const result = readMessageHeader(whole)
  if ('problem' in result) return result
  return { ...result, bytes: whole, mended: mended.isSigned ? header.cause : null }
}

/** Returns the lines of the header, mended. `isSigned` is true if a signature may cover what changed. */
function mendLines(lines: readonly string[]): { text: string; isSigned: boolean } | HeaderProblem {
  const fields: MendedField[] = []
  let isSigned = false
  for (const [index, original] of lines.entries()) {
    if (index === 0 && MBOX.test(original)) continue
    const text = original.replace(SPACE_BEFORE_COLON, '$1:')
    const isContinuation = /^[ \t]/.test(text)
    const isDropped = SPACES.test(text) && fields.length > 0
    const problem = isDropped ? null : findProblem(text, index + 1, isContinuation && fields.length === 0)
    if (problem !== null && problem.problem !== 'long_line') return problem
    isSigned ||= text !== original || isDropped || problem !== null
    if (isContinuation && !isDropped) fields.at(-1)?.lines.push(text)
    else if (!isDropped) fields.push({ line: index + 1, lines: [text] })
  }
  const texts: string[] = []
  for (const field of fields) {
    const text = foldField(field)
    if (typeof text !== 'string') return text
    texts.push(text)
  }
  return { text: texts.join(''), isSigned }
}

/** Returns a field with its CRLF, and with lines of at most 998 octets. */
function foldField({ line, lines }: MendedField): string | HeaderProblem {
  const whole = `${lines.join('\r\n')}\r\n`
  if (lines.every((one) => one.length <= LINE_OCTETS_MAX)) return whole
  const title = whole.slice(0, whole.indexOf(':'))
  const value = lines
    .join('')
    .slice(title.length + 1)
    .replaceAll('\t', ' ')
    .trim()
  const folded = foldTokens(title, partsOf(title.toLowerCase(), value))
  if (isShort(folded)) return folded
  const text = Buffer.from(value, 'latin1').toString()
  const encoded = TEXTS.test(title.toLowerCase()) ? textField(title, readWords(text), false) : folded
  return isShort(encoded)
    ? encoded
    : { problem: 'unfoldable_line', line, name: title, octetsMax: LINE_OCTETS_MAX }
}

function isShort(field: string): boolean {
  return field.split('\r\n').every((line) => line.length <= LINE_OCTETS_MAX)
}

/** Divides a value where a line break and a space change nothing. */
function partsOf(name: string, value: string): string[] {
  if (MESSAGE_IDS.test(name)) return splitAtSpaces(value.replaceAll('><', '> <'))
  const separator = LISTS.test(name) ? ',' : PARAMETERS.test(name) ? ';' : null
  if (separator === null) return splitAtSpaces(value)
  const parts = ['']
  for (const token of tokensOf(value)) {
    parts[parts.length - 1] += token
    if (token === separator) parts.push('')
  }
  return parts.flatMap((part) => splitAtSpaces(part.trim())).filter((part) => part !== '')
}
