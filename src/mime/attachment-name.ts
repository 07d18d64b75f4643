const FILENAME_CHARS_MAX = 255
/** Controls, line and paragraph separators, and bidirectional controls: `exe.gpj` would read `jpg.exe`. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
/** RFC 6838 section 4.2, restricted-name, at most 127 characters each. */
const MEDIA_TYPE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/

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
 * Returns a media type in lower case, or null if it is not allowed. Parameters are not allowed, and neither are types
 * whose structure the caller's content could fake (`multipart/*`, `message/*`).
 */
export function checkContentType(type: string): string | null {
  if (!MEDIA_TYPE.test(type)) return null
  const lower = type.toLowerCase()
  return lower.startsWith('multipart/') || lower.startsWith('message/') ? null : lower
}
