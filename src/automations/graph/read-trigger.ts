import { omitUndefined } from '../../lib/omit-undefined.ts'
import { parseSignedDuration, storedDurationMs } from '../../lib/time/durations.ts'
import type { FieldReader } from './field-reader.ts'
import type { DraftStep, TriggerConfigs, TriggerKind } from './graph-types.ts'
import { readRule } from './read-rule.ts'
import { readClockTime, readEventName, readScalar, readZoneName } from './read-values.ts'
import { isPropertyKey } from './run-scope.ts'

/** The fields of a contact, besides its properties, whose changes can start a run. */
export const CHANGING_FIELDS = ['first_name', 'last_name', 'unsubscribed', 'user_id', 'time_zone'] as const

const PROPERTY_PROBLEM = 'must be the key of a property.'
const DAY_MS = 24 * 3_600_000
const OFFSET_DAYS_MAX = 365
const TAG_CHARS_MAX = 256
const LINK_CHARS_MAX = 2048

type TriggerReaders = { [T in TriggerKind]: (fields: FieldReader) => Partial<TriggerConfigs[T]> }

/** The triggers. To add a trigger, add a row here and to TriggerConfigs and REQUIRED_BY_TRIGGER. */
const TRIGGERS: TriggerReaders = {
  contact_created: () => ({}),
  contact_updated: () => ({}),
  property_changed: (fields) =>
    omitUndefined({
      property: readPropertyKey(fields, 'property'),
      from: readScalar(fields, 'from'),
      to: readScalar(fields, 'to'),
    }),
  list_joined: (fields) => omitUndefined({ list_id: fields.id('list_id') }),
  list_left: (fields) => omitUndefined({ list_id: fields.id('list_id') }),
  segment_entered: (fields) => omitUndefined({ segment_id: fields.id('segment_id') }),
  email_delivered: readEmailFilter,
  email_opened: readEmailFilter,
  email_clicked: (fields) =>
    omitUndefined({ ...readEmailFilter(fields), link: fields.text('link', LINK_CHARS_MAX) }),
  email_bounced: readEmailFilter,
  event: (fields) =>
    omitUndefined({ event_name: readEventName(fields), filter_rule: readRule(fields, 'filter_rule') }),
  date: (fields) =>
    omitUndefined({
      property: readPropertyKey(fields, 'property'),
      offset: readOffset(fields),
      repeat: fields.choice('repeat', ['once', 'yearly']) ?? ('once' as const),
      time: readClockTime(fields, 'time'),
      time_zone: readZoneName(fields, 'time_zone'),
    }),
  api: () => ({}),
}

export const TRIGGER_KINDS = Object.keys(TRIGGERS) as TriggerKind[]

/** The fields that a trigger needs to run. */
export const REQUIRED_BY_TRIGGER: Partial<Record<TriggerKind, readonly string[]>> = {
  property_changed: ['property'],
  list_joined: ['list_id'],
  list_left: ['list_id'],
  segment_entered: ['segment_id'],
  event: ['event_name'],
  date: ['property'],
}

/** Reads the config of a trigger step. Resend's has no type, only the name of an event. */
export function readTrigger(fields: FieldReader): DraftStep<'trigger'>['config'] {
  const isTyped = fields.value('type') !== undefined
  const type = isTyped ? fields.choice('type', TRIGGER_KINDS) : ('event' as const)
  if (type === undefined) return {}
  const config = TRIGGERS[type](fields)
  return isTyped || Object.keys(config).length > 0 ? { type, ...config } : {}
}

/** Notes the fields of other types. */
export function rejectOtherFields(fields: FieldReader): void {
  const isKnown = fields.value('type') === undefined || TRIGGER_KINDS.includes(fields.value('type') as never)
  if (isKnown) fields.rejectOthers({ topic_id: 'is not supported: Sendwright has no topics yet.' })
}

function readEmailFilter(fields: FieldReader) {
  const tag = fields.object('tag')
  const name = tag?.text('name', TAG_CHARS_MAX)
  if (tag?.value('name') === undefined) tag?.refuse('name', 'is required.')
  const value = tag?.text('value', TAG_CHARS_MAX)
  tag?.rejectOthers()
  return omitUndefined({
    campaign_id: fields.id('campaign_id'),
    template_id: fields.id('template_id'),
    tag: name === undefined ? undefined : omitUndefined({ name, value }),
  })
}

function readPropertyKey(fields: FieldReader, name: string): string | undefined {
  const parse = (value: unknown) => (typeof value === 'string' && isPropertyKey(value) ? value : null)
  return fields.parsed(name, parse, PROPERTY_PROBLEM)
}

/** Returns the canonical text of an offset, which may be negative. Zero is none. */
function readOffset(fields: FieldReader): string | undefined {
  const value = fields.value('offset')
  if (value === 0) return undefined
  const text = fields.parsed(
    'offset',
    (given) => parseSignedDuration(given)?.text ?? null,
    'must be a duration, such as 3 days or -1 week.',
  )
  if (text === undefined || Math.abs(storedDurationMs(text)) <= OFFSET_DAYS_MAX * DAY_MS) return text
  fields.refuse('offset', `must be at most ${OFFSET_DAYS_MAX} days.`)
  return undefined
}
