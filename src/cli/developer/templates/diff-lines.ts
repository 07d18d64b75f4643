/** Larger texts are shown as removed and added: the table of the comparison grows with the product of both. */
const CELLS_MAX = 4_000_000
const CONTEXT_LINES = 2

type Edit = ' ' | '-' | '+'

/** Returns the lines that differ, each with its sign and lines around them; empty if the texts are equal. */
export function diffLines(before: string, after: string): string[] {
  const edits = findEdits(splitLines(before), splitLines(after))
  const changes = edits.flatMap(([edit], index) => (edit === ' ' ? [] : [index]))
  const isNear = (index: number) => changes.some((one) => Math.abs(one - index) <= CONTEXT_LINES)
  return edits.flatMap(([edit, line], index) => (isNear(index) ? [`${edit}${line}`] : []))
}

function splitLines(text: string): string[] {
  if (text === '') return []
  return text.replace(/\n$/, '').split('\n')
}

/** Finds the longest common subsequence of the lines between an equal beginning and an equal end. */
function findEdits(before: readonly string[], after: readonly string[]): [Edit, string][] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const endMax = Math.min(before.length, after.length) - start
  while (end < endMax && before.at(-1 - end) === after.at(-1 - end)) end++
  const same = (lines: readonly string[]) => lines.map((line): [Edit, string] => [' ', line])
  return [
    ...same(before.slice(0, start)),
    ...compare(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ]
}

function compare(before: readonly string[], after: readonly string[]): [Edit, string][] {
  if (before.length * after.length > CELLS_MAX) {
    return [
      ...before.map((line): [Edit, string] => ['-', line]),
      ...after.map((line): [Edit, string] => ['+', line]),
    ]
  }
  const lengths = measure(before, after)
  const edits: [Edit, string][] = []
  let [left, right] = [0, 0]
  while (left < before.length || right < after.length) {
    const [old, young] = [before[left], after[right]]
    if (old !== undefined && old === young) {
      edits.push([' ', old])
      left++
      right++
    } else if (
      young === undefined ||
      (old !== undefined && cell(lengths, left + 1, right) >= cell(lengths, left, right + 1))
    ) {
      edits.push(['-', old as string])
      left++
    } else {
      edits.push(['+', young])
      right++
    }
  }
  return edits
}

const cell = (lengths: readonly Uint32Array[], left: number, right: number) => lengths[left]?.[right] ?? 0

/** Returns, for each pair of positions, how many lines the texts after them have in common. */
function measure(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let left = before.length - 1; left >= 0; left--) {
    const row = lengths[left] as Uint32Array
    for (let right = after.length - 1; right >= 0; right--) {
      row[right] =
        before[left] === after[right]
          ? cell(lengths, left + 1, right + 1) + 1
          : Math.max(cell(lengths, left + 1, right), cell(lengths, left, right + 1))
    }
  }
  return lengths
}
