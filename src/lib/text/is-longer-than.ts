/** Returns whether a text has more than `count` code points, of one or two UTF-16 units each. At once for a long text. */
export function isLongerThan(text: string, count: number): boolean {
  if (text.length <= count) return false
  if (text.length > count * 2) return true
  // Iterating over code points makes a string of each, which takes twenty times as long as reading the units.
  let pairsLeft = text.length - count
  for (let at = 1; at < text.length; at++) {
    if (!isPair(text.charCodeAt(at - 1), text.charCodeAt(at))) continue
    if (--pairsLeft === 0) return false
  }
  return true
}

function isPair(first: number, second: number): boolean {
  return first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000
}
