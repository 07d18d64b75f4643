import { isUuid } from '../../lib/ids.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { parseMailbox } from '../../mime/address.ts'
import { awaitedEventProblem } from './event-names.ts'
import { FieldReader, recordOf, textProblem } from './field-reader.ts'
import { BRANCH_COUNT_MAX, type DraftStep, type StepKind, type Variable } from './graph-types.ts'
import { readOccasion } from './read-occasion.ts'
import { readRule, readRuleOf } from './read-rule.ts'
import { readTrigger, rejectOtherFields } from './read-trigger.ts'
import {
  readClockTime,
  readEntries,
  readEventName,
  readInstant,
  readStepValues,
  readZoneName,
  scalarProblem,
  variableOf,
  variableProblem,
} from './read-values.ts'
import { isPropertyKey } from './run-scope.ts'

/** The longest wait of a step. */
export const WAIT_MAX = '365 days'
/** The longest time over which events are collected into one email. */
export const DIGEST_MAX = '30 days'
const SUBJECT_CHARS_MAX = 998
const NAME_CHARS_MAX = 255
const MAILBOX_CHARS_MAX = 2000
const WEIGHT_MAX = 1000
/** The text of a line of a digest. */
const ITEM_CHARS_MAX = 1000
const CONTROL = /[\p{Cc}\u2028\u2029]/u
const NO_TOPICS = { topic_id: 'is not supported: Sendwright has no topics yet.' }

type ConfigReaders = { [T in StepKind]: (fields: FieldReader) => DraftStep<T>['config'] }

/** The steps. To add a step, add a row here and to StepConfigs, REQUIRED_BY_STEP and OUTCOMES. */
const READERS: ConfigReaders = {
  trigger: readTrigger,
  send_email: readSendEmail,
  delay: (fields) => omitUndefined({ duration: fields.duration('duration', '1 second', WAIT_MAX) }),
  wait_until: readWaitUntil,
  wait_for_event: (fields) =>
    omitUndefined({
      event_name: readEventName(fields, awaitedEventProblem),
      timeout: fields.duration('timeout', '1 second', WAIT_MAX),
      filter_rule: readRule(fields, 'filter_rule'),
      email_step: fields.text('email_step', NAME_CHARS_MAX),
    }),
  condition: readCondition,
  split: (fields) =>
    omitUndefined({
      branches: readBranches(fields, (branch) => omitUndefined({ rule: readRule(branch, 'rule') })),
    }),
  random_split: (fields) =>
    omitUndefined({
      branches: readBranches(fields, (branch) => ({ weight: branch.integer('weight', 1, WEIGHT_MAX) ?? 1 })),
    }),
  contact_update: readContactUpdate,
  contact_delete: () => ({}),
  add_to_list: (fields) => omitUndefined({ list_id: fields.id('list_id') }),
  remove_from_list: (fields) => omitUndefined({ list_id: fields.id('list_id') }),
  add_to_segment: (fields) => omitUndefined({ segment_id: fields.id('segment_id') }),
  webhook: (fields) =>
    omitUndefined({
      webhook_id: fields.id('webhook_id'),
      data: readStepValues(fields, 'data'),
      response_timeout: fields.duration('response_timeout', '1 second', WAIT_MAX),
    }),
  digest: (fields) =>
    omitUndefined({
      duration: fields.duration('duration', '1 minute', DIGEST_MAX),
      item: fields.text('item', ITEM_CHARS_MAX),
    }),
  goal: (fields) => ({
    ...readOccasion(fields),
    otherwise: fields.choice('otherwise', ['continue', 'wait', 'exit']) ?? 'continue',
  }),
  exit: (fields) => omitUndefined({ reason: fields.text('reason', NAME_CHARS_MAX) }),
}

export const STEP_KINDS = Object.keys(READERS) as StepKind[]

/** Reads the config of a step. Fields may be absent; those that are invalid or unknown are noted. */
export function readStepConfig<T extends StepKind>(type: T, fields: FieldReader): DraftStep<T>['config'] {
  const config = READERS[type](fields)
  if (type === 'trigger') rejectOtherFields(fields)
  // A rule rejects unknown fields itself.
  else if (type !== 'condition') fields.rejectOthers(NO_TOPICS)
  return config
}

