/** Characters of a reply that patterns are held against (shaping.ts), and a little more. */
const TEXT_LENGTH = 520
/** Hops through a pattern that may have to be tried on one text, at some ten nanoseconds each. */
const HOPS_MAX = 1_000_000

/** Escapes, classes, beginnings of groups, quantifiers, and anything else as it stands. */
const TOKEN =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|\{\d+(?:,\d*)?\}|[\s\S]/g
const REFERENCE = /^\\[\dk]/

/** What has been read of one group: alternatives that are over, the one at hand, and its last piece. */
interface Group {
  over: number
  product: number
  last: number
  isLastGroup: boolean
}

/**
 * Whether a pattern can cost more than some milliseconds on a reply, which whoever answers words as he likes. A repeated
 * group (`(a+)+` is exponential) and a reference back always can. Of all else the ways that there are to match are counted:
 * what follows each other multiplies, alternatives add up, and a search begins at every character. Some harmless patterns are
 * refused as well; all that is refused can be said more simply (`.{0,40}` for `.*`).
 */
export function hasUnboundedWork(pattern: string): boolean {
  return countWays(pattern) * TEXT_LENGTH > HOPS_MAX
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
      } else if (token === '|') group = { ...newGroup(), over: waysOf(group) }
      else if (REFERENCE.test(token)) return Number.POSITIVE_INFINITY
      else group = addPiece(group, 1, false)
      continue
    }
    // A question mark behind another quantifier makes it lazy, which changes the order of the ways alone.
    if (isQuantified && token === '?') continue
    if (group.isLastGroup && token !== '?') return Number.POSITIVE_INFINITY
    group.last = token === '?' ? group.last + 1 : group.last * choices
    isQuantified = true
  }
  return waysOf(group)
}

/** How many numbers of repetitions a quantifier allows; null: it is none. */
function choicesOf(token: string): number | null {
  if (token === '?') return 2
  if (token === '*' || token === '+') return TEXT_LENGTH
  const [, least = '', comma, most = ''] = /^\{(\d+)(?:(,)(\d*))?\}$/.exec(token) ?? []
  if (least === '') return null
  if (comma === undefined) return 1
  return most === '' ? TEXT_LENGTH : Math.min(TEXT_LENGTH, Number(most) - Number(least) + 1)
}

const newGroup = (): Group => ({ over: 0, product: 1, last: 1, isLastGroup: false })

function addPiece({ over, product, last }: Group, ways: number, isLastGroup: boolean): Group {
  return { over, product: product * last, last: ways, isLastGroup }
}

function waysOf({ over, product, last }: Group): number {
  return over + product * last
}
