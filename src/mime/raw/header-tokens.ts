const QUOTED = /"(?:[^"\\]|\\.)*"/sy
const BRACKETED = /<[^>]*>/sy
const ATOM = /[^",:;<(]+|[\s\S]/sy

/**
 * Divides a value at quoted strings, comments, angle brackets and separators. A quote or bracket that nothing closes is part
 * of an atom. After the first, no other is searched for, so that the time stays linear.
 */
export function* tokensOf(value: string): Generator<string> {
  const isUnclosed = { '"': false, '<': false }
  for (let at = 0; at < value.length; ) {
    const first = value[at]
    let token = first === '(' ? value.slice(at, commentEnd(value, at)) : undefined
    if ((first === '"' || first === '<') && !isUnclosed[first]) {
      token = matchAt(first === '"' ? QUOTED : BRACKETED, value, at)
      isUnclosed[first] = token === undefined
    }
    token ??= matchAt(ATOM, value, at) ?? ''
    at += token.length
    yield token
  }
}

function matchAt(pattern: RegExp, value: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(value)?.[0]
}

function commentEnd(value: string, start: number): number {
  let depth = 0
  for (let at = start; at < value.length; at++) {
    if (value[at] === '\\') at++
    else if (value[at] === '(') depth++
    else if (value[at] === ')' && --depth === 0) return at + 1
  }
  return value.length
}
