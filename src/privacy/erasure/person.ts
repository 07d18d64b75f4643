import { domainToUnicode } from 'node:url'
import { escapeLike } from '../../db/like.ts'
import { parseMailbox, suppressionKey } from '../../mime/address.ts'
import type { OpenErasure } from './erasures-queries.ts'

/** Somebody who is to be found wherever texts name them. */
export interface Person {
  /** In the form in which addresses are compared. */
  address: string
  /** What stands in its place. */
  pseudonym: string
  /** Whether an address, with or without a display name, is theirs. */
  owns(mailbox: string): boolean
  /** A text without the address, however it is written there. */
  scrub(text: string): string
  /** A value as JSON has it, each text of it scrubbed. */
  scrubAll<T>(value: T): T
  /** Whether a text holds it, as an address of its own or as part of something else. */
  isIn(text: string): boolean
  /** Patterns of SQL's `like`, in lower case, for texts that may hold it. */
  likes: readonly string[]
}

/** `@`, and what stands for it in links and in return paths that name the recipient (VERP). */
const SEPARATORS = ['@', '=', '%40']
/** Before and behind an address; with one of these it is another one. */
const NOT_BEFORE = '(?<![\\p{L}\\p{N}._+-])'
const NOT_BEHIND = '(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])'

export function knowPerson({ address, pseudonym }: Pick<OpenErasure, 'address' | 'pseudonym'>): Person {
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
    likes: domains.flatMap((domain) =>
      ['', '"'].flatMap((quote) =>
        SEPARATORS.map((separator) => `%${escapeLike(`${local}${quote}${separator}${domain}`)}%`),
      ),
    ),
  }
}

/** Emails keep what was accepted when they were sent, also where today's grammar refuses its name or local part. */
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
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, scrubValue(item, scrub)]))
}
