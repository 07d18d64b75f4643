import { NAME_CORPUS } from './name-corpus.ts'

const NON_ASCII = /[^ -~]/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const HEX_LENGTH_MIN = 16
/** Codes in base 32 or 36 alternate between letters and digits often; names with numbers do so once or twice. */
const CODE_LENGTH_MIN = 8
const CODE_CHANGES_MIN = 4
const CODE_LETTERS_MEAN_MAX = 2
/** Long codes (ULID, CUID) have longer runs of letters, which must also be unlike words. */
const LONG_CODE_LENGTH_MIN = 12
const LONG_CODE_LIKENESS_MAX = 0.2
/** Fewer letters on one keyboard row may be initials. */
const WALK_LENGTH_MIN = 4

/**
 * Returns whether a local part looks like keyboard mash, a hexadecimal or base 36 code, or random letters. A
 * false positive costs a customer and a false negative costs nothing, so anything that may be a name in some
 * language is not random: short words, initials, numbers, everything outside ASCII. Ignores a label after a
 * plus sign.
 * @param local as returned by parseAddress, with any quotes
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
 * Returns whether the letters consist only of runs of three or more adjacent keys (`asdf`, `qweqwe`, `qazwsx`),
 * or of one key held down. All letters must be part of such runs, because `were`, `power` and `afghan` contain
 * some.
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
 * How unlike names a run of letters must be, by its length. Chance matters less in longer runs. Abbreviations
 * (`kvkhdhltd`, a company) are as unlike names as noise is, so short runs must differ most.
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
  return bound !== undefined && likenessOf([run]) < bound.likenessMax && !containsWord(run)
}

/** Returns whether a run contains a word: `hdfcbankltd` is a bank. */
function containsWord(run: string): boolean {
  for (let from = 0; from + WORD_LENGTH_MIN <= run.length; from++) {
    for (let to = from + WORD_LENGTH_MIN; to <= run.length; to++) {
      if (loadCorpus().words.has(run.slice(from, to))) return true
    }
  }
  return false
}

const LETTERS = 26
/** Added to the count of each pair, so that a pair missing from the corpus is unlikely but not impossible. */
const UNSEEN_COUNT = 0.5

interface Corpus {
  words: ReadonlySet<string>
  /** By first letter, then by second: ln(probability in names / probability in random letters). */
  pairs: readonly Float64Array[]
}

let corpus: Corpus | null = null

/** Loads the corpus with the first address, which takes a few milliseconds. */
function loadCorpus(): Corpus {
  if (corpus === null) {
    const words = new Set(NAME_CORPUS.trim().split(/\s+/))
    corpus = { words, pairs: countPairs(words) }
  }
  return corpus
}

/** Returns the mean over all pairs of adjacent letters: about 0.9 for names, about -1.1 for random letters. */
function likenessOf(runs: readonly string[]): number {
  const table = loadCorpus().pairs
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

/** Returns, for each letter, how much more often each letter follows it than in random text, as a natural logarithm. */
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
