import type { ConnectionType, StepKind } from '../../../../src/automations/graph/graph-types.ts'
import type { Automation } from '../../../api/records.ts'

export type Steps = Automation['steps']
export type Connections = Automation['connections']

/** What the editor changes. */
export interface EditedGraph {
  steps: Steps
  connections: Connections
}

/** A place where a step can be added: an outcome of a step. Null: the beginning. */
export interface Outcome {
  from: string
  type: ConnectionType
}

const ENDS: readonly string[] = ['exit', 'contact_delete']
const FORKS: Readonly<Record<string, readonly ConnectionType[]>> = {
  condition: ['condition_met', 'condition_not_met'],
  wait_for_event: ['event_received', 'timeout'],
}

/** Returns the outcomes of a step, each of which can lead to another step. */
export function outcomesOf({ type, config }: Steps[number]): readonly ConnectionType[] {
  if (ENDS.includes(type)) return []
  if (type === 'webhook' && 'response_timeout' in config) return ['default', 'timeout']
  if (type !== 'split' && type !== 'random_split') return FORKS[type] ?? ['default']
  const { branches } = config as { branches?: unknown[] }
  const types = (branches ?? []).map((_, index) => `branch_${index + 1}` as ConnectionType)
  return type === 'split' ? [...types, 'default'] : types
}

/** The fields of a step, by name. */
export type Config = Record<string, unknown>

const FIRST_CONFIGS: Readonly<Partial<Record<StepKind, Config>>> = {
  delay: { duration: '1 day' },
  wait_for_event: { timeout: '3 days' },
  split: { branches: [{}] },
  random_split: { branches: [{ weight: 1 }, { weight: 1 }] },
  digest: { duration: '1 hour' },
}

/** Adds a step at an outcome. What the outcome led to follows the new step. Returns the key of the step. */
export function addStep(
  { steps, connections }: EditedGraph,
  type: StepKind,
  at: Outcome | null,
): { graph: EditedGraph; key: string } {
  const key = freeKey(steps, type)
  const step = { key, type, config: FIRST_CONFIGS[type] ?? {} }
  if (at === null) return { graph: { steps: [step, ...steps], connections }, key }
  const isHere = (each: Connections[number]) => each.from === at.from && each.type === at.type
  const before = connections.find(isHere)
  const [exit] = outcomesOf(step)
  const added: Connections = [{ ...at, to: key }]
  if (before !== undefined && exit !== undefined) added.push({ from: key, to: before.to, type: exit })
  return {
    graph: {
      steps: [...steps, step],
      connections: [...connections.filter((each) => !isHere(each)), ...added],
    },
    key,
  }
}

function freeKey(steps: Steps, type: string): string {
  const keys = new Set(steps.map(({ key }) => key))
  const first = type === 'trigger' ? 'start' : type
  for (let number = 1; ; number++) {
    const key = number === 1 ? first : `${first}_${number}`
    if (!keys.has(key)) return key
  }
}

/** Removes a step. What led to it leads to the step after its first outcome. */
export function removeStep({ steps, connections }: EditedGraph, key: string): EditedGraph {
  const next = connections.find(({ from, to }) => from === key && to !== key)?.to
  const rest = connections
    .filter(({ from }) => from !== key)
    .flatMap((each) => {
      if (each.to !== key) return [each]
      return next === undefined ? [] : [{ ...each, to: next }]
    })
  return { steps: steps.filter((step) => step.key !== key), connections: rest }
}

/** Replaces the config of a step, and drops the connections of outcomes that it no longer has. */
export function setConfig({ steps, connections }: EditedGraph, key: string, config: Config): EditedGraph {
  const changed = steps.map((step) => (step.key === key ? { ...step, config } : step))
  const step = changed.find((each) => each.key === key)
  const types = step === undefined ? [] : outcomesOf(step)
  return {
    steps: changed,
    connections: connections.filter(({ from, type }) => from !== key || types.includes(type)),
  }
}

/** Lets an outcome lead to a step; null: the run ends there. */
export function connect(graph: EditedGraph, { from, type }: Outcome, to: string | null): EditedGraph {
  const others = graph.connections.filter((each) => each.from !== from || each.type !== type)
  return { ...graph, connections: to === null ? others : [...others, { from, to, type }] }
}
