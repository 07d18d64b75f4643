/**
 * Returns a pattern that matches what any of the phrases matches. Long patterns are written so, a phrase a line, and are
 * compiled once. All phrases have the same flags; groups must not be numbered.
 */
export function anyPhrase(...phrases: readonly RegExp[]): RegExp {
  const [flags = '', ...others] = new Set(phrases.map((phrase) => phrase.flags))
  if (others.length > 0) throw new Error('Phrases of one pattern differ in their flags.')
  return new RegExp(phrases.map(({ source }) => source).join('|'), flags)
}

/** Returns the source of a group that matches any of the phrases, which are patterns or their sources. */
export function oneOf(...phrases: readonly (RegExp | string)[]): string {
  return `(?:${phrases.map((phrase) => (typeof phrase === 'string' ? phrase : phrase.source)).join('|')})`
}
