/** Slightly more than the characters of a reply that patterns are matched against (shaping.ts). */
const TEXT_LENGTH = 520
/** The most steps that a pattern may need on one text, at about ten nanoseconds each. */
const STEPS_MAX = 1_000_000

/** Escapes, classes, group openings, quantifiers, and any other character. */
const TOKEN =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|\{\d+(?:,\d*)?\}|[\s\S]/g
const REFERENCE = /^\\[\dk]/

/** The parse state of one group: finished alternatives, the current one, and its last piece. */
interface Group {
  finished: number
  product: number
  last: number
  isLastGroup: boolean
}

/**
 * Returns whether a pattern can take more than a few milliseconds on a reply, whose text the server chooses. Repeated
 * groups (`(a+)+` is exponential) and back-references always can. For all other patterns, counts the ways to match: a
 * sequence multiplies them, alternatives add them, and a search starts at every character. This also rejects some
 * harmless patterns, which all have a simpler form (`.{0,40}` for `.*`).
 */
export function hasUnboundedWork(pattern: string): boolean {
  return countWays(pattern) * TEXT_LENGTH > STEPS_MAX
}

function countWays(pattern: string): number {
  const open: Group[] = []
  let group = newGroup()
  let isQuantified = false
  for (const [token] of pattern.matchAll(TOKEN)) {
    const choices = choicesOf(token)
    if (choices === null) {
      isQuantified = false
      if (token.startsWith('(')) {
        open.push(group)
        group = newGroup()
      } else if (token === ')') {
        const inner = waysOf(group)
        group = addPiece(open.pop() ?? newGroup(), inner, true)
      } else if (token === '|') group = { ...newGroup(), finished: waysOf(group) }
      else if (REFERENCE.test(token)) return Number.POSITIVE_INFINITY
      else group = addPiece(group, 1, false)
      continue
    }
    // A question mark after another quantifier makes it lazy, which changes only the order of the ways.
    if (isQuantified && token === '?') continue
    if (group.isLastGroup && token !== '?') return Number.POSITIVE_INFINITY
    group.last = token === '?' ? group.last + 1 : group.last * choices
    isQuantified = true
  }
  return waysOf(group)
}

/** Returns how many repetition counts a quantifier allows, or null if the token is no quantifier. */
function choicesOf(token: string): number | null {
  if (token === '?') return 2
  if (token === '*' || token === '+') return TEXT_LENGTH
  const [, least = '', comma, most = ''] = /^\{(\d+)(?:(,)(\d*))?\}$/.exec(token) ?? []
  if (least === '') return null
  if (comma === undefined) return 1
  return most === '' ? TEXT_LENGTH : Math.min(TEXT_LENGTH, Number(most) - Number(least) + 1)
}

const newGroup = (): Group => ({ finished: 0, product: 1, last: 1, isLastGroup: false })

function addPiece({ finished, product, last }: Group, ways: number, isLastGroup: boolean): Group {
  return { finished, product: product * last, last: ways, isLastGroup }
}

function waysOf({ finished, product, last }: Group): number {
  return finished + product * last
}
