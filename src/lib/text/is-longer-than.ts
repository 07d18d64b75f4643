/** Returns whether a text has more than `count` code points, of one or two UTF-16 units each. At once for a long text. */
export function isLongerThan(text: string, count: number): boolean {
  if (text.length <= count) return false
  if (text.length > count * 2) return true
  let codePoints = 0
  for (const _ of text) if (++codePoints > count) return true
  return false
}
