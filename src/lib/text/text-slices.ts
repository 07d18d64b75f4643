/** A replacement over the whole of a text of tens of megabytes keeps an entry for every match: gigabytes for `\n` alone. */
const SLICE_CHARS = 32 * 1024
const CR = 0x0d
const LF = 0x0a

/**
 * Replaces in a text slice by slice, so that memory is bounded by one slice beside the text and its copy. No slice ends
 * between CR and LF or inside a surrogate pair. V8 represents a replacement's result as a rope with 64 bytes a match
 * until it is read: reading each slice at once keeps its rope small and short-lived.
 */
export function replaceInSlices(text: string, replace: (slice: string) => string): string {
  if (text.length <= SLICE_CHARS) return replace(text)
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = sliceEnd(text, start, SLICE_CHARS)
    const piece = replace(text.slice(start, end))
    // Reading one character flattens the rope.
    piece.charCodeAt(0)
    pieces.push(piece)
    start = end
  }
  return pieces.join('')
}

/** Returns where a slice that begins at `start` ends, at most one character beyond `chars`. */
export function sliceEnd(text: string, start: number, chars: number): number {
  const end = start + chars
  if (end >= text.length) return text.length
  const last = text.charCodeAt(end - 1)
  const next = text.charCodeAt(end)
  const isPair = (last & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00
  return isPair || (last === CR && next === LF) ? end + 1 : end
}
