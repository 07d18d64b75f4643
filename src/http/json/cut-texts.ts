/** More octets than a message may have, so that a text cut here is refused as the whole would be. */
const OCTETS_MAX = 41_000_000
/** V8 keeps a character in at most two octets: fewer characters pass quickly, however many octets of UTF-8 they have. */
const CHARS_MIN = OCTETS_MAX / 2

/** The fields that may be as long as a message. */
const CONTENT = new Set(['html', 'text', 'raw_message', 'content'])
/** More characters than any other field may have. */
const OTHER_CHARS_MAX = 2_000_000

/**
 * Cuts each text in the value, in place, that is too long for its field: of content, whose UTF-8 has more than 41,000,000
 * octets, and half as many characters; of other fields, two million characters. What is cut off would only hold the event
 * loop: a text passes between threads in one piece.
 */
export function cutLongTexts(value: unknown): void {
  const waiting = [value]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue
    const object = one as Record<string, unknown>
    for (const key in object) {
      const inner = object[key]
      if (typeof inner === 'string') object[key] = cut(inner, CONTENT.has(key))
      else if (typeof inner === 'object') waiting.push(inner)
    }
  }
}

function cut(text: string, isContent: boolean): string {
  if (!isContent) return text.length > OTHER_CHARS_MAX ? text.slice(0, OTHER_CHARS_MAX) : text
  if (text.length <= CHARS_MIN) return text
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(OCTETS_MAX))
  // Up to three octets stay free before a character that no longer fits.
  return read < text.length && written > OCTETS_MAX - 4 ? text.slice(0, read) : text
}