function readSendEmail(fields: FieldReader): DraftStep<'send_email'>['config'] {
  const template = fields.object('template')
  if (template !== undefined && template.value('id') === undefined) template.refuse('id', 'is required.')
  const id = template?.text('id', NAME_CHARS_MAX)
  const variables = template && readStepValues(template, 'variables')
  template?.rejectOthers()
  const config = omitUndefined({
    template:
      id === undefined ? undefined : omitUndefined({ id: isUuid(id) ? id.toLowerCase() : id, variables }),
    subject: readSubject(fields),
    from: readMailbox(fields, 'from'),
    sender_id: fields.id('sender_id'),
    reply_to: readMailbox(fields, 'reply_to'),
    class: fields.choice('class', ['bulk', 'transactional']),
  })
  if (config.from !== undefined && config.sender_id !== undefined) {
    fields.refuse('sender_id', 'must not be given with from.')
  }
  return config
}

function readSubject(fields: FieldReader): string | undefined {
  const subject = fields.text('subject', SUBJECT_CHARS_MAX)
  if (subject === undefined || !CONTROL.test(subject)) return subject
  fields.refuse('subject', 'must not contain line breaks or control characters.')
  return undefined
}

function readMailbox(fields: FieldReader, name: string): string | undefined {
  const text = fields.text(name, MAILBOX_CHARS_MAX)
  if (text === undefined || parseMailbox(text) !== null) return text
  fields.refuse(name, 'must be a valid email address.')
  return undefined
}

function readWaitUntil(fields: FieldReader): DraftStep<'wait_until'>['config'] {
  return omitUndefined({
    time: readClockTime(fields, 'time'),
    weekdays: readWeekdays(fields),
    at: readInstant(fields, 'at'),
    time_zone: readZoneName(fields, 'time_zone'),
  })
}

/** Returns days of the week, from 1, Monday, to 7, in their order. */
function readWeekdays(fields: FieldReader): number[] | undefined {
  const items = fields.list('weekdays', 7)
  if (items === undefined) return undefined
  const days = [1, 2, 3, 4, 5, 6, 7].filter((day) => items.includes(day))
  if (days.length === items.length && days.length > 0) return days
  fields.refuse('weekdays', 'must be a list of different days from 1, Monday, to 7, Sunday.')
  return undefined
}

/** Reads a rule, which may be absent: then the config has no fields. */
function readCondition(fields: FieldReader): DraftStep<'condition'>['config'] {
  const isAbsent = Object.values(fields.record).every((value) => value === undefined || value === null)
  return (isAbsent ? undefined : readRuleOf(fields)) ?? {}
}

function readBranches<T extends object>(
  fields: FieldReader,
  readRest: (branch: FieldReader) => T,
): (T & { name?: string })[] | undefined {
  return fields.list('branches', BRANCH_COUNT_MAX)?.flatMap((item, index) => {
    const name = `branches.${index}`
    const record = recordOf(item)
    if (record === null) {
      fields.refuse(name, 'must be an object.')
      return []
    }
    const branch = new FieldReader(record, fields.pathOf(name), fields.problems)
    const result = { ...omitUndefined({ name: branch.text('name', NAME_CHARS_MAX) }), ...readRest(branch) }
    branch.rejectOthers()
    return [result]
  })
}

function readContactUpdate(fields: FieldReader): DraftStep<'contact_update'>['config'] {
  const properties = readEntries(fields, 'properties', (value) =>
    value === null ? null : updateProblem(value),
  )
  for (const key of Object.keys(properties ?? {})) {
    if (!isPropertyKey(key)) fields.refuse(`properties.${key}`, 'must be the key of a property.')
  }
  return omitUndefined({
    first_name: readName(fields, 'first_name'),
    last_name: readName(fields, 'last_name'),
    unsubscribed: readFlag(fields),
    properties,
  }) as DraftStep<'contact_update'>['config']
}

function updateProblem(value: unknown): string | null {
  const variable = variableOf(value)
  return variable === null ? scalarProblem(value) : variableProblem(variable)
}

/** Returns a text or variable. Null and an empty text clear the name. */
function readName(fields: FieldReader, name: string): string | null | Variable | undefined {
  const value = fields.raw(name)
  if (value === undefined || value === null || value === '') return value === undefined ? undefined : null
  const variable = variableOf(value)
  const problem =
    variable !== null
      ? variableProblem(variable)
      : typeof value === 'string'
        ? textProblem(value, NAME_CHARS_MAX)
        : 'must be a string, null or a variable.'
  if (problem !== null) fields.refuse(name, problem)
  return problem === null ? (value as string | Variable) : undefined
}

function readFlag(fields: FieldReader): boolean | Variable | undefined {
  const value = fields.value('unsubscribed')
  if (value === undefined || typeof value === 'boolean') return value
  const variable = variableOf(value)
  const problem = variable === null ? 'must be true, false or a variable.' : variableProblem(variable)
  if (problem !== null) fields.refuse('unsubscribed', problem)
  return problem === null ? (variable ?? undefined) : undefined
}
