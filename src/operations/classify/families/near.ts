/** Tests a text as a regular expression does. */
export interface Words {
  test: (text: string) => boolean
}

/** Two groups of words that mean something once they stand near each other, in either order. */
export interface Family {
  subject: string
  /** Said of the subject. */
  state: string
  /** At most so many characters stand between them; 40 where it is left out. */
  gap?: number
  /** The subject also ends compounds: `Empfängerpostfach`. */
  isCompound?: true
}

const GAP_MAX = 40
const GAP_EASTERN_MAX = 20
const ENDS_SENTENCE = /[;!?\n。；]|\.(?=\s)/
const LATIN = /[a-z]/
const SOUTHERN = /[\u0370-\u06ff]/u
const EASTERN = /[\u3040-\u9fff\uac00-\ud7a3]/u

/** Returns a test for `second` behind `first` in one sentence, at most `gapMax` characters between them. */
export function follows(first: RegExp, second: RegExp, gapMax: number): Words {
  const test = (text: string) => {
    const found = placesOf(text, first)
    return found.length > 0 && isBefore(text, found, placesOf(text, second), gapMax)
  }
  return { test }
}

/** Tests for families of languages in Latin script: words begin and end where letters do. */
export function latin(families: readonly Family[]): Words[] {
  return families.flatMap((family) => inScript(LATIN, family, spaced, GAP_MAX))
}

/** Tests for families in Greek, Cyrillic, Hebrew or Arabic script; prefixes and endings are part of a word there. */
export function southern(families: readonly Family[]): Words[] {
  return families.flatMap((family) => inScript(SOUTHERN, family, joined, GAP_MAX))
}

/** Tests for families in Chinese, Japanese or Korean, which are written with few spaces or none. */
export function eastern(families: readonly Family[]): Words[] {
  return families.flatMap((family) => inScript(EASTERN, family, joined, GAP_EASTERN_MAX))
}

/** Returns one test that holds where any of them does, whatever the case of its letters. */
export function anyOf(words: readonly Words[]): Words {
  // Several tables ask for the same text in turn.
  let last = { text: '', isFound: false }
  const test = (text: string) => {
    if (text !== last.text) {
      const lower = text.toLowerCase()
      last = { text, isFound: words.some((one) => one.test(lower)) }
    }
    return last.isFound
  }
  return { test }
}

/** Letters of Latin script in lower case. The flags `i` and `u` would make an expression ten times as slow. */
const LETTER = '[a-z\u00df-\u024f\u1ea0-\u1eff]'
const IN_WORD = '[a-z0-9\u00df-\u024f\u1ea0-\u1eff]'
const spaced = (words: string, isCompound = false) => {
  const whole = words.replaceAll('\\w', IN_WORD)
  return new RegExp(`${isCompound ? '' : `(?<!${LETTER})`}(?:${whole})(?!${LETTER})`, 'g')
}
const joined = (words: string) => new RegExp(words, 'g')

function inScript(
  script: RegExp,
  { subject, state, gap, isCompound }: Family,
  compile: (words: string, isCompound?: boolean) => RegExp,
  gapMax: number,
): Words[] {
  const [subjects, states] = [compile(subject, isCompound), compile(state)]
  const near = gap ?? gapMax
  const test = (text: string) => {
    // Most texts are in another script, which one look tells.
    const found = script.test(text) ? placesOf(text, subjects) : []
    const said = found.length === 0 ? [] : placesOf(text, states)
    return isBefore(text, found, said, near) || isBefore(text, said, found, near)
  }
  return [{ test }]
}

interface Place {
  from: number
  to: number
}

function placesOf(text: string, words: RegExp): Place[] {
  return Array.from(text.matchAll(words), ({ index, 0: { length } }) => ({ from: index, to: index + length }))
}

/** Whether one of `second` stands close behind one of `first`; both are in order, and so each is looked at once. */
function isBefore(text: string, first: readonly Place[], second: readonly Place[], gapMax: number): boolean {
  let next = 0
  return second.some(({ from }) => {
    while ((first[next]?.to ?? text.length + 1) <= from) next++
    const end = first[next - 1]?.to
    return end !== undefined && from - end <= gapMax && !ENDS_SENTENCE.test(text.slice(end, from))
  })
}
