import type { AutomationVersion } from '../../../api/records.ts'

type Graph = Pick<AutomationVersion, 'steps' | 'connections' | 'settings'>

/** Returns the differences of two versions in words. */
export function changesOf(before: Graph, after: Graph): string[] {
  const old = new Map(before.steps.map((step) => [step.key, JSON.stringify(step)]))
  const keys = new Set(after.steps.map(({ key }) => key))
  const added = after.steps.filter(({ key }) => !old.has(key))
  const removed = before.steps.filter(({ key }) => !keys.has(key))
  const changed = after.steps.filter(
    (step) => old.has(step.key) && old.get(step.key) !== JSON.stringify(step),
  )
  const lines = [
    ...added.map(({ key }) => `Added: ${key}`),
    ...removed.map(({ key }) => `Removed: ${key}`),
    ...changed.map(({ key }) => `Changed: ${key}`),
  ]
  if (JSON.stringify(before.connections) !== JSON.stringify(after.connections))
    lines.push('Connections changed')
  if (JSON.stringify(before.settings) !== JSON.stringify(after.settings)) lines.push('Settings changed')
  return lines
}
