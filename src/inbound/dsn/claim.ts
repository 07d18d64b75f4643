import type { DsnRecipient } from '../../classification/dsn.ts'
import type { Stage } from '../../classification/stages.ts'

export type Action = DsnRecipient['action']

/** A DSN's statement about one recipient, before classification. */
export interface Claim {
  address: string | null
  /** Null if it must be inferred. */
  action: Action | null
  /** The Status field (RFC 3463), often less specific than the reply. */
  status: string | null
  /** The reply or the text that explains it. */
  diagnostic: string
  /** Further text about this recipient, nearest first. Used if `diagnostic` explains nothing. */
  context: readonly string[]
  /** The stage of the reply; null if the DSN does not state it. */
  stage: Stage | null
  /** The host that sent the reply. */
  host: string | null
  /** The host that wrote the DSN. */
  reporter: string | null
}

/** The characters of an unquoted local part. */
const WORD = String.raw`[^\s<>()[\]"',:;=|@\u3000-\u303f\uff00-\uff65]`
/**
 * RFC 5321 section 4.1.2, loosely: text in brackets, or text that looks like an address. Chinese and Japanese do not
 * use spaces: their punctuation ends an address, and so do their letters after an ASCII domain.
 */
const ADDRESS =
  /<([^\s<>@]{1,256}@[^\s<>@,;]{1,255})>|((?:"[^"\n]{1,64}"|[^\s<>()[\]"',:;=|@\u3000-\u303f\uff00-\uff65]{1,256})@(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,253}\.)?[A-Za-z]{2,63}(?![A-Za-z0-9.\-\u0080-\u2fff])|[A-Za-z0-9\u0080-\u2fff\u3040-\ufeff](?:[A-Za-z0-9.\-\u0080-\u2fff\u3040-\ufeff]{0,253}[A-Za-z0-9\u0080-\u2fff\u3040-\ufeff])?))/y
/** Anchored at the start of a word. Otherwise each letter of a long word would start another search for an at sign. */
const NEXT_ADDRESS = new RegExp(ADDRESS.source.replace(WORD, `(?<!${WORD})${WORD}`), 'g')
const EXAMINED_CHARS_MAX = 2000
/** Text directly before an ASCII address without a space. */
const LABEL_BEFORE = /^[\u3040-\u9fff\uac00-\ud7a3]+(?=[A-Za-z0-9][!-~]*@[!-~]+$)/
/** A multi-line reply that begins with the address: `550-ann@example.org is unknown`. */
const CODE_BEFORE = /^[45][0-57]\d-(?=[^-])/

/** Returns the addresses in a text in order, without brackets. */
export function findAddresses(text: string): string[] {
  const matches = matchAddresses(text.slice(0, EXAMINED_CHARS_MAX))
  return Array.from(matches, ([, bracketed, bare]) =>
    (bracketed ?? bare?.replace(LABEL_BEFORE, '').replace(CODE_BEFORE, '') ?? '').replace(/^mailto:/i, ''),
  )
}

/** An address may follow another without a space. */
function* matchAddresses(text: string): Generator<RegExpExecArray> {
  for (let at = 0; ; ) {
    ADDRESS.lastIndex = at
    NEXT_ADDRESS.lastIndex = at
    const match = ADDRESS.exec(text) ?? NEXT_ADDRESS.exec(text)
    if (match === null) return
    yield match
    at = match.index + match[0].length
  }
}

/** Returns the first address in a text, or null. */
export function findAddress(text: string): string | null {
  return findAddresses(text)[0] ?? null
}
