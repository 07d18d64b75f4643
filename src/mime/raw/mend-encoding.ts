import type { Edit } from '../edits.ts'
import type { ParameterValue } from '../media-type.ts'
import type { HeaderField } from './raw-header.ts'

/** What programs write that know no better: most readers take it as it is here. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['7bits', '7bit'],
  ['8bits', '8bit'],
  ['7', '7bit'],
  ['8', '8bit'],
  ['ascii', '7bit'],
  ['usascii', '7bit'],
  ['none', '8bit'],
  ['plain', '8bit'],
  ['utf8', '8bit'],
  ['iso88591', '8bit'],
  ['qp', 'quoted-printable'],
  ['quotedprintable', 'quoted-printable'],
  ['quotedprintible', 'quoted-printable'],
  ['b64', 'base64'],
])
const KNOWN = new Set(['7bit', '8bit', 'binary', 'base64'])
const IDENTITY = new Set(['7bit', '8bit', 'binary'])
const COMMENT = /\([^()]*\)/g

/**
 * Returns the Content-Transfer-Encoding that a token in lower case means, although it has quotes, comments, parameters,
 * blanks, hyphens or underscores that it should not have. Returns the token if it means nothing.
 * @param isMultipart whether it is that of a readable multipart, which has no encoding (RFC 2045 section 6.4); only called
 *   if that matters
 */
export function mendEncoding(encoding: string, isMultipart: () => boolean): string {
  const token = (encoding.replace(COMMENT, '').split(/[;,]/)[0] ?? '').replace(/[\s"'_-]/g, '')
  const meant = token === '' ? '8bit' : KNOWN.has(token) ? token : (MEANT.get(token) ?? encoding)
  return !IDENTITY.has(meant) && isMultipart() ? '8bit' : meant
}

/**
 * Returns the length of the text before the first delimiter of a multipart, at most `lengthMax`, or null if there is none. A
 * body with delimiters is not encoded.
 */
export function findPreamble(
  bytes: Buffer,
  bodyStart: number,
  type: ParameterValue,
  lengthMax: number,
): number | null {
  const boundary = type.parameters.get('boundary') ?? ''
  if (!type.value.startsWith('multipart/') || boundary === '') return null
  const delimiter = `\r\n--${boundary}\r\n`
  const start = bodyStart - 2
  const at = bytes.subarray(0, start + lengthMax + delimiter.length).indexOf(delimiter, start, 'latin1')
  return at < 0 ? null : at - start
}

export function encodingEdit(field: HeaderField, encoding: string): Edit {
  return {
    start: field.start,
    end: field.end,
    bytes: Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`),
  }
}
