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
      return was === undefined ? [] : linesOf(`Changed: ${step.key}`, withType(was), withType(step))
    }),
    ...connectionLines(before.connections, after.connections),
    ...linesOf('Settings changed', before.settings, after.settings),
  ]
}

/** A config may have a type too. */
const withType = ({ type, config }: Versioned['steps'][number]) => ({ ...config, 'type of step': type })

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

function connectionLines(before: Versioned['connections'], after: Versioned['connections']): string[] {
  const isIn = (all: Versioned['connections'], { to, ...each }: Versioned['connections'][number]) =>
    all.some((other) => other.to === to && connectionId(other) === connectionId(each))
  const describe = ({ from, to, type }: Versioned['connections'][number]) =>
    `${from} → ${to} ${outcomeWord(type, true)}`.trim()
  return [
    ...after.filter((each) => !isIn(before, each)).map((each) => `Connected: ${describe(each)}`),
    ...before.filter((each) => !isIn(after, each)).map((each) => `Disconnected: ${describe(each)}`),
  ]
}
