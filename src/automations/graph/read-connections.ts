import { FieldReader, recordOf } from './field-reader.ts'
import { connectionTypesOf } from './graph-index.ts'
import { CONNECTION_TYPES, type DraftStep, type GraphConnection } from './graph-types.ts'
import type { Problems } from './problems.ts'

const CONNECTION_COUNT_MAX = 1500

/** Reads connections, and notes those that do not fit the steps. Takes time in proportion to their number. */
export function readConnections(
  value: unknown,
  steps: readonly DraftStep[],
  problems: Problems,
): GraphConnection[] {
  const items = new FieldReader({ connections: value }, '', problems).list(
    'connections',
    CONNECTION_COUNT_MAX,
  )
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const taken = new Map<string, number>()
  return (items ?? []).flatMap((item, index) => {
    const path = `connections.${index}`
    const record = recordOf(item)
    if (record === null) {
      problems.add(path, 'must be an object.')
      return []
    }
    const connection = readConnection(new FieldReader(record, path, problems), byKey)
    if (connection === null) return []
    const outcome = `${connection.from} ${connection.type}`
    const first = taken.get(outcome)
    if (first === undefined) taken.set(outcome, index)
    else
      problems.add(
        `${path}.type`,
        `must differ from that of connections.${first}, which leaves the same step.`,
      )
    return [connection]
  })
}

function readConnection(fields: FieldReader, steps: ReadonlyMap<string, DraftStep>): GraphConnection | null {
  const readEnd = (name: string) => {
    if (fields.value(name) === undefined) fields.refuse(name, 'is required.')
    const parse = (value: unknown) => (typeof value === 'string' ? (steps.get(value) ?? null) : null)
    return fields.parsed(name, parse, 'must be the key of a step.')
  }
  const [from, to] = [readEnd('from'), readEnd('to')]
  const isTyped = fields.value('type') !== undefined
  const type = isTyped ? fields.choice('type', CONNECTION_TYPES) : ('default' as const)
  fields.rejectOthers()
  if (from === undefined || to === undefined || type === undefined) return null
  if (to.type === 'trigger') fields.refuse('to', 'must not be the trigger.')
  const types = connectionTypesOf(from)
  if (types.length === 0)
    fields.refuse('from', `must not be a step of type ${from.type}: the run ends there.`)
  else if (!types.includes(type)) {
    fields.refuse('type', `must be one of ${types.join(', ')} for a step of type ${from.type}.`)
  }
  return { from: from.key, to: to.key, type }
}
