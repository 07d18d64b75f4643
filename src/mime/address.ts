import { domainToASCII } from 'node:url'

/** One mailbox of RFC 5322 section 3.4 within the policy of `parseAddress`. */
export interface Mailbox {
  /** Display name, decoded and unquoted; empty when there is none. */
  name: string
  /** As given, including quotes. */
  local: string
  /** A-labels, lower case. */
  domain: string
  /** `local@domain`, the argument of RCPT TO. */
  address: string
}

/** Longer input is rejected before it is parsed, so that hostile megabytes cost nothing. */
const MAILBOX_CHARS_MAX = 2000
const ADDRESS_CHARS_MAX = 600
/** RFC 5321 section 4.5.3.1; 254 fits into a path of 256 with its brackets. */
const LOCAL_OCTETS_MAX = 64
const DOMAIN_OCTETS_MAX = 253
export const ADDRESS_OCTETS_MAX = 254

/** Controls, lone surrogates, separators, and invisible characters. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Z}\u00ad\u200b\u2060\ufeff]/u
/**
 * Characters that make an address look like a different one: bidirectional controls (UAX 9) and wide forms of @.
 */
const DECEPTIVE = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe6b\uff20]/
const FORBIDDEN_IN_TEXT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u
/** Local parts that some programs decode (RFC 2047), or split after they strip the quotes. */
const MISREAD_LOCAL = /=\?[^?]*\?[^?]*\?|^".*[@,;:<>()\\]/s
const NON_ASCII = /[\u0080-\uffff]/
/** RFC 5321 section 4.1.2, Dot-string, with the UTF8-non-ascii of RFC 6531 section 3.3. */
const DOT_STRING =
  /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\uffff]+(?:\.[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\uffff]+)*$/
/** RFC 5321 section 4.1.2, Quoted-string. */
const QUOTED_LOCAL = /^"(?:[ !#-[\]-~\u0080-\uffff]|\\[ -~])*"/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/**
 * A last label that makes URL parsers read the domain as an IPv4 address (WHATWG URL section 3.5). No top-level domain
 * has this form.
 */
const NUMERIC_LABEL = /^(?:\d+|0x[0-9a-f]*)$/

/**
 * Returns a dotted domain as A-labels in lower case, or null. UTS 46 maps U-labels and the other forms of the dot.
 * Single labels, numeric last labels, underscores, a trailing dot and literals are rejected.
 */
export function asciiDomain(text: string): string | null {
  if (text.length === 0 || text.length > ADDRESS_CHARS_MAX) return null
  const ascii = NON_ASCII.test(text) ? mapToAscii(text) : text.toLowerCase()
  if (ascii.length > DOMAIN_OCTETS_MAX) return null
  const labels = ascii.split('.')
  if (labels.length < 2 || NUMERIC_LABEL.test(labels.at(-1) as string)) return null
  return labels.every((label) => LABEL.test(label)) ? ascii : null
}

/**
 * `domainToASCII` parses a URL host: it decodes %61 and drops tabs. The ASCII characters are therefore checked first.
 */
function mapToAscii(text: string): string {
  if (FORBIDDEN.test(text) || DECEPTIVE.test(text) || /[^A-Za-z0-9.\-\u0080-\uffff]/.test(text)) return ''
  return domainToASCII(text)
}

/**
 * Parses an address without a display name. Returns null if Sendwright does not accept it.
 *
 * JSON, raw messages and SMTP share one policy: a mailbox of RFC 5321 section 4.1.2 with a dotted domain, UTF-8 as in
 * RFC 6531; quoted local parts are accepted. These are rejected although a standard allows them: address literals,
 * single labels, comments and folding white space, obsolete local parts (`a."b"@c`), numeric top-level domains, control
 * characters, encoded words, quoted local parts with any of `@,;:<>()\`, deceptive characters, and text over the limits
 * (local part 64 octets, domain 253, together 254). Does not query DNS; delivery does.
 */
export function parseAddress(text: string): Mailbox | null {
  return parseNamed('', text)
}

function parseNamed(name: string, text: string): Mailbox | null {
  if (text.length > ADDRESS_CHARS_MAX) return null
  const local = text.startsWith('"') ? QUOTED_LOCAL.exec(text)?.[0] : text.slice(0, text.indexOf('@'))
  if (local === undefined || text[local.length] !== '@') return null
  if (!local.startsWith('"') && !DOT_STRING.test(local)) return null
  if (MISREAD_LOCAL.test(local)) return null
  if (NON_ASCII.test(local) && (DECEPTIVE.test(local) || FORBIDDEN.test(local.replaceAll(' ', ''))))
    return null
  const domain = asciiDomain(text.slice(local.length + 1))
  if (domain === null) return null
  const octets = Buffer.byteLength(local)
  if (octets > LOCAL_OCTETS_MAX || octets + 1 + domain.length > ADDRESS_OCTETS_MAX) return null
  return { name, local, domain, address: `${local}@${domain}` }
}

