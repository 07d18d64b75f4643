import {
  CONNECTION_TYPES,
  type ConnectionType,
  type DraftGraph,
  type DraftStep,
  type Graph,
  type Step,
  type StepKind,
} from './graph-types.ts'

const BRANCH_TYPES = CONNECTION_TYPES.filter((type) => type.startsWith('branch_'))

/** How runs leave the steps that have several outcomes or none. All others have one, `default`. */
const OUTCOMES: Partial<Record<StepKind, readonly ConnectionType[]>> = {
  wait_for_event: ['event_received', 'timeout'],
  condition: ['condition_met', 'condition_not_met'],
  split: [...BRANCH_TYPES, 'default'],
  random_split: BRANCH_TYPES,
  // Without the contact there is no run.
  contact_delete: [],
  exit: [],
}
const ONE: readonly ConnectionType[] = ['default']
/** Of a webhook whose response a run waits for. */
const AWAITED: readonly ConnectionType[] = ['default', 'timeout']

/** Returns the types of connections that a step may have. A split has those of its branches. */
export function connectionTypesOf(step: DraftStep): readonly ConnectionType[] {
  if (step.type === 'webhook' && step.config.response_timeout !== undefined) return AWAITED
  const types = OUTCOMES[step.type] ?? ONE
  if (step.type !== 'split' && step.type !== 'random_split') return types
  const count = step.config.branches?.length ?? BRANCH_TYPES.length
  const isOpen = (type: ConnectionType) => type === 'default' || BRANCH_TYPES.indexOf(type) < count
  return types.filter(isOpen)
}

/** A graph with its steps by key and its connections by the step that they leave. */
export interface GraphIndex<S extends DraftStep = Step> {
  steps: ReadonlyMap<string, S>
  next: ReadonlyMap<string, ReadonlyMap<ConnectionType, string>>
}

export function indexGraph(graph: Graph): GraphIndex
export function indexGraph(graph: DraftGraph): GraphIndex<DraftStep>
export function indexGraph({ steps, connections }: DraftGraph): GraphIndex<DraftStep> {
  const next = new Map<string, Map<ConnectionType, string>>()
  for (const { from, to, type } of connections) next.set(from, (next.get(from) ?? new Map()).set(type, to))
  return { steps: new Map(steps.map((step) => [step.key, step])), next }
}

/** Returns the key of the step to which an outcome of a step leads; null: the run is complete. */
export function nextOf(
  index: Pick<GraphIndex, 'next'>,
  key: string,
  type: ConnectionType = 'default',
): string | null {
  return index.next.get(key)?.get(type) ?? null
}
