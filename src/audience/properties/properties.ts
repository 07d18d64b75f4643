import { readCounter } from '../../db/counters.ts'
import type { Tx } from '../../db/db-types.ts'
import { isInFollowedVersion, jsonpathIs } from '../../db/references.ts'
import { violates } from '../../db/sqlstate.ts'
import { ApiError, invalidField, orNotFound } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { insertTombstone } from '../tombstones/tombstones-queries.ts'
import {
  deleteProperty,
  insertProperty,
  isPropertyInCampaign,
  isPropertyInSegment,
  lockProperty,
  PROPERTY_COUNTER,
  type Property,
  type PropertyType,
  saveProperty,
} from './properties-queries.ts'
import { readPropertyValue } from './property-values.ts'

/** More than any team needs, and few enough to bound the size of a page of contacts. */
export const PROPERTIES_MAX = 1000

/** The fields of a contact that automations name, where they hide properties of the same key. */
export const NAMED_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'unsubscribed',
  'user_id',
  'time_zone',
  'created_at',
] as const

export interface PropertyInput {
  /** Letters, digits and `_`, possibly with surrounding white space. */
  key: string
  type: PropertyType
  fallbackValue: string | number | null
}

/**
 * Adds a property. Throws `validation_error` if the key is taken, the fallback does not fit the type, or the team has
 * too many properties.
 */
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
  // Exact, because other transactions that add a property wait at the counter.
  if ((await readCounter(tx, teamId, PROPERTY_COUNTER)) > PROPERTIES_MAX) {
    throw invalidField('key', `An account must not have more than ${PROPERTIES_MAX} properties.`)
  }
  return property
}

/**
 * Updates the given fields. The type cannot change. Throws `not_found` and `validation_error`, and `conflict` for another key
 * while an active automation or a run names the property by it.
 */
export async function updateProperty(
  tx: Tx,
  teamId: string,
  id: string,
  input: { [Field in keyof PropertyInput]?: PropertyInput[Field] | undefined },
  now: Date,
): Promise<Property> {
  const property = orNotFound(await lockProperty(tx, teamId, id))
  const { key = property.key, type = property.type, fallbackValue = property.fallbackValue } = input
  if (type !== property.type) throw invalidField('type', 'The type field cannot be changed.')
  const updated = {
    ...property,
    key: key.trim(),
    fallbackValue: readFallback(type, fallbackValue),
    updatedAt: now,
  }
  const isRenamed = updated.key.toLowerCase() !== property.key.toLowerCase()
  if (isRenamed && (await isInAutomation(tx, property)))
    throw new ApiError('conflict', 'This property is used by active automations, so its key cannot change.')
  await refuseTakenKey(() => saveProperty(tx, updated))
  return updated
}

/**
 * Deletes a property, which disappears from every response at once. Its values are swept up later. Throws
 * `not_found`, or `conflict` while a segment, an active automation or a run uses the property, or a campaign whose audience is
 * being read.
 */
export async function removeProperty(tx: Tx, teamId: string, id: string, now: Date): Promise<void> {
  const property = orNotFound(await lockProperty(tx, teamId, id))
  if (await isPropertyInSegment(tx, teamId, id)) {
    throw new ApiError('conflict', 'This property is used by segments and cannot be deleted.')
  }
  if (await isPropertyInCampaign(tx, teamId, id)) {
    throw new ApiError('conflict', 'This property is used by active campaigns and cannot be deleted.')
  }
  if (await isInAutomation(tx, property)) {
    throw new ApiError('conflict', 'This property is used by active automations and cannot be deleted.')
  }
  await insertTombstone(tx, teamId, 'property', id, now)
  await deleteProperty(tx, teamId, id)
}

/** Returns whether an active automation, or a run that has not ended, names a locked property by its id or its key. */
function isInAutomation(tx: Tx, { teamId, id, key }: Property): Promise<boolean> {
  const byKey = [
    ...((NAMED_FIELDS as readonly string[]).includes(key.toLowerCase())
      ? []
      : [`$.** ? ${jsonpathIs(`contact.${key}`)}`]),
    `$.** ? ${jsonpathIs(`contact.properties.${key}`)}`,
    `$.steps[*].config.property ? ${jsonpathIs(key)}`,
    `$.steps[*].config.properties.keyvalue().key ? ${jsonpathIs(key)}`,
  ]
  return isInFollowedVersion(tx, teamId, id, byKey)
}

/** Validates a fallback. It is stored as entered. */
function readFallback(type: PropertyType, value: string | number | null): string | null {
  if (value === null) return null
  const result = readPropertyValue(type, value, 'fallback_value')
  if ('problem' in result) throw invalidField('fallback_value', result.problem)
  return String(value)
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
