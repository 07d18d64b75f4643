import { unfold } from '../../mime/custom-field.ts'
import { checkGivenHeader, type GivenFields, headersToSend, occursOnce } from '../../mime/header-name.ts'
import { describeHeaderProblem } from '../validate/message-problems.ts'
import type { Refuse } from '../validate/read-addresses.ts'

/** Custom header fields of a request, as texts by name. A list makes a field of each text. */
export type GivenHeaders = Record<string, string | readonly string[]>

const COUNT_MAX = 100

/** Reads the custom header fields of a request. Reports every problem to `refuse`. */
export function readHeaders(headers: GivenHeaders, refuse: Refuse): GivenFields {
  const fields: [string, string][] = Object.entries(headers).flatMap(([name, values]) =>
    (typeof values === 'string' ? [values] : values).map((value): [string, string] => [name, unfold(value)]),
  )
  if (fields.length > COUNT_MAX) {
    refuse('headers', `The headers field must not have more than ${COUNT_MAX} entries.`)
    return { fields: [], messageId: null }
  }
  for (const [name, value] of fields) {
    const problem = checkGivenHeader(name, value)
    if (problem !== null) refuse(pathOf(name), describeHeaderProblem(problem, name))
  }
  const seen = new Set<string>()
  for (const [name] of fields) {
    const lower = name.toLowerCase()
    if (seen.has(lower) && occursOnce(name)) {
      refuse(
        pathOf(name),
        `The ${pathOf(name)} field must have one value, because a message has only one such field.`,
      )
    }
    seen.add(lower)
  }
  return headersToSend(fields)
}

/** Names a hostile header in an error message: shortened, and without its unreadable characters. */
function pathOf(name: string): string {
  return `headers.${name.slice(0, 80).replace(/[^\x21-\x7e]/g, '?')}`
}

/** Returns header fields by name, those that occur several times as lists. */
export function groupHeaders(fields: readonly [string, string][]): Record<string, string | string[]> {
  const byName = new Map<string, string[]>()
  for (const [name, value] of fields) byName.set(name, [...(byName.get(name) ?? []), value])
  return Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values]),
  )
}
