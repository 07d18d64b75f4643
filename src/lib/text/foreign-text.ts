// Controls (C0, DEL, C1) would let a third party control the reader's terminal; NUL cannot be stored; line separators
// and bidirectional overrides make a text misleading.
const UNSAFE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** Makes untrusted text safe to log, store and show; escapes stay readable (`\x1b`). */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`
  })
}

/** An address in a text, in any notation; bounded on both sides, so that no text takes long. */
const ADDRESS = /[^\s<>()[\]",;:@]{1,64}@[a-z0-9.-]{1,255}/gi

/** Removes addresses from a text: a server's reply about one recipient is shown to others who wait for it. */
export function hideAddresses(text: string): string {
  return text.replace(ADDRESS, '…')
}

/** Cuts at a whole character so that the UTF-8 form has at most `bytesMax` bytes. */
export function cutToBytes(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text
  const bytes = Buffer.from(text)
  let end = bytesMax
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
