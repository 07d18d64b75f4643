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
  const { branches } = config as { branches?: unknown }
  const types = Array.isArray(branches) ? branches.map((_, index) => branchType(index)) : []
  return type === 'split' ? [...types, 'default'] : types
}

const branchType = (index: number) => `branch_${index + 1}` as ConnectionType

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
  const { connections: kept } = withoutLeftovers({ steps, connections })
  const next = kept.find(({ from, to }) => from === key && to !== key)?.to
  const rest = connections
    .filter(({ from }) => from !== key)
    .flatMap((each) => {
      if (each.to !== key) return [each]
      return next === undefined ? [] : [{ ...each, to: next }]
    })
  return { steps: steps.filter((step) => step.key !== key), connections: rest }
}

/**
 * Replaces the config of a step. Connections of outcomes that it no longer has are left over: they count again if the outcome
 * comes back, as when a field is emptied to type another value.
 */
export function setConfig({ steps, connections }: EditedGraph, key: string, config: Config): EditedGraph {
  return { steps: steps.map((step) => (step.key === key ? { ...step, config } : step)), connections }
}

/** Removes a branch of a split with its connection. Those of later branches move up with them. */
export function removeBranch({ steps, connections }: EditedGraph, key: string, index: number): EditedGraph {
  const config = steps.find((step) => step.key === key)?.config as { branches?: unknown } | undefined
  const branches = Array.isArray(config?.branches) ? (config.branches as unknown[]) : []
  const rest = branches.filter((_, at) => at !== index)
  const types = branches.map((_, at) => branchType(at))
  const moved = connections.flatMap((connection) => {
    const at = types.indexOf(connection.type)
    if (connection.from !== key || at < index) return [connection]
    return at === index ? [] : [{ ...connection, type: branchType(at - 1) }]
  })
  return setConfig({ steps, connections: moved }, key, { ...config, branches: rest })
}

/** Returns a graph without the connections of outcomes that its steps no longer have. */
export function withoutLeftovers<Graph extends EditedGraph>(graph: Graph): Graph {
  const types = new Map(graph.steps.map((step) => [step.key, outcomesOf(step)]))
  const kept = graph.connections.filter(({ from, type }) => types.get(from)?.includes(type) ?? true)
  return kept.length === graph.connections.length ? graph : { ...graph, connections: kept }
}

/** Lets an outcome lead to a step; null: the run ends there. */
export function connect(graph: EditedGraph, { from, type }: Outcome, to: string | null): EditedGraph {
  const others = graph.connections.filter((each) => each.from !== from || each.type !== type)
  return { ...graph, connections: to === null ? others : [...others, { from, to, type }] }
}
