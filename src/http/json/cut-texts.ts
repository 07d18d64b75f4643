/** More octets than a message may have, so that a text cut here is refused as the whole would be. */
const OCTETS_MAX = 41_000_000
/** V8 keeps a character in at most two octets: fewer characters pass quickly, however many octets of UTF-8 they have. */
const CHARS_MIN = OCTETS_MAX / 2

/**
 * Cuts each text in the value, in place, whose UTF-8 has more than 41,000,000 octets and which has half as many
 * characters. Whatever field it stands in, it is too long, and its end would only hold the event loop: a text
 * passes between threads in one piece.
 */
export function cutLongTexts(value: unknown): void {
  const waiting = [value]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue
    const object = one as Record<string, unknown>
    for (const key in object) {
      const inner = object[key]
      if (typeof inner === 'string' && inner.length > CHARS_MIN) object[key] = cut(inner)
      else if (typeof inner === 'object') waiting.push(inner)
    }
  }
}

function cut(text: string): string {
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(OCTETS_MAX))
  // Up to three octets stay free before a character that no longer fits.
  return read < text.length && written > OCTETS_MAX - 4 ? text.slice(0, read) : text
}
