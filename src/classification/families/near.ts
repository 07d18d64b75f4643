/** Tests a text, like the method of a regular expression. */
export interface Words {
  test: (text: string) => boolean
}

/** Two groups of words that have a meaning when they are close to each other, in either order. */
export interface Family {
  subject: string
  /** Words that describe the subject. */
  state: string
  /** Most characters between them; 40 by default. */
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

/** Returns a test for `first` followed by `second` in one sentence, with at most `gapMax` characters between them. */
export function follows(first: RegExp, second: RegExp, gapMax: number): Words {
  const test = (text: string) => {
    const subjectPlaces = placesOf(text, first)
    return subjectPlaces.length > 0 && isBefore(text, subjectPlaces, placesOf(text, second), gapMax)
  }
  return { test }
}

/** Builds tests for languages in Latin script, where words end with their letters. */
export function latin(families: readonly Family[]): Words[] {
  return families.flatMap((family) => inScript(LATIN, family, spaced, GAP_MAX))
}

/** Builds tests for Greek, Cyrillic, Hebrew and Arabic script, where prefixes and endings are part of a word. */
export function southern(families: readonly Family[]): Words[] {
  return families.flatMap((family) => inScript(SOUTHERN, family, joined, GAP_MAX))
}

/** Builds tests for Chinese, Japanese and Korean, which use few spaces or none. */
export function eastern(families: readonly Family[]): Words[] {
  return families.flatMap((family) => inScript(EASTERN, family, joined, GAP_EASTERN_MAX))
}

/** Returns a test that passes if any of the tests passes, regardless of case. */
export function anyOf(words: readonly Words[]): Words {
  // Several tables test the same text one after another.
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

/** Lower-case letters of Latin script. The flags `i` and `u` would make an expression ten times slower. */
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
    // Most texts are in another script, which one test shows.
    const subjectPlaces = script.test(text) ? placesOf(text, subjects) : []
    const statePlaces = subjectPlaces.length === 0 ? [] : placesOf(text, states)
    return (
      isBefore(text, subjectPlaces, statePlaces, near) || isBefore(text, statePlaces, subjectPlaces, near)
    )
  }
  return [{ test }]
}

interface Place {
  from: number
  to: number
}

function placesOf(text: string, words: RegExp): Place[] {
  // Most texts have none. `matchAll` copies the expression for each text, which costs more than the search.
  if (text.search(words) === -1) return []
  return Array.from(text.matchAll(words), ({ index, 0: { length } }) => ({ from: index, to: index + length }))
}

/** Returns whether one of `second` closely follows one of `first`. Both are sorted, so each is visited once. */
function isBefore(text: string, first: readonly Place[], second: readonly Place[], gapMax: number): boolean {
  let next = 0
  return second.some(({ from }) => {
    while ((first[next]?.to ?? text.length + 1) <= from) next++
    const end = first[next - 1]?.to
    return end !== undefined && from - end <= gapMax && !ENDS_SENTENCE.test(text.slice(end, from))
  })
}
