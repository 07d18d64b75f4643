/** Returns a text that is longer than `charsMax` characters (code points, never half of one) without the rest. */
export function cutText(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : Array.from(text).slice(0, charsMax).join('')
}
