import { bumpCounters } from '../../db/counters.ts'
import type { Tx } from '../../db/db-types.ts'
import { type FieldErrors, invalidField, throwInvalid } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { parseInstant } from '../../lib/time/scheduled-at.ts'
import {
  deleteEventDefinition,
  EVENT_DEFINITION_COUNTER,
  type EventDefinition,
  type FieldType,
  insertEventDefinition,
} from './event-definitions-queries.ts'
import { requireEventName } from './event-name.ts'

/** Throws `validation_error` for a name that is not one, that the team has, or that is a path of the API, `/events/send`. */
export async function defineEvent(
  tx: Tx,
  teamId: string,
  { name, schema }: Pick<EventDefinition, 'name' | 'schema'>,
  now: Date,
): Promise<EventDefinition> {
  if (name === 'send') throw invalidField('name', 'The name field must not be send.')
  const definition: EventDefinition = {
    teamId,
    id: newId(now.getTime()),
    name: requireEventName(name, 'name'),
    schema,
    createdAt: now,
    updatedAt: now,
  }
  if (!(await insertEventDefinition(tx, definition)))
    throw invalidField('name', 'The name field has already been taken.')
  await bumpCounters(tx, [{ teamId, name: EVENT_DEFINITION_COUNTER, by: 1 }])
  return definition
}

/** Returns the id of the definition, or null if there was none. */
export async function removeEventDefinition(
  tx: Tx,
  teamId: string,
  idOrName: string,
): Promise<string | null> {
  const id = await deleteEventDefinition(tx, teamId, idOrName)
  if (id !== null) await bumpCounters(tx, [{ teamId, name: EVENT_DEFINITION_COUNTER, by: -1 }])
  return id
}

/** Throws `validation_error` for each field of the payload that is missing or of another type. */
export function checkPayload(
  payload: Readonly<Record<string, unknown>>,
  schema: EventDefinition['schema'],
): void {
  const errors: FieldErrors = {}
  for (const [name, type] of Object.entries(schema ?? {})) {
    const field = `payload.${name}`
    if (!Object.hasOwn(payload, name)) errors[field] = [`The ${field} field is required.`]
    else if (!isOfType(payload[name], type)) errors[field] = [`The ${field} field must be a ${type}.`]
  }
  throwInvalid(errors)
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function isOfType(value: unknown, type: FieldType): boolean {
  if (type !== 'date') return typeof value === type
  if (typeof value !== 'string') return false
  return parseInstant(DAY.test(value) ? `${value}T00:00:00Z` : value) !== null
}
