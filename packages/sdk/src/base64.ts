/** Characters that one call of `fromCharCode` takes. */
const PART_LENGTH = 8_192

/** Encodes bytes of any length. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PART_LENGTH) {
    text += String.fromCharCode(...bytes.subarray(at, at + PART_LENGTH))
  }
  return btoa(text)
}

/** Throws if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
