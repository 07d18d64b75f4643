import type { AutomationVersion } from '../../../api/records.ts'
import { connectionId } from './graph-path.ts'
import { outcomeWord } from './words.ts'

type Versioned = Pick<AutomationVersion, 'steps' | 'connections' | 'settings'>

/** Longer values are left out: the field has changed. */
const VALUE_CHARS_MAX = 32

/** Returns the differences of two versions in words. */
export function changesOf(before: Versioned, after: Versioned): string[] {
  const old = new Map(before.steps.map((step) => [step.key, step]))
  const keys = new Set(after.steps.map(({ key }) => key))
  return [
    ...after.steps.filter(({ key }) => !old.has(key)).map(({ key }) => `Added: ${key}`),
    ...before.steps.filter(({ key }) => !keys.has(key)).map(({ key }) => `Removed: ${key}`),
    ...after.steps.flatMap((step) => {
      const was = old.get(step.key)
      return was === undefined ? [] : stepLines(was, step)
    }),
    ...connectionLines(before, after),
    ...linesOf('Settings changed', before.settings, after.settings),
  ]
}

/** Configs of different types have nothing to compare, so only the type is named. */
function stepLines(was: Versioned['steps'][number], step: Versioned['steps'][number]): string[] {
  const title = `Changed: ${step.key}`
  if (was.type !== step.type) return linesOf(title, { type: was.type }, { type: step.type })
  return linesOf(title, was.config, step.config)
}

/** Returns a line with the fields that differ; none if all are the same. */
function linesOf(title: string, before: object, after: object): string[] {
  const [old, now] = [new Map(leavesOf(before)), new Map(leavesOf(after))]
  const paths = [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path))
  if (paths.length === 0) return []
  const fields = paths.map((path) => {
    const values = [old.get(path) ?? 'none', now.get(path) ?? 'none']
    return values.some((value) => value.length > VALUE_CHARS_MAX) ? path : `${path} ${values.join(' → ')}`
  })
  return [`${title} (${fields.join(', ')})`]
}

/** Returns the values inside a record as texts, by their paths. Lists are values. */
function leavesOf(record: object, prefix = ''): [path: string, text: string][] {
  return Object.entries(record).flatMap(([name, value]) => {
    const path = `${prefix}${name}`
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return leavesOf(value as object, `${path}.`)
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
  })
}

function connectionLines(before: Versioned, after: Versioned): string[] {
  const [old, now] = [connectionWords(before), connectionWords(after)]
  return [
    ...[...now].filter(([id]) => !old.has(id)).map(([, words]) => `Connected: ${words}`),
    ...[...old].filter(([id]) => !now.has(id)).map(([, words]) => `Disconnected: ${words}`),
  ]
}

/** Returns the connections in words, by what identifies each. */
function connectionWords({ steps, connections }: Versioned): Map<string, string> {
  const types = new Map(steps.map(({ key, type }) => [key, type]))
  return new Map(
    connections.map((each) => [
      `${connectionId(each)} ${each.to}`,
      `${each.from} → ${each.to} ${outcomeWord(each.type, types.get(each.from), true)}`.trim(),
    ]),
  )
}
