import { storedDurationMs } from '../../lib/time/durations.ts'
import { type GraphIndex, indexGraph } from './graph-index.ts'
import type { DraftGraph, DraftStep, StepKind } from './graph-types.ts'
import type { Problems } from './problems.ts'
import { isCompleteOccasion, OCCASION_PROBLEM } from './read-occasion.ts'
import { REQUIRED_BY_TRIGGER } from './read-trigger.ts'

/** The shortest wait that lets a cycle run for ever without harm. */
const CYCLE_WAIT_MS = 60_000
const CYCLE_KEYS_SHOWN = 10

/** The fields that a step needs to run. */
const REQUIRED_BY_STEP: Partial<Record<StepKind, readonly string[]>> = {
  trigger: ['type'],
  delay: ['duration'],
  wait_for_event: ['event_name'],
  condition: ['type'],
  add_to_list: ['list_id'],
  remove_from_list: ['list_id'],
  add_to_segment: ['segment_id'],
  webhook: ['webhook_id'],
  digest: ['duration'],
}

/**
 * Notes everything that keeps a valid graph from running: a missing trigger or field, a step that no run reaches, and a cycle in
 * which no step waits for a minute. Takes time in proportion to its steps and connections.
 * @param hasTriggerField the request has a field `trigger`, as the flat form does
 */
export function checkActive(graph: DraftGraph, problems: Problems, hasTriggerField = false): void {
  const index = indexGraph(graph)
  const trigger = graph.steps.find(isTrigger)
  if (trigger === undefined && hasTriggerField) problems.add('trigger', 'is required.')
  else if (trigger === undefined) problems.add('steps', 'must have a step of type trigger.')
  else if (graph.steps.length === 1) {
    problems.add(
      'steps',
      hasTriggerField ? 'must have at least 1 item.' : 'must have a step besides the trigger.',
    )
  }
  for (const [at, step] of graph.steps.entries()) {
    const path = `steps.${at}.config`
    for (const { field, says } of gapsOf(step, trigger))
      problems.add(field === '' ? path : `${path}.${field}`, says)
  }
  if (trigger === undefined) return
  checkReach(graph, index, trigger, problems)
  checkCycles(graph, index, problems)
}

type TriggerStep = DraftStep<'trigger'>

function isTrigger(step: DraftStep): step is TriggerStep {
  return step.type === 'trigger'
}

interface Gap {
  /** The path in the config; empty: all of it. */
  field: string
  says: string
}

const required = (field: string): Gap => ({ field, says: 'is required.' })

/** Returns what a step lacks to run. */
function gapsOf(step: DraftStep, trigger: TriggerStep | undefined): Gap[] {
  const config = step.config as Readonly<Record<string, unknown>>
  const lacks = (fields: readonly string[] = []) =>
    fields.filter((field) => config[field] === undefined).map(required)
  const gaps = lacks(REQUIRED_BY_STEP[step.type])
  switch (step.type) {
    case 'trigger':
      return gaps.concat(step.config.type === undefined ? [] : lacks(REQUIRED_BY_TRIGGER[step.config.type]))
    case 'send_email':
      return [
        ...(step.config.template === undefined ? [required('template.id')] : []),
        ...classGap(step, trigger),
      ]
    case 'wait_until': {
      const { time, weekdays, at } = step.config
      const isSet = time !== undefined || weekdays !== undefined || at !== undefined
      return isSet ? [] : [{ field: '', says: 'must have a time, weekdays or at.' }]
    }
    case 'split':
    case 'random_split':
      return branchGaps(step)
    case 'contact_update':
      return Object.keys(config).length > 0 ? [] : [{ field: '', says: 'must set a field of the contact.' }]
    case 'goal':
      return isCompleteOccasion(step.config) ? [] : [{ field: '', says: OCCASION_PROBLEM }]
    default:
      return gaps
  }
}

