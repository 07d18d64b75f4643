/** The longest markup that is previewed. The browser parses it several times, and a page of a few megabytes takes seconds. */
export const MARKUP_CHARS_MAX = 256 * 1024
/** An embedded image is parsed at once, whatever its size. */
const EMBEDDED = /data:[\w/+.-]{1,100};base64,[A-Za-z0-9+/=]*/g

/**
 * Returns the beginning of long HTML, up to the end of a tag, and short HTML as it is. Embedded images do not count. The
 * browser closes what remains open.
 */
export function cutMarkup(html: string): string {
  if (html.length <= MARKUP_CHARS_MAX) return html
  let charsLeft = MARKUP_CHARS_MAX
  let at = 0
  for (const { 0: image, index } of html.matchAll(EMBEDDED)) {
    if (index - at > charsLeft) break
    charsLeft -= index - at
    at = index + image.length
  }
  if (html.length - at <= charsLeft) return html
  const end = html.lastIndexOf('>', at + charsLeft - 1)
  return html.slice(0, Math.max(at, end + 1))
}
