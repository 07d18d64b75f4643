import { checkActive } from './check-active.ts'
import { FieldReader, recordOf } from './field-reader.ts'
import { flatPathOf, isFlatForm, readFlatSteps, readFlatTrigger, withTrigger } from './flat-form.ts'
import { DEFAULT_SETTINGS, type DraftGraph, type DraftStep, type GraphSettings } from './graph-types.ts'
import { Problems } from './problems.ts'
import { readConnections } from './read-connections.ts'
import { readGraphSettings } from './read-settings.ts'
import { readStepConfig, STEP_KINDS } from './read-step-config.ts'

export const STEP_COUNT_LIMIT = 150
/** The limit on a graph and its settings as JSON. */
const GRAPH_CHARS_MAX = 1_000_000
const STEP_KEY = /^[A-Za-z0-9_-]{1,64}$/

/** The fields of a request. Absent ones keep what is stored. */
export interface GraphRequest {
  /** In Resend's form, or in the flat form without keys, which is a chain. */
  steps?: unknown
  connections?: unknown
  settings?: unknown
  /** Of the flat form. Null removes it. */
  trigger?: unknown
}

/** An automation as it is stored, which may be incomplete. */
export interface StoredGraph {
  graph: DraftGraph
  settings: GraphSettings
}

export interface GraphReading extends StoredGraph {
  /** While it is empty, `graph` and `settings` are valid, and complete if that was asked for. */
  problems: Problems
  /** Translates the paths of problems and references into those of the request. For `Problems.toErrors`. */
  shownPath(path: string): string
}

const NEW: StoredGraph = { graph: { steps: [], connections: [] }, settings: DEFAULT_SETTINGS }

/**
 * Reads an automation from a request, and collects every problem of its form. It does not ask whether the records that it names
 * exist (graphReferences).
 * @param isActive whether it must also be complete, and able to run
 */
export function readGraph(request: GraphRequest, isActive: boolean, stored: StoredGraph = NEW): GraphReading {
  const problems = new Problems()
  const { graph, shownPath, isFlat } = readForm(request, stored.graph, problems)
  const settings =
    request.settings === undefined || request.settings === null
      ? stored.settings
      : readGraphSettings(request.settings, 'settings', problems)
  if (JSON.stringify([graph, settings]).length > GRAPH_CHARS_MAX) {
    problems.add('steps', `must not be greater than ${GRAPH_CHARS_MAX} characters in all.`)
  }
  if (isActive && problems.isEmpty) checkActive(graph, problems, isFlat)
  return { graph, settings, problems, shownPath }
}

type Form = Pick<GraphReading, 'graph' | 'shownPath'> & { isFlat: boolean }

function readForm(request: GraphRequest, stored: DraftGraph, problems: Problems): Form {
  const steps = request.steps ?? undefined
  const connections = request.connections ?? undefined
  const { trigger } = request
  const isFlat =
    connections === undefined && (steps === undefined ? trigger !== undefined : isFlatForm(steps))
  if (isFlat) return readFlatForm(steps as unknown[] | undefined, trigger, stored, problems)
  if (trigger !== undefined && trigger !== null) {
    problems.add('trigger', 'must not be given with keys or connections. Add a step of type trigger.')
  }
  const read = steps === undefined ? stored.steps : readSteps(steps, problems)
  // Where steps are missing, connections cannot be judged.
  const graph =
    read === null
      ? { steps: [], connections: [] }
      : { steps: read, connections: readConnections(connections ?? stored.connections, read, problems) }
  return { graph, isFlat, shownPath: (path) => path }
}

function readFlatForm(
  items: readonly unknown[] | undefined,
  given: unknown,
  stored: DraftGraph,
  problems: Problems,
): Form {
  const isShort = (items?.length ?? 0) < STEP_COUNT_LIMIT
  if (!isShort) problems.add('steps', `must not have more than ${STEP_COUNT_LIMIT - 1} items.`)
  const base = items === undefined ? stored : readFlatSteps(isShort ? items : [], problems)
  const before = stored.steps.find((step): step is DraftStep<'trigger'> => step.type === 'trigger') ?? null
  const graph = withTrigger(base, given === undefined ? before : readFlatTrigger(given, problems))
  if (graph.steps.length > STEP_COUNT_LIMIT) {
    problems.add('trigger', `must be null: an automation has at most ${STEP_COUNT_LIMIT} steps.`)
  }
  return { graph, isFlat: true, shownPath: flatPathOf(graph, items === undefined) }
}

/** Returns the steps; null: some are so invalid that they are not steps, which is noted. */
function readSteps(value: unknown, problems: Problems): DraftStep[] | null {
  const items = new FieldReader({ steps: value }, '', problems).list('steps', STEP_COUNT_LIMIT)
  if (items === undefined) return null
  const firsts = new Map<string, number>()
  let triggerAt: number | null = null
  const steps = items.flatMap((item, index): DraftStep[] => {
    const path = `steps.${index}`
    const step = readStep(item, path, problems)
    if (step === null) return []
    const first = firsts.get(step.key)
    if (first === undefined) firsts.set(step.key, index)
    else problems.add(`${path}.key`, `must be unique: steps.${first} has it.`)
    if (step.type !== 'trigger') return [step]
    if (triggerAt !== null)
      problems.add(`${path}.type`, `must not be trigger: steps.${triggerAt} is the trigger.`)
    triggerAt ??= index
    return [step]
  })
  if (steps.length < items.length) return null
  checkEmailSteps(steps, problems)
  return steps
}

function readStep(item: unknown, path: string, problems: Problems): DraftStep | null {
  const record = recordOf(item)
  if (record === null) {
    problems.add(path, 'must be an object.')
    return null
  }
  const fields = new FieldReader(record, path, problems)
  for (const name of ['key', 'type'])
    if (fields.value(name) === undefined) fields.refuse(name, 'is required.')
  const key = fields.parsed(
    'key',
    (value) => (typeof value === 'string' && STEP_KEY.test(value) ? value : null),
    'must be 1 to 64 letters, digits, hyphens and underscores.',
  )
  const type = fields.choice('type', STEP_KINDS)
  const given = fields.object('config')
  fields.rejectOthers()
  if (type === undefined) return null
  const config = readStepConfig(type, given ?? new FieldReader({}, `${path}.config`, problems))
  return key === undefined ? null : ({ key, type, config } as DraftStep)
}

/** Notes waits for events about the email of a step that is none, or for events that are not about emails. */
function checkEmailSteps(steps: readonly DraftStep[], problems: Problems): void {
  const senders = new Set(steps.filter(({ type }) => type === 'send_email').map(({ key }) => key))
  for (const [at, step] of steps.entries()) {
    if (step.type !== 'wait_for_event' || step.config.email_step === undefined) continue
    const { email_step: emailStep, event_name: eventName } = step.config
    const path = `steps.${at}.config.email_step`
    if (!senders.has(emailStep)) problems.add(path, 'must be the key of a step of type send_email.')
    else if (eventName !== undefined && !eventName.startsWith('email.')) {
      problems.add(path, 'requires event_name to be an event about an email, such as email.opened.')
    }
  }
}
