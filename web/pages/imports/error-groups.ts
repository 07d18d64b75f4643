import type { ImportError } from '../../api/records.ts'

/** Rows that were skipped for the same reason. */
export interface ErrorGroup {
  message: string
  count: number
  /** Different cells at fault, the first ones. */
  values: string[]
  lines: number[]
}

const SHOWN_MAX = 3

/** Groups errors by their reason, the most frequent first. */
export function groupErrors(errors: readonly ImportError[]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>()
  for (const { message, value, line } of errors) {
    const group = groups.get(message) ?? { message, count: 0, values: [], lines: [] }
    groups.set(message, group)
    group.count += 1
    if (group.lines.length < SHOWN_MAX) group.lines.push(line)
    if (value !== null && group.values.length < SHOWN_MAX && !group.values.includes(value))
      group.values.push(value)
  }
  return [...groups.values()].sort((one, other) => other.count - one.count)
}
