/** Letters that may stand in `filename*` as they are (RFC 8187 section 3.2.1); encodeURIComponent leaves these as well. */
const NOT_ATTR = /['()*!]/g

/**
 * The value of Content-Disposition for a file that is to be saved, never shown (RFC 6266): a name in ASCII for old programs,
 * and the whole name.
 */
export function attachmentDisposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    NOT_ATTR,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
