import { domainToUnicode } from 'node:url'
import { escapeLike } from '../../db/like.ts'
import { parseMailbox, suppressionKey } from '../../mime/address.ts'
import type { OpenErasure } from './erasures-queries.ts'

/** A person to find in texts. */
export interface Person {
  /** In normalized form. */
  address: string
  /** Replaces the address. */
  pseudonym: string
  /** Returns whether an address, with or without a display name, is the person's. */
  owns(mailbox: string): boolean
  /** Returns a text without the address in any spelling. */
  scrub(text: string): string
  /**
   * Returns a JSON value with every text scrubbed, also the names of fields. In JSON text, a line break is `\n`, whose `n`
   * looks like a letter before the address, so `scrub` would miss it.
   */
  scrubAll<T>(value: T): T
  /** Returns whether a text contains the address, even as a part of something else. */
  isIn(text: string): boolean
  /** Patterns of SQL's `like`, in lower case, for texts and JSON that may contain the address. */
  likes: readonly string[]
}

/** `@`, and its substitutes in links and in return paths that name the recipient (VERP). */
const SEPARATORS = ['@', '=', '%40']
/** Characters before and after an address that make it a different one. */
const NOT_BEFORE = '(?<![\\p{L}\\p{N}._+-])'
const NOT_BEHIND = '(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])'

export function createPerson({ address, pseudonym }: Pick<OpenErasure, 'address' | 'pseudonym'>): Person {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domains = [...new Set([address.slice(at + 1), domainToUnicode(address.slice(at + 1))])]
  const written = `${escapePattern(local)}"?(?:${SEPARATORS.join('|')})(?:${domains.map(escapePattern).join('|')})`
  const naming = new RegExp(`${NOT_BEFORE}${written}${NOT_BEHIND}`, 'giu')
  const scrub = (text: string) => text.replace(naming, pseudonym)
  return {
    address,
    pseudonym,
    owns: (mailbox) => suppressionKey(addressIn(mailbox)) === address,
    scrub,
    isIn: (text) => new RegExp(written, 'iu').test(text),
    scrubAll: (value) => scrubValue(value, scrub) as typeof value,
    likes: likesOf(
      domains.flatMap((domain) =>
        ['', '"'].flatMap((quote) => SEPARATORS.map((separator) => `${local}${quote}${separator}${domain}`)),
      ),
    ),
  }
}

/** Returns patterns of `like` for these spellings, as they stand in texts and in JSON. */
function likesOf(spellings: readonly string[]): string[] {
  const inJson = spellings.map((text) => JSON.stringify(text).slice(1, -1))
  return [...new Set([...spellings, ...inJson])].map((text) => `%${escapeLike(text)}%`)
}

/** Returns the address in a mailbox. Stored emails may have names and local parts that today's grammar rejects. */
function addressIn(mailbox: string): string {
  const text = mailbox.trimEnd()
  return (
    parseMailbox(mailbox)?.address ?? (text.endsWith('>') ? text.slice(text.lastIndexOf('<') + 1, -1) : text)
  )
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function scrubValue(value: unknown, scrub: (text: string) => string): unknown {
  if (typeof value === 'string') return scrub(value)
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, scrub))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [scrub(key), scrubValue(item, scrub)]))
}
