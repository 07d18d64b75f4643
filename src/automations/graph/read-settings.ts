import { omitUndefined } from '../../lib/omit-undefined.ts'
import { FieldReader, recordOf } from './field-reader.ts'
import { DEFAULT_SETTINGS, type GraphSettings, type Occasion } from './graph-types.ts'
import type { Problems } from './problems.ts'
import { isCompleteOccasion, OCCASION_PROBLEM, readOccasion } from './read-occasion.ts'

const EXIT_COUNT_MAX = 10
const PERIOD_MAX = '365 days'
const RESUME_RATE_MAX = 100_000

/** Reads the settings of an automation; absent ones have their defaults. Notes problems below the path. */
export function readGraphSettings(value: unknown, path: string, problems: Problems): GraphSettings {
  const record = recordOf(value ?? {})
  if (record === null) {
    problems.add(path, 'must be an object.')
    return DEFAULT_SETTINGS
  }
  const fields = new FieldReader(record, path, problems)
  const settings = omitUndefined({
    reentry: fields.choice('reentry', ['once', 'after_exit', 'every_time']) ?? DEFAULT_SETTINGS.reentry,
    reentry_gap: fields.duration('reentry_gap', '1 second', PERIOD_MAX),
    on_retrigger: fields.choice('on_retrigger', ['keep', 'restart']) ?? DEFAULT_SETTINGS.on_retrigger,
    exits: readExits(fields),
    max_late: fields.duration('max_late', '1 minute', PERIOD_MAX),
    resume_rate: fields.integer('resume_rate', 1, RESUME_RATE_MAX) ?? DEFAULT_SETTINGS.resume_rate,
  })
  if (settings.reentry_gap !== undefined && settings.reentry === 'once') {
    fields.refuse('reentry_gap', 'requires reentry to be after_exit or every_time.')
  }
  fields.rejectOthers()
  return settings
}

function readExits(fields: FieldReader): Occasion[] {
  const items = fields.list('exits', EXIT_COUNT_MAX) ?? []
  return items.flatMap((item, index) => {
    const name = `exits.${index}`
    const record = recordOf(item)
    if (record === null) {
      fields.refuse(name, 'must be an object.')
      return []
    }
    const exit = new FieldReader(record, fields.pathOf(name), fields.problems)
    const occasion = readOccasion(exit)
    const isGiven = exit.value('event_name') !== undefined || exit.value('rule') !== undefined
    if (!isGiven && !isCompleteOccasion(occasion)) fields.refuse(name, OCCASION_PROBLEM)
    exit.rejectOthers()
    return [occasion]
  })
}
