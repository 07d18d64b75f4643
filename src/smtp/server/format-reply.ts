import { cutToBytes } from '../../lib/text/foreign-text.ts'
import type { ServerReply } from './smtp-types.ts'

/** RFC 5321 section 4.5.3.1.5: a reply line has 512 octets, code and CRLF included. */
const TEXT_OCTETS_MAX = 480
const LINES_MAX = 20

/** Formats a reply for the wire. The text is reduced to ASCII and cannot contain a line end. */
export function formatReply({ code, enhanced, text }: ServerReply): string {
  const prefix = enhanced === null ? '' : `${enhanced} `
  const lines = text.split('\n').slice(0, LINES_MAX)
  return lines
    .map((line, index) => {
      const separator = index === lines.length - 1 ? ' ' : '-'
      return `${code}${separator}${prefix}${cutToBytes(line.replace(/[^\x20-\x7e]/g, '?'), TEXT_OCTETS_MAX)}\r\n`
    })
    .join('')
}
