import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'

/** The limit on the stored part of a response body, which is for people to read. */
const KEPT_BYTES_MAX = 4096

/**
 * Returns the beginning of a response body as text that is safe to store and show. Compressed bodies are not decoded,
 * because a small one may expand without limit.
 */
export function readResponseText(body: Buffer, encoding: string | undefined): string {
  const coding = encoding?.trim().toLowerCase() ?? ''
  if (coding !== '' && coding !== 'identity') return '(compressed, not shown)'
  // Drop a character that is cut in two at the end.
  const text = body.toString('utf8', 0, KEPT_BYTES_MAX)
  const lines = text.split(/\r?\n/).map((line) => escapeControls(line.replaceAll('\t', ' ')))
  return cutToBytes(lines.join('\n'), KEPT_BYTES_MAX)
}
