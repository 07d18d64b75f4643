import type { DsnRecipient } from '../../classification/dsn.ts'
import type { Stage } from '../../classification/stages.ts'

export type Action = DsnRecipient['action']

/** What a notice claims of one recipient, as found there and not yet judged. */
export interface Claim {
  address: string | null
  /** Null where it must be told from the rest. */
  action: Action | null
  /** The Status field (RFC 3463), which often says less than the reply. */
  status: string | null
  /** The reply or the words that explain it. */
  said: string
  /** Further words about this recipient, the nearest first: asked where `said` explains nothing. */
  context: readonly string[]
  /** What the reply answered; null where the notice does not tell. */
  stage: Stage | null
  /** The host that said it. */
  host: string | null
  /** The host that wrote the notice. */
  reporter: string | null
}

/** The characters of an unquoted local part. */
const WORD = String.raw`[^\s<>()[\]"',:;=|@\u3000-\u303f\uff00-\uff65]`
/**
 * RFC 5321 section 4.1.2, loosely: what is between brackets, or what looks like an address in running text. Chinese and
 * Japanese are written without spaces: their punctuation ends it, and their letters behind a domain of ASCII.
 */
const ADDRESS =
  /<([^\s<>@]{1,256}@[^\s<>@,;]{1,255})>|((?:"[^"\n]{1,64}"|[^\s<>()[\]"',:;=|@\u3000-\u303f\uff00-\uff65]{1,256})@(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,253}\.)?[A-Za-z]{2,63}(?![A-Za-z0-9.\-\u0080-\u2fff])|[A-Za-z0-9\u0080-\u2fff\u3040-\ufeff](?:[A-Za-z0-9.\-\u0080-\u2fff\u3040-\ufeff]{0,253}[A-Za-z0-9\u0080-\u2fff\u3040-\ufeff])?))/y
/** Anchored at the start of a word: otherwise each letter of a long word would start another search for an at sign. */
const NEXT_ADDRESS = new RegExp(ADDRESS.source.replace(WORD, `(?<!${WORD})${WORD}`), 'g')
const LOOKED_CHARS_MAX = 2000
/** What stands before an address of ASCII without a space between. */
const LABEL_BEFORE = /^[\u3040-\u9fff\uac00-\ud7a3]+(?=[A-Za-z0-9][!-~]*@[!-~]+$)/
/** A reply of several lines that begins with the address: `550-ann@example.org is unknown`. */
const CODE_BEFORE = /^[45][0-57]\d-(?=[^-])/

/** The addresses in a text in their order, without brackets. */
export function findAddresses(text: string): string[] {
  const found = matchAddresses(text.slice(0, LOOKED_CHARS_MAX))
  return Array.from(found, ([, bracketed, bare]) =>
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

/** The first address in a text; null where there is none. */
export function findAddress(text: string): string | null {
  return findAddresses(text)[0] ?? null
}
