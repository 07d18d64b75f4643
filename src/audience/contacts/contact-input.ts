import type { Tx } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'
import { type FieldErrors, throwInvalid } from '../../lib/api-error.ts'
import { readTimeZone } from '../../lib/time/time-zone.ts'
import { readAddressKey } from '../../mime/address.ts'
import { holdLists } from '../lists/lists-queries.ts'
import { holdPropertiesByKey, type Property } from '../properties/properties-queries.ts'
import { readPropertyValue, type TypedValue } from '../properties/property-values.ts'
import type { ContactChange } from './upsert-contacts.ts'
import type { ContactFields } from './write-contacts-queries.ts'

export const TIME_ZONE_PROBLEM = 'The time_zone field must be an IANA time zone, such as Europe/Berlin.'

/** A contact in a request. Undefined fields were not given. */
export interface ContactRequest extends ContactFields {
  email?: string | undefined
  listIds?: readonly string[] | undefined
  /** Values by the key of a property, in any case. Null removes a value. */
  properties?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Validates a request against the team's lists and properties, and locks those that it names until the transaction
 * ends. Throws `validation_error` with all problems: `email`, `list_ids.N`, `properties.KEY`.
 */
export async function readContactRequest(
  tx: Tx,
  teamId: string,
  request: ContactRequest,
): Promise<ContactChange & { email: string | undefined }> {
  const errors: FieldErrors = {}
  const email = readEmail(request.email, errors)
  const timeZone = readZone(request.timeZone, errors)
  const [listIds, values] = await together([
    readLists(tx, teamId, request.listIds ?? [], errors),
    readValues(tx, teamId, request.properties ?? {}, errors),
  ])
  throwInvalid(errors)
  const lists = request.listIds === undefined ? undefined : { ids: listIds, mode: 'replace' as const }
  const { firstName, lastName, userId, unsubscribed } = request
  return { email, firstName, lastName, userId, timeZone, unsubscribed, lists, values }
}

function readEmail(value: string | undefined, errors: FieldErrors): string | undefined {
  if (value === undefined) return undefined
  const email = readAddressKey(value)
  if (email === null) errors.email = ['The email field must be a valid email address.']
  return email ?? undefined
}

function readZone(value: string | null | undefined, errors: FieldErrors): string | null | undefined {
  if (value === undefined || value === null) return value
  const timeZone = readTimeZone(value)
  if (timeZone === null) errors.time_zone = [TIME_ZONE_PROBLEM]
  return timeZone ?? undefined
}

/** Returns the ids of the team's lists, each once, and locks the lists. */
export async function readLists(
  tx: Tx,
  teamId: string,
  values: readonly string[],
  errors: FieldErrors,
): Promise<string[]> {
  const ids = values.map((id) => id.toLowerCase())
  const listIds = await holdLists(tx, teamId, ids)
  for (const [index, id] of ids.entries()) {
    const field = `list_ids.${index}`
    if (!listIds.has(id)) errors[field] = [`The ${field} field must be the id of a list of this account.`]
  }
  return [...listIds]
}

/** The form of a key. Only such keys are compared in any case. */
const KEY = /^[A-Za-z][A-Za-z0-9_]*$/
/** Limits how much of an invalid key an error repeats. */
const SHOWN_MAX = 200

async function readValues(
  tx: Tx,
  teamId: string,
  fields: Readonly<Record<string, unknown>>,
  errors: FieldErrors,
): Promise<{ propertyId: string; value: TypedValue | null }[]> {
  const entries = Object.entries(fields).map(
    ([key, value]) => [key, KEY.test(key) ? key.toLowerCase() : key, value] as const,
  )
  const lowerKeys = new Set(entries.map(([, lowerKey]) => lowerKey))
  const rows = await holdPropertiesByKey(tx, teamId, [...lowerKeys])
  const properties = new Map(rows.map((property) => [property.key.toLowerCase(), property]))
  return entries.flatMap(([key, lowerKey, value]) => {
    const field = `properties.${key.length > SHOWN_MAX ? `${key.slice(0, SHOWN_MAX).toWellFormed()}...` : key}`
    const property = properties.get(lowerKey)
    const result = readValue(property, lowerKeys.delete(lowerKey), value, field)
    if (property !== undefined && 'value' in result) return [{ propertyId: property.id, value: result.value }]
    if ('problem' in result) errors[field] = [result.problem]
    return []
  })
}

function readValue(
  property: Property | undefined,
  isFirst: boolean,
  raw: unknown,
  field: string,
): { value: TypedValue | null } | { problem: string } {
  if (property === undefined) return { problem: `The ${field} field must be a property of this account.` }
  if (!isFirst) return { problem: `The ${field} field is given twice.` }
  return raw === null ? { value: null } : readPropertyValue(property.type, raw, field)
}
