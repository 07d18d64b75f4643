import { isAscii, isUtf8 } from 'node:buffer'
import { needsSmtpUtf8, parseAddress } from '../address.ts'
import type { Edit } from '../edits.ts'
import { encodeWords, fitsOnLines, foldTokens, parameterTokens, splitAtSpaces, textField } from '../header.ts'
import { readWords } from '../joined-words.ts'
import { tokensOf } from './header-tokens.ts'
import { fieldValue, type HeaderField } from './raw-header.ts'

const NON_ASCII = /[\u0080-\uffff]/
/** Fields of addresses, phrases or dates, in which words and comments can be encoded (RFC 2047 section 5). */
const STRUCTURED =
  /^(?:from|sender|reply-to|to|cc|list-id|date|received|disposition-notification-to|return-receipt-to|errors-to)$/
const PARAMETERS = /^content-(?:type|disposition)$/
const MESSAGE_IDS = /^(?:message-id|in-reply-to|references|content-id)$/
const URIS = /^list-(?:unsubscribe|subscribe|help|post|owner|archive)$/

/**
 * Returns the edits that write the unencoded UTF-8 of these fields in ASCII (RFC 2047, RFC 2231), as a submission server
 * may (RFC 6409 section 8): only some servers accept it (RFC 6531). Returns null if a field has an address or a
 * URL without an ASCII form. Fields in other charsets stay.
 */
export function asciiEdits(bytes: Buffer, fields: readonly HeaderField[]): Edit[] | null {
  const edits: Edit[] = []
  for (const field of fields) {
    const octets = bytes.subarray(field.start, field.end)
    if (isAscii(octets) || !isUtf8(octets)) continue
    const title = octets.toString('latin1', 0, field.name.length)
    const written = writeField(title, fieldValue(bytes, field))
    if (written === null) return null
    edits.push({ ...field, bytes: Buffer.from(written) })
  }
  return edits
}

function writeField(title: string, value: string): string | null {
  const name = title.toLowerCase()
  if (STRUCTURED.test(name)) return structuredField(title, value)
  if (PARAMETERS.test(name)) return foldTokens(title, withAsciiParameters(value).split(/(?<=;) +/))
  if (MESSAGE_IDS.test(name)) return messageIdsField(title, value)
  if (URIS.test(name)) return urisField(title, value)
  return textField(title, readWords(value), false)
}

/** Returns null if a line would be too long, because the octets of a character take three characters each. */
function urisField(title: string, value: string): string | null {
  const uris = value.replace(/[\u0080-\uffff]+/g, encodeURI).split(/ +/)
  return fitsOnLines(uris, title.length) ? foldTokens(title, uris) : null
}

/** Leaves out identifiers that are not ASCII: no message has them (RFC 5322 section 3.6.4). */
function messageIdsField(title: string, value: string): string {
  const ids = value.split(/ +/).filter((id) => !NON_ASCII.test(id))
  return ids.length === 0 ? '' : foldTokens(title, ids)
}

const PARAMETER = /;[ \t]*([^\s=;"]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s;"]*)/gs

function withAsciiParameters(value: string): string {
  return value.replaceAll(PARAMETER, (whole, name: string, raw: string) => {
    if (!NON_ASCII.test(raw)) return whole
    const text = raw.startsWith('"') ? raw.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : raw
    return `; ${parameterTokens(name.replace(/\*.*/, ''), text).join('; ')}`
  })
}

function structuredField(title: string, value: string): string | null {
  let written = ''
  /** The words since the last separator, which are a display name, or an address without brackets. */
  let words = ''
  for (const token of tokensOf(value)) {
    if (/^<./s.test(token)) {
      const address = asciiAddress(token.slice(1, -1))
      if (address === null) return null
      written += `${asciiPhrase(words)}<${address}>`
      words = ''
    } else if (token === ':') {
      written += `${asciiPhrase(words)}:`
      words = ''
    } else if (token === ',' || token === ';') {
      const bare = asciiBare(words)
      if (bare === null) return null
      written += `${bare}${token}`
      words = ''
    } else {
      words += token.startsWith('(') ? asciiComment(token) : token
    }
  }
  const last = asciiBare(words)
  return last === null ? null : foldTokens(title, splitAtSpaces(`${written}${last}`.trim()))
}

function asciiComment(comment: string): string {
  if (!NON_ASCII.test(comment)) return comment
  const text = comment.slice(1).replace(/\)$/, '')
  return `(${encodeWords(readWords(text.replaceAll(/\\(.)/gs, '$1'))).join(' ')})`
}

/** Encodes a phrase as a whole, because a reader drops the space between two encoded words. */
function asciiPhrase(words: string): string {
  if (!NON_ASCII.test(words)) return words
  const text = words.replaceAll(/\\(.)|"/gs, '$1')
  const before = words.startsWith(' ') ? ' ' : ''
  return `${before}${encodeWords(readWords(text.trim())).join(' ')} `
}

function asciiBare(words: string): string | null {
  if (!NON_ASCII.test(words)) return words
  const address = asciiAddress(words.trim())
  if (address !== null) return `${words.startsWith(' ') ? ' ' : ''}${address}`
  return words.includes('@') ? null : asciiPhrase(words).trimEnd()
}

/** Returns the address with its domain in A-labels, or null if its local part is not ASCII either. */
function asciiAddress(text: string): string | null {
  if (!NON_ASCII.test(text)) return text
  const mailbox = parseAddress(text)
  return mailbox === null || needsSmtpUtf8(mailbox) ? null : mailbox.address
}