/**
 * Removes leading and trailing spaces (U+0020), which people often paste with an address. Every address field ignores
 * them, and no other white space.
 */
export function trimSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === ' ') start++
  while (end > start && text[end - 1] === ' ') end--
  return text.slice(start, end)
}

/**
 * Returns the address of an address-only field in canonical form, or null if it is invalid. Ignores surrounding spaces.
 * A display name is not allowed.
 */
export function readAddressKey(text: string): string | null {
  const mailbox = parseAddress(trimSpaces(text))
  return mailbox === null ? null : suppressionKey(mailbox.address)
}

/** Returns whether text, decoded and unquoted, can stand beside an address as its display name. */
export function isDisplayName(text: string): boolean {
  return !FORBIDDEN_IN_TEXT.test(text) && !DECEPTIVE.test(text) && !/[<>]/.test(text)
}

/** Returns a mailbox with a quoted display name, which may contain any characters of one (RFC 5322 section 3.2.4). */
export function quotedMailbox(name: string, address: string): string {
  return `"${name.replace(/[\\"]/g, '\\$&')}" <${address}>`
}

/** Returns whether text contains characters that make an address look like a different one. */
export function isDeceptive(text: string): boolean {
  return DECEPTIVE.test(text)
}

/**
 * Parses one mailbox: `a@b.c`, or `Name <a@b.c>` with or without quotes around the name. Returns null if it is invalid.
 * Ignores surrounding spaces.
 */
export function parseMailbox(text: string): Mailbox | null {
  if (text.length > MAILBOX_CHARS_MAX || FORBIDDEN_IN_TEXT.test(text)) return null
  const trimmed = trimSpaces(text)
  if (!trimmed.endsWith('>')) return parseAddress(trimmed)
  const open = findOutsideQuotes(trimmed, '<')
  if (open < 0) return null
  const name = readName(trimmed.slice(0, open).trim())
  return name === null ? null : parseNamed(name, trimmed.slice(open + 1, -1))
}

function findOutsideQuotes(text: string, target: string): number {
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') quoted = !quoted
    else if (quoted && character === '\\') at++
    else if (!quoted && character === target) return at
  }
  return -1
}

/** Reads a phrase (RFC 5322 section 3.2.5). Outside quotes, also accepts common forms (`Acme, Inc.`, `Ann (Sales)`). */
function readName(phrase: string): string | null {
  if (phrase.length === 0) return ''
  let name = ''
  let bare = ''
  let at = 0
  for (const word of phrase.matchAll(/"((?:[^"\\]|\\.)*)"|[^"]+/gsy)) {
    at += word[0].length
    if (word[1] === undefined) bare += word[0]
    name += word[1] === undefined ? word[0] : word[1].replace(/\\(.)/gs, '$1')
  }
  if (at !== phrase.length || bare.includes('>')) return null
  // `a@b.c, d@e.f <g@h.i>` is a list: accepting only its last address would silently drop the others.
  if (bare.includes('@') && /[,;]/.test(bare)) return null
  return isDisplayName(name) ? name.trim() : null
}

/**
 * Returns the canonical form in which addresses are compared (for suppression): lower case, the domain as A-labels, a
 * local part without unnecessary quotes. Text that is not an address is only lower-cased.
 */
export function suppressionKey(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return address.toLowerCase()
  const host = address.slice(at + 1).replace(/\.$/, '')
  const domain = asciiDomain(host) ?? host.toLowerCase()
  return `${plainLocal(address.slice(0, at)).normalize('NFC').toLowerCase()}@${domain}`
}

function plainLocal(local: string): string {
  if (QUOTED_LOCAL.exec(local)?.[0] !== local) return local
  const content = local.slice(1, -1).replace(/\\([ -~])/g, '$1')
  return DOT_STRING.test(content) ? content : `"${content.replace(/[\\"]/g, '\\$&')}"`
}

/**
 * Returns whether only a server with SMTPUTF8 (RFC 6531) can accept this mailbox. Every domain has an ASCII form, but a
 * non-ASCII local part has none.
 */
export function needsSmtpUtf8(mailbox: Mailbox): boolean {
  return NON_ASCII.test(mailbox.local)
}
