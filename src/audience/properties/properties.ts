import { readCounter } from '../../db/counters.ts'
import type { Tx } from '../../db/db-types.ts'
import { violates } from '../../db/sqlstate.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { leaveBehind } from '../contacts/tombstones-queries.ts'
import {
  deleteProperty,
  insertProperty,
  isPropertyInSegment,
  lockProperty,
  PROPERTY_COUNTER,
  type Property,
  type PropertyType,
  saveProperty,
} from './properties-queries.ts'
import { readPropertyValue } from './property-values.ts'

/** Far more than anybody needs; few enough that a page of contacts stays within bounds. */
export const PROPERTIES_MAX = 1000

export interface PropertyInput {
  /** Letters, digits and `_`, white space around it. */
  key: string
  type: PropertyType
  fallbackValue: string | number | null
}

/** Refuses `validation_error`: a key that is taken, a fallback that does not fit the type, one property too many. */
export async function addProperty(
  tx: Tx,
  teamId: string,
  input: PropertyInput,
  now: Date,
): Promise<Property> {
  const property = {
    teamId,
    id: newId(now.getTime()),
    key: input.key.trim(),
    type: input.type,
    fallbackValue: readFallback(input.type, input.fallbackValue),
    createdAt: now,
    updatedAt: now,
  }
  await refuseTakenKey(() => insertProperty(tx, property))
  // Exact: whoever adds one more waits for this transaction at the counter.
  if ((await readCounter(tx, teamId, PROPERTY_COUNTER)) > PROPERTIES_MAX) {
    throw invalidField('key', `An account must not have more than ${PROPERTIES_MAX} properties.`)
  }
  return property
}

/** Changes what is given; the type only ever stays. Refuses `not_found` and `validation_error`. */
export async function updateProperty(
  tx: Tx,
  teamId: string,
  id: string,
  input: { [Field in keyof PropertyInput]?: PropertyInput[Field] | undefined },
  now: Date,
): Promise<Property> {
  const property = await lockProperty(tx, teamId, id)
  if (property === null) throw new ApiError('not_found')
  const { key = property.key, type = property.type, fallbackValue = property.fallbackValue } = input
  if (type !== property.type) throw invalidField('type', 'The type field cannot be changed.')
  const changed = {
    ...property,
    key: key.trim(),
    fallbackValue: readFallback(type, fallbackValue),
    updatedAt: now,
  }
  await refuseTakenKey(() => saveProperty(tx, changed))
  return changed
}

/**
 * The property is gone from every answer at once; its values are swept up afterwards.
 * Refuses `not_found`, and `conflict` while a segment uses it.
 */
export async function removeProperty(tx: Tx, teamId: string, id: string, now: Date): Promise<void> {
  if ((await lockProperty(tx, teamId, id)) === null) throw new ApiError('not_found')
  if (await isPropertyInSegment(tx, teamId, id)) {
    throw new ApiError('conflict', 'This property is used by segments and cannot be deleted.')
  }
  await leaveBehind(tx, teamId, 'property', id, now)
  await deleteProperty(tx, teamId, id)
}

/** A fallback is kept as its owner wrote it. */
function readFallback(type: PropertyType, given: string | number | null): string | null {
  if (given === null) return null
  const read = readPropertyValue(type, given, 'fallback_value')
  if ('problem' in read) throw invalidField('fallback_value', read.problem)
  return String(given)
}

async function refuseTakenKey(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (violates(error, 'property_key_unique')) {
      throw invalidField('key', 'The key field has already been taken.')
    }
    throw error
  }
}
