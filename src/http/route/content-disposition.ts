/** Characters that encodeURIComponent keeps but `filename*` must escape (RFC 8187 section 3.2.1). */
const NOT_ATTR = /['()*!]/g

/**
 * Returns the Content-Disposition of a file that is downloaded and never shown (RFC 6266): an ASCII name for old
 * programs, and the full name.
 */
export function attachmentDisposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    NOT_ATTR,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