/** Only what the contact did or an application asked for may be sent as transactional email. */
function classGap({ config }: DraftStep<'send_email'>, trigger: TriggerStep | undefined): Gap[] {
  const isAsked = trigger?.config.type === 'event' || trigger?.config.type === 'api'
  if (config.class !== 'transactional' || trigger === undefined || isAsked) return []
  return [{ field: 'class', says: 'must be bulk unless the trigger is an event of your own or the API.' }]
}

function branchGaps(step: DraftStep<'split' | 'random_split'>): Gap[] {
  const { branches = [] } = step.config
  const min = step.type === 'split' ? 1 : 2
  if (branches.length < min) {
    return [{ field: 'branches', says: `must have at least ${min} ${min === 1 ? 'item' : 'items'}.` }]
  }
  if (step.type === 'random_split') return []
  return branches.flatMap((branch, at) =>
    'rule' in branch && branch.rule !== undefined ? [] : [required(`branches.${at}.rule`)],
  )
}

/** Notes the steps that no run reaches. A goal is reached by its event, wherever the run is. */
function checkReach(
  { steps }: DraftGraph,
  { next }: GraphIndex<DraftStep>,
  trigger: TriggerStep,
  problems: Problems,
): void {
  const goals = steps.filter((step) => step.type === 'goal').map((step) => step.key)
  const reached = new Set([trigger.key, ...goals])
  for (const key of reached) {
    for (const target of next.get(key)?.values() ?? []) reached.add(target)
  }
  for (const [at, step] of steps.entries()) {
    if (!reached.has(step.key)) problems.add(`steps.${at}`, 'cannot be reached from the trigger.')
  }
  if (steps.length > 1 && !next.has(trigger.key)) {
    problems.add('connections', 'must lead from the trigger to a step.')
  }
}

/** Notes each connection that closes a cycle in which no step waits, with the steps of the cycle. */
function checkCycles(
  { steps, connections }: DraftGraph,
  { next }: GraphIndex<DraftStep>,
  problems: Problems,
): void {
  const waiting = new Set(steps.filter(isLongWait).map((step) => step.key))
  /** Waits that take a minute when no event comes. */
  const slow = new Set(steps.filter(isSlowTimeout).map((step) => step.key))
  const finished = new Set<string>()
  const path: string[] = []
  const depths = new Map<string, number>()
  const closing = new Map<string, string[]>()
  const visit = (key: string): void => {
    depths.set(key, path.push(key) - 1)
    for (const [type, target] of next.get(key) ?? []) {
      // An event may come at once.
      if (type === 'timeout' && slow.has(key)) continue
      const depth = depths.get(target)
      if (depth !== undefined) closing.set(`${key} ${target}`, path.slice(depth))
      else if (!waiting.has(target) && !finished.has(target)) visit(target)
    }
    path.pop()
    depths.delete(key)
    finished.add(key)
  }
  for (const { key } of steps) if (!waiting.has(key) && !finished.has(key)) visit(key)
  if (closing.size === 0) return
  for (const [at, { from, to }] of connections.entries()) {
    const keys = closing.get(`${from} ${to}`)
    if (keys === undefined) continue
    const shown = keys.length > CYCLE_KEYS_SHOWN ? [...keys.slice(0, CYCLE_KEYS_SHOWN), '...'] : keys
    const cycle = [...shown, to].join(' -> ')
    problems.add(`connections.${at}`, `closes a cycle without a wait of at least a minute: ${cycle}.`)
  }
}

/** Returns whether a step always takes at least a minute, or happens at most once a day. */
function isLongWait(step: DraftStep): boolean {
  switch (step.type) {
    case 'delay':
    case 'digest':
      return isLong(step.config.duration)
    case 'wait_until':
      // Without a time it waits only on other days, or once.
      return step.config.time !== undefined
    default:
      return false
  }
}

function isSlowTimeout(step: DraftStep): boolean {
  return step.type === 'wait_for_event' && isLong(step.config.timeout)
}

function isLong(duration: string | undefined): boolean {
  return duration !== undefined && storedDurationMs(duration) >= CYCLE_WAIT_MS
}
