import { omitUndefined } from '../../lib/omit-undefined.ts'
import { toDuration } from '../../lib/time/durations.ts'
import { FieldReader, recordOf } from './field-reader.ts'
import type { DraftGraph, DraftStep, GraphConnection } from './graph-types.ts'
import type { Problems } from './problems.ts'
import { readTrigger } from './read-trigger.ts'

const TRIGGER_KEY = 'trigger'
const SUBJECT_CHARS_MAX = 998
const WAIT_SECONDS_MAX = 365 * 24 * 3600

/** A step without its key. */
type StepBody = { [S in DraftStep as S['type']]: Pick<S, 'type' | 'config'> }[DraftStep['type']]

/** The steps of the flat form. Fields of other types are dropped. */
const FLAT_STEPS: Readonly<Record<string, (fields: FieldReader) => StepBody>> = {
  send_email: (fields) => {
    const id = fields.id('template_id')
    return {
      type: 'send_email',
      config: omitUndefined({
        template: id === undefined ? undefined : { id },
        sender_id: fields.id('sender_id'),
        subject: fields.text('subject', SUBJECT_CHARS_MAX),
      }),
    }
  },
  wait: (fields) => {
    const seconds = fields.integer('seconds', 1, WAIT_SECONDS_MAX)
    return {
      type: 'delay',
      config: seconds === undefined ? {} : { duration: toDuration(seconds * 1000).text },
    }
  },
  condition: (fields) => {
    const segmentId = fields.id('segment_id')
    return {
      type: 'condition',
      config: segmentId === undefined ? {} : { type: 'segment', segment_id: segmentId },
    }
  },
  update_contact: (fields) => ({
    type: 'contact_update',
    config: omitUndefined({ unsubscribed: readFlag(fields) }),
  }),
  add_to_list: (fields) => ({
    type: 'add_to_list',
    config: omitUndefined({ list_id: fields.id('list_id') }),
  }),
  remove_from_list: (fields) => ({
    type: 'remove_from_list',
    config: omitUndefined({ list_id: fields.id('list_id') }),
  }),
}
const FLAT_KINDS = Object.keys(FLAT_STEPS)

/** Fields that the flat form calls otherwise than the graph, by the type of the step in the graph. */
const FLAT_NAMES: Partial<Record<DraftStep['type'], Readonly<Record<string, string>>>> = {
  send_email: { 'template.id': 'template_id' },
  delay: { duration: 'seconds' },
  condition: { type: 'segment_id' },
}

/** Returns whether steps have the flat form, without keys and configs. */
export function isFlatForm(steps: unknown): boolean {
  if (!Array.isArray(steps)) return false
  return steps.every((step) => {
    const record = recordOf(step)
    return record !== null && !Object.hasOwn(record, 'key') && !Object.hasOwn(record, 'config')
  })
}

/** Reads the steps of the flat form as a chain. They run one after the other; a condition that does not hold ends the run. */
export function readFlatSteps(items: readonly unknown[], problems: Problems): DraftGraph {
  const steps = items.flatMap((item, index): DraftStep[] => {
    const fields = new FieldReader(recordOf(item) ?? {}, `steps.${index}`, problems)
    if (fields.value('type') === undefined) fields.refuse('type', 'is required.')
    const type = fields.choice('type', FLAT_KINDS)
    if (type === undefined) return []
    return [{ key: `step_${index + 1}`, ...FLAT_STEPS[type]?.(fields) } as DraftStep]
  })
  const connections = steps.slice(1).map((step, index): GraphConnection => {
    const before = steps[index] as DraftStep
    return { from: before.key, to: step.key, type: before.type === 'condition' ? 'condition_met' : 'default' }
  })
  return { steps, connections }
}

/** Reads the field `trigger` of the flat form; null: it is null, or invalid and noted. */
export function readFlatTrigger(value: unknown, problems: Problems): DraftStep<'trigger'> | null {
  if (value === null) return null
  const record = recordOf(value)
  if (record === null) {
    problems.add('trigger', 'must be an object.')
    return null
  }
  const fields = new FieldReader(record, 'trigger', problems)
  const isTyped = fields.value('type') !== undefined || fields.value('event_name') !== undefined
  if (!isTyped) fields.refuse('type', 'is required.')
  return { key: TRIGGER_KEY, type: 'trigger', config: isTyped ? readTrigger(fields) : {} }
}

/** Returns a graph with another trigger, which leads where the one before led, or else to the first step to which nothing leads. */
export function withTrigger(graph: DraftGraph, trigger: DraftStep<'trigger'> | null): DraftGraph {
  const before = graph.steps.find(({ type }) => type === 'trigger')
  const steps = graph.steps.filter((step) => step !== before)
  const connections = graph.connections.filter(({ from }) => from !== before?.key)
  if (trigger === null) return { steps, connections }
  const targets = new Set(connections.map(({ to }) => to))
  const first = graph.connections.find(({ from }) => from === before?.key)?.to
  const to = first ?? steps.find(({ key }) => !targets.has(key))?.key
  const key = before?.key ?? freeKey(steps)
  return {
    steps: [{ ...trigger, key }, ...steps],
    connections: to === undefined ? connections : [{ from: key, to, type: 'default' }, ...connections],
  }
}

function freeKey(steps: readonly DraftStep[]): string {
  const keys = new Set(steps.map(({ key }) => key))
  let key = TRIGGER_KEY
  for (let number = 2; keys.has(key); number++) key = `${TRIGGER_KEY}_${number}`
  return key
}

/**
 * Returns a function that translates the paths of a graph into those of the flat form: `steps.1.config.duration` is
 * `steps.0.seconds`.
 */
export function flatPathOf({ steps }: DraftGraph, isTriggerOnly: boolean): (path: string) => string {
  const triggerAt = steps.findIndex(({ type }) => type === 'trigger')
  return (path) => {
    const [, index, field] = /^steps\.(\d+)\.config(?:\.(.+))?$/s.exec(path) ?? []
    const at = Number(index)
    const step = steps[at]
    if (index === undefined || step === undefined) return path
    const name = field === undefined ? undefined : (FLAT_NAMES[step.type]?.[field] ?? field)
    const end = name === undefined ? '' : `.${name}`
    if (at === triggerAt) return `trigger${end}`
    return isTriggerOnly ? path : `steps.${triggerAt === -1 || at < triggerAt ? at : at - 1}${end}`
  }
}

function readFlag(fields: FieldReader): boolean | undefined {
  const parse = (value: unknown) => (typeof value === 'boolean' ? value : null)
  return fields.parsed('unsubscribed', parse, 'must be true or false.')
}
