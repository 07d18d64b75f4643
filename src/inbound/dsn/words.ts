import { findAddresses } from './claim.ts'

/** The part of a DSN's text about one address. */
export interface Passage {
  address: string
  /** The lines about the address. */
  text: string
}

const LINE_COUNT_MAX = 2000
const LINES_OF_PASSAGE_MAX = 25
const LINE_CHARS_MAX = 1000
const NEAR_CHARS_MAX = 40
const RECIPIENT_COUNT_MAX = 100
/** A shorter common form is a coincidence. */
const SHAPE_CHARS_MIN = 5

const RULE = /^[ \t]*[-=_*+]{3,}/
/** `550 <a@b>... User unknown`: the conclusion of Sendmail's transcript, after the lines that led to it. */
const CONCLUDED = /^[ \t]*\d{3}[ -](?:\d\.\d+\.\d+ )?<?[^\s<>]+@[^\s<>]+>?(?:\.\.\.|\s)/
const LABELLED =
  /^[ \t*]*(?:(?:the )?(?:failed|final|original|intended|bad|invalid|affected|following|destination|delivery|actual|e-?mail)[ \t]+)*(?:recipients?|addressees?|address(?:es)?|user|mailbox|destination|forward-path|rcpt to)(?:[ \t]+(?:address|name|to)|\(s\)|\(es\))*[ \t]*[:=][ \t]*[<["']?[^\s]+@/i
const LABELLED_TO = /^[ \t*]*(?:to|rcpt[ _]to)[ \t]*[:=][ \t]*[<["']?[^\s]+@/i
/** An address alone in its line, or first in it and followed by a statement about it. */
const FIRST =
  /^[ \t*•>-]*(?:To:?[ \t]+)?[<["'(]{0,2}[^\s<>()[\]"',:;@]+@[A-Za-z0-9.-]+[>\]"')]{0,2}(?:<mailto:[^>\s]*>)?(?:[ \t]*$|[ \t]*[:;,(]|\.\.\.|[ \t]+(?:on|at|\(|\[|-|[A-Z0-9"'<]|failed|was|is|could|cannot|does)|[ \t]{2,})/
/** Lines that name the sender or a contact. */
const OF_OTHERS =
  /^[ \t>]*(?:from|sender|reply-to|cc|return-path|mail from(?=[ \t]*[:<]|[ \t]+\S{1,64}@)|>>> mail|errors-to|message-id|in-reply-to|references)\b|\b(?:mail from(?=[: ]{0,2}<|:| command)|sender|return-path|envelope-from|contact|assistance)/i

const LABELLED_OTHER =
  /^[ \t>]*[\w-]{1,40}[ \t]*:[ \t]|\b(?:from(?=[ \t]*[:<]|[ \t]+\S{1,64}@)|contact|assistance|return-path)\b|[=?]/i

const LABELLED_FROM =
  /^[ \t>]*(?:from|sender|reply-to|cc|return-path|mail from(?=[ \t]*[:<]|[ \t]+\S{1,64}@)|message-id)\b/i

/** Contact addresses, never failed recipients. */
const OFFICES = /^(?:postmaster|mailer-daemon|abuse|helpdesk|support)(?:[-_.+][\w.+-]{0,60})?@/i

type Rank = 'named' | 'labelled' | 'loose'

interface Head {
  line: number
  address: string
  rank: Rank
  isConclusion: boolean
}

/**
 * Finds the recipients that a DSN written as text is about, with the lines about each. Prefers addresses that stand
 * first in a line, then those after a `To:`, then any address.
 * @param others addresses that did not fail, in lower case: those of the sender and of the DSN itself
 */
export function findPassages(words: string, others: ReadonlySet<string>): Passage[] {
  const lines = unquote(words.split('\n', LINE_COUNT_MAX).map((line) => line.slice(0, LINE_CHARS_MAX)))
  const direct = lines.flatMap((line, number) => headsOf(line, number, others))
  // A person who writes to their own address is both sender and recipient.
  const candidates =
    direct.length > 0 || others.size === 0
      ? direct
      : lines
          .flatMap((line, number) => headsOf(line, number, new Set()))
          .filter(({ rank }) => rank === 'named')
  const heads = promote(lines, withoutOrigins(words, candidates))
  for (const rank of ['named', 'labelled', 'loose'] as const) {
    const chosen = heads.filter((head) => head.rank === rank)
    if (chosen.length > 0)
      return collectPassages(lines, rank === 'loose' ? withoutAsides(lines, chosen) : chosen)
  }
  const rest = lines.flatMap((line, number) => remainingOf(line, number, others))
  return collectPassages(lines, rest.length > 0 ? rest : firstOf(lines, others))
}

/** Lines that suggest another address or a contact, and lines of a reply, which name addresses at the next server. */
const ASIDE =
  /\b(?:standard|usual|general) (?:form|format)\b|\binformazioni\b|\bfor (?:more |further )?information\b|\bquestions?\b|\+\d[\d ().-]{5,}\d|^[ \t]*[45]\d\d[ -]/i

/** Removes addresses that are not recipients, if the text names others. */
function withoutAsides(lines: readonly string[], heads: readonly Head[]): readonly Head[] {
  const rest = heads.filter(({ line }) => !ASIDE.test(lines[line] ?? ''))
  return rest.length > 0 ? rest : heads
}

const ORIGIN =
  /\b(?:expanded|generated|forwarded|redirected) from[: \t\n]{0,8}<?([^\s<>()@]{1,320}@[^\s<>()@]{1,255})/gi

/** Removes an expanded or forwarded address, which did not fail if the text names its targets. */
function withoutOrigins(words: string, heads: readonly Head[]): readonly Head[] {
  const origins = new Set(Array.from(words.matchAll(ORIGIN), ([, address]) => address?.toLowerCase()))
  const rest = heads.filter(({ address }) => !origins.has(address.toLowerCase()))
  return rest.some(({ rank }) => rank === 'named') ? rest : heads
}

/** Ranks lines of the same form alike: if one names a failed recipient, so do the others. */
function promote(lines: readonly string[], heads: readonly Head[]): Head[] {
  const shapeOf = ({ line, address }: Head) => (lines[line] ?? '').replaceAll(address, '@').trim()
  const failed = new Set(
    heads.filter(({ rank }) => rank === 'named').map(({ address }) => address.toLowerCase()),
  )
  const shapes = new Set(
    heads
      .filter(({ rank, address }) => rank !== 'named' && failed.has(address.toLowerCase()))
      .map(shapeOf)
      .filter((shape) => shape.length >= SHAPE_CHARS_MIN),
  )
  return heads.map((head) => (shapes.has(shapeOf(head)) ? { ...head, rank: 'named' } : head))
}

/** Removes the quotation marks of a DSN that a person forwarded in a mail program. */
function unquote(lines: readonly string[]): readonly string[] {
  const filled = lines.filter((line) => line.trim() !== '')
  const quoted = filled.filter((line) => line.startsWith('>'))
  return quoted.length * 2 > filled.length ? lines.map((line) => line.replace(/^> ?/, '')) : lines
}

function headsOf(line: string, number: number, others: ReadonlySet<string>): Head[] {
  if (!line.includes('@')) return []
  const isOfOthers = OF_OTHERS.test(FIRST.test(line) ? startOf(line) : line)
  const isConclusion = CONCLUDED.test(line)
  const rank = isOfOthers ? 'loose' : rankOf(line, isConclusion)
  const addresses = findAddresses(line).filter(
    (address) => !others.has(address.toLowerCase()) && !OFFICES.test(address),
  )
  if (isOfOthers && !isConclusion && !FIRST.test(line)) return []
  const named = rank === 'named' ? addresses.slice(0, 1) : [...new Set(addresses)]
  return named.map((address) => ({ line: number, address, rank, isConclusion }))
}

/** Returns the start of a line up to shortly after its address. Text further away concerns something else. */
function startOf(line: string): string {
  return line.slice(0, line.indexOf('@') + NEAR_CHARS_MAX)
}

/** Returns remaining addresses if every line is also about others. */
function remainingOf(line: string, number: number, others: ReadonlySet<string>): Head[] {
  if (!line.includes('@') || LABELLED_OTHER.test(line)) return []
  return findAddresses(line)
    .filter((address) => !others.has(address.toLowerCase()) && !OFFICES.test(address))
    .map((address) => ({ line: number, address, rank: 'loose', isConclusion: false }))
}

/** Returns only the first address. */
function firstOf(lines: readonly string[], others: ReadonlySet<string>): Head[] {
  for (const [line, text] of lines.entries()) {
    const address = findAddresses(text).find((one) => !others.has(one.toLowerCase()) && !OFFICES.test(one))
    const isOther = address === undefined || LABELLED_FROM.test(text)
    if (!isOther) return [{ line, address, rank: 'loose', isConclusion: false }]
  }
  return []
}

function rankOf(line: string, isConclusion: boolean): Rank {
  if (isConclusion || LABELLED.test(line) || FIRST.test(line)) return 'named'
  return LABELLED_TO.test(line) ? 'labelled' : 'loose'
}

/** Returns the lines before an address in its paragraph: a wrapped sentence may end with the address. */
function paragraphOf({ rank }: Head, before: readonly string[]): readonly string[] {
  const begin = before.findLastIndex((line) => line.trim() === '') + 1
  return rank === 'loose' ? before.slice(begin) : []
}

/** Returns the headings above lists of addresses, by the lines of those addresses. Headings state reasons. */
function headingsOf(lines: readonly string[], heads: readonly Head[]): Map<number, string> {
  const named = new Set(heads.map(({ line }) => line))
  const headings = new Map<number, string>()
  let current: string | null = null
  for (const [number, line] of lines.entries()) {
    if (named.has(number)) {
      if (current !== null) headings.set(number, current)
    } else current = /^[^@]{3,100}:[ \t]*$/.test(line) && named.has(number + 1) ? line : null
  }
  return new Set(headings.values()).size > 1 ? headings : new Map()
}

/** Collects the lines from each address to the next. For a conclusion, also the lines that led to it. */
function collectPassages(lines: readonly string[], heads: readonly Head[]): Passage[] {
  const passages = new Map<string, { address: string; lines: string[] }>()
  const take = (address: string, section: readonly string[]) => {
    const key = address.toLowerCase()
    const passage = passages.get(key) ?? { address, lines: [] }
    if (!passages.has(key) && passages.size < RECIPIENT_COUNT_MAX) passages.set(key, passage)
    if (passage.lines.length < LINES_OF_PASSAGE_MAX) passage.lines.push(...section)
  }
  const headings = headingsOf(lines, heads)
  let current: string | null = null
  let before: string[] = []
  let next = 0
  for (const [number, line] of lines.entries()) {
    if (RULE.test(line)) {
      current = null
      before = []
    }
    const first = next
    while (heads[next]?.line === number) next++
    const [head, ...others] = heads.slice(first, next)
    if (head !== undefined) {
      const above = headings.get(number)
      take(head.address, [
        ...(above === undefined ? [] : [above]),
        ...(head.isConclusion ? before : paragraphOf(head, before)),
        line,
      ])
      for (const other of others) take(other.address, [line])
      current = head.isConclusion && current !== head.address ? null : head.address
      before = []
    } else if (headings.has(number + 1) && line === headings.get(number + 1)) current = null
    else if (current !== null) take(current, [line])
    else if (before.length < LINES_OF_PASSAGE_MAX) before.push(line)
  }
  return [...passages.values()].map(({ address, lines: own }) => ({ address, text: own.join('\n') }))
}
