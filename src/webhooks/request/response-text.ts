import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'

/** Kept of an answer's body, to be looked at by people. */
const KEPT_BYTES_MAX = 4096

/**
 * The beginning of an answer's body as text that is safe to keep and to show. What is compressed is not opened: a small one
 * may be as large as it likes inside.
 */
export function readAnswerText(body: Buffer, encoding: string | undefined): string {
  const coding = encoding?.trim().toLowerCase() ?? ''
  if (coding !== '' && coding !== 'identity') return '(compressed, not shown)'
  // A character that is cut in two at the end is left out with the cut.
  const text = body.toString('utf8', 0, KEPT_BYTES_MAX)
  const lines = text.split(/\r?\n/).map((line) => escapeControls(line.replaceAll('\t', ' ')))
  return cutToBytes(lines.join('\n'), KEPT_BYTES_MAX)
}
