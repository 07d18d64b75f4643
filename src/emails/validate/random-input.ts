import { NAME_CORPUS } from './name-corpus.ts'

const NON_ASCII = /[^ -~]/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const HEX_LENGTH_MIN = 16
/** Codes in base 32 or 36 change between letters and digits all the time; names with numbers do so once or twice. */
const CODE_LENGTH_MIN = 8
const CODE_CHANGES_MIN = 4
const CODE_LETTERS_MEAN_MAX = 2
/** Long ones (ULID, CUID) have longer stretches of letters: those must also be unlike words. */
const LONG_CODE_LENGTH_MIN = 12
const LONG_CODE_LIKENESS_MAX = 0.2
/** Fewer letters on a keyboard's row are initials. */
const WALK_LENGTH_MIN = 4

/**
 * Whether a local part looks as if nobody chose it: a hand rolled over the keyboard, a hexadecimal or base 36 code, letters
 * drawn by lot. A wrong "yes" costs a customer, a wrong "no" costs nothing, so whatever may be a name in some language
 * is none: short words, initials, numbers, everything outside ASCII. What follows a plus sign is the owner's own label and
 * is not looked at.
 * @param local as parseAddress gives it, quotes included
 */
export function looksRandom(local: string): boolean {
  if (NON_ASCII.test(local)) return false
  const name = (local.replaceAll('"', '').split('+')[0] as string).toLowerCase()
  if (UUID.test(name)) return true
  const tokens = name.match(/[a-z0-9]+/g) ?? []
  return isKeyboardWalk(name.replace(/[^a-z]/g, '')) || tokens.some(isCode) || letterRuns(name).some(isNoise)
}

function letterRuns(text: string): string[] {
  return text.match(/[a-z]+/g) ?? []
}

function isCode(token: string): boolean {
  const runs = letterRuns(token)
  if (runs.length === 0) return false
  const hasDigit = /\d/.test(token)
  if (token.length >= HEX_LENGTH_MIN && hasDigit && /^[0-9a-f]+$/.test(token)) return true
  const changes = (token.match(/[a-z]+|\d+/g) ?? []).length - 1
  if (token.length < CODE_LENGTH_MIN || changes < CODE_CHANGES_MIN) return false
  const letters = runs.reduce((sum, run) => sum + run.length, 0)
  if (letters / runs.length <= CODE_LETTERS_MEAN_MAX) return true
  return token.length >= LONG_CODE_LENGTH_MIN && likenessOf(runs) < LONG_CODE_LIKENESS_MAX
}

const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const COLUMNS = ['qaz', 'wsx', 'edc', 'rfv', 'tgb', 'yhn', 'ujm']
const LINES = [...ROWS, ...COLUMNS].flatMap((line) => [line, [...line].reverse().join('')])

/**
 * Letters that are nothing but stretches of three or more neighbouring keys (`asdf`, `qweqwe`, `qazwsx`), or one key held
 * down. All of them must be: `were`, `power` and `afghan` have such stretches too.
 */
function isKeyboardWalk(letters: string): boolean {
  if (letters.length < WALK_LENGTH_MIN) return false
  if (/^(.)\1{4,}$/.test(letters)) return true
  let at = 0
  while (at < letters.length) {
    const length = walkLengthAt(letters, at)
    if (length < 3) return false
    at += length
  }
  return true
}

function walkLengthAt(letters: string, from: number): number {
  let longest = 0
  for (const line of LINES) {
    const start = line.indexOf(letters[from] as string)
    if (start < 0) continue
    let length = 1
    while (line[start + length] !== undefined && line[start + length] === letters[from + length]) length++
    longest = Math.max(longest, length)
  }
  return longest
}

/**
 * How unlike names a run of so many letters must be. The more letters, the less chance has a say. Abbreviations
 * (`kvkhdhltd`, a company) are as unlike names as noise is: that is why short runs must be so very unlike them.
 */
const NOISE: readonly { lettersMin: number; likenessMax: number }[] = [
  { lettersMin: 12, likenessMax: -0.85 },
  { lettersMin: 10, likenessMax: -1.1 },
  { lettersMin: 8, likenessMax: -1.35 },
  { lettersMin: 7, likenessMax: -1.6 },
]
const WORD_LENGTH_MIN = 4

function isNoise(run: string): boolean {
  const bound = NOISE.find(({ lettersMin }) => run.length >= lettersMin)
  return bound !== undefined && likenessOf([run]) < bound.likenessMax && !holdsWord(run)
}

/** `hdfcbankltd` is a bank, whatever stands around the word. */
function holdsWord(run: string): boolean {
  for (let from = 0; from + WORD_LENGTH_MIN <= run.length; from++) {
    for (let to = from + WORD_LENGTH_MIN; to <= run.length; to++) {
      if (learnt().words.has(run.slice(from, to))) return true
    }
  }
  return false
}

const LETTERS = 26
/** Added to the count of each pair, so that one that the corpus lacks is unlikely and not impossible. */
const UNSEEN_COUNT = 0.5

interface Learnt {
  words: ReadonlySet<string>
  /** By first letter, then by second: ln(probability in names / probability by lot). */
  pairs: readonly Float64Array[]
}

let kept: Learnt | null = null

/** The corpus is read when the first address is judged: it takes a few milliseconds. */
function learnt(): Learnt {
  if (kept === null) {
    const words = new Set(NAME_CORPUS.trim().split(/\s+/))
    kept = { words, pairs: countPairs(words) }
  }
  return kept
}

/** The mean over all pairs of neighbouring letters: about 0.9 for names, about -1.1 for letters drawn by lot. */
function likenessOf(runs: readonly string[]): number {
  const table = learnt().pairs
  let sum = 0
  let pairs = 0
  for (const run of runs) {
    for (let at = 0; at + 1 < run.length; at++) {
      sum += table[letterAt(run, at)]?.[letterAt(run, at + 1)] as number
      pairs++
    }
  }
  return pairs === 0 ? 0 : sum / pairs
}

function letterAt(text: string, at: number): number {
  return text.charCodeAt(at) - 97
}

/** For each letter, how much more often than by lot each other one follows it, as a natural logarithm. */
function countPairs(names: ReadonlySet<string>): Float64Array[] {
  const counts = Array.from({ length: LETTERS }, () => new Float64Array(LETTERS).fill(UNSEEN_COUNT))
  for (const name of names) {
    for (let at = 0; at + 1 < name.length; at++) {
      const row = counts[letterAt(name, at)] as Float64Array
      row[letterAt(name, at + 1)] = (row[letterAt(name, at + 1)] as number) + 1
    }
  }
  return counts.map((row) => {
    const sum = row.reduce((one, other) => one + other, 0)
    return row.map((count) => Math.log((count / sum) * LETTERS))
  })
}
