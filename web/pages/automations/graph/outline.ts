import type { Automation } from '../../../api/records.ts'

/** A step in the order in which runs come to it. */
export interface OutlinedStep {
  key: string
  type: string
  config: Readonly<Record<string, unknown>>
  next: readonly { to: string; type: string }[]
}

/** Returns the steps in the order of a walk from the trigger, and then those that nothing leads to. */
export function outlineOf({ steps, connections }: Pick<Automation, 'steps' | 'connections'>): OutlinedStep[] {
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const next = Map.groupBy(connections, ({ from }) => from)
  const order = new Set<string>()
  const visit = (key: string) => {
    if (order.has(key)) return
    order.add(key)
    for (const { to } of next.get(key) ?? []) visit(to)
  }
  for (const { key, type } of steps) if (type === 'trigger') visit(key)
  for (const { key } of steps) visit(key)
  return [...order].flatMap((key) => {
    const step = byKey.get(key)
    if (step === undefined) return []
    return [{ ...step, config: step.config as OutlinedStep['config'], next: next.get(key) ?? [] }]
  })
}
