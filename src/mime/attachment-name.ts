import { parameterTokens } from './header.ts'
import { parseParameterValue } from './media-type.ts'

export const DEFAULT_TYPE = 'application/octet-stream'
const FILENAME_CHARS_MAX = 255
/** Controls, line and paragraph separators, and bidirectional controls: `exe.gpj` would read `jpg.exe`. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
/** RFC 6838 section 4.2, restricted-name, at most 127 characters each. */
const MEDIA_TYPE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/
/** Types of which the charset is meant. */
const TEXT_TYPE = /^text\/|[/+](?:xml|json|javascript)$/
const TYPE_CHARS_MAX = 255
const PRINTABLE = /^[ -~]+$/
/** RFC 2045 section 5.1. A star belongs to RFC 2231, by which parameters are written where they need it. */
const TOKEN = /^[A-Za-z0-9!#$&+.^_`{|}~-]+$/

/**
 * Returns the base name of a file name, without Unix or Windows folders, drive letter, and invisible characters.
 * Returns null if the name contains CR, LF or NUL, or if nothing or more than 255 code points remain.
 */
export function cleanFilename(name: string): string | null {
  if (/[\r\n\0]/.test(name)) return null
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  if (base.length > 4 * FILENAME_CHARS_MAX) return null
  const clean = base
    .toWellFormed()
    .replace(HIDDEN, '')
    .replace(/^[A-Za-z]:/, '')
    .trim()
  if (clean === '' || clean === '.' || clean === '..') return null
  return Array.from(clean).length <= FILENAME_CHARS_MAX ? clean : null
}

/**
 * Returns a media type as it is written into a message: in lower case, with its parameters, and null if it is malformed.
 * The file's name, and the charset of a type that is not text, are left out. Types whose structure the content could
 * fake (`multipart/*`, `message/*`) become `application/octet-stream`.
 */
export function checkContentType(contentType: string): string | null {
  const { value, parameters, isExact } = parseParameterValue(contentType.trim())
  if (!isExact || !PRINTABLE.test(contentType) || !MEDIA_TYPE.test(value)) return null
  if (/^(?:multipart|message)\//.test(value)) return DEFAULT_TYPE
  const kept = [...parameters].filter(
    ([name]) => !/^name\b/.test(name) && (name !== 'charset' || TEXT_TYPE.test(value)),
  )
  if (kept.some(([name]) => !TOKEN.test(name))) return null
  const type = [value, ...kept.flatMap(([name, text]) => parameterTokens(name, text))].join('; ')
  return type.length <= TYPE_CHARS_MAX ? type : null
}
