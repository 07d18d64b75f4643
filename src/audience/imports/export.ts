import type { Db } from '../../db/db-types.ts'
import { rangeAfter, readPages } from '../../db/page.ts'
import { type CsvValue, writeCsvLines } from '../../lib/text/csv.ts'
import { listSuppressions, type SuppressionFilter } from '../../suppressions/list-suppressions-queries.ts'
import type { Suppression } from '../../suppressions/suppressions-queries.ts'
import type { Contact } from '../contacts/contacts-queries.ts'
import { listContacts } from '../contacts/list-contacts-queries.ts'
import { listProperties, type Property } from '../properties/properties-queries.ts'
import type { ContactCondition } from '../segments/contact-condition.ts'
import { CONTACT_FIELDS, PROPERTY_PREFIX } from './contact-rows.ts'

/**
 * Yields the contacts that match all conditions as the lines of a CSV file that can be imported again: newest first,
 * with a column for each property. Pages are created as fast as the reader consumes them.
 */
export async function* exportContacts(
  lists: Db,
  teamId: string,
  conditions: readonly ContactCondition[],
): AsyncGenerator<string> {
  const properties: Property[] = []
  const readProperties = (after: string | null) => listProperties(lists, teamId, rangeAfter(after))
  for await (const page of readPages(readProperties)) properties.push(...page)
  properties.sort((a, b) => (a.key.toLowerCase() < b.key.toLowerCase() ? -1 : 1))
  yield writeCsvLines([[...Object.keys(CONTACT_FIELDS), ...properties.map(columnOf), 'created_at']])
  // The export does not show a total, so none is counted.
  const readContacts = (after: string | null) => listContacts(lists, teamId, conditions, rangeAfter(after), 0)
  for await (const page of readPages(readContacts))
    yield writeCsvLines(page.map((one) => cellsOf(one, properties)))
}

/** Returns the column of a property. Prefixes names that an import would read as a field. */
function columnOf({ key }: Property): string {
  const name = key.toLowerCase()
  const isTaken =
    Object.hasOwn(CONTACT_FIELDS, name) || ['object', 'id', 'created_at', 'updated_at'].includes(name)
  return isTaken ? PROPERTY_PREFIX + key : key
}

function cellsOf(contact: Contact, properties: readonly Property[]): CsvValue[] {
  const values = new Map(contact.properties.map(({ propertyId, value }) => [propertyId, value]))
  return [
    ...Object.values(CONTACT_FIELDS).map((field) => contact[field]),
    ...properties.map(({ id }) => values.get(id) ?? null),
    contact.createdAt,
  ]
}

/** Yields the matching entries of the suppression list as the lines of a CSV file. */
export async function* exportSuppressions(
  lists: Db,
  teamId: string,
  filter: SuppressionFilter,
): AsyncGenerator<string> {
  yield writeCsvLines([['email', 'reason', 'source_email_id', 'created_at']])
  const readPage = (after: string | null) => readSuppressions(lists, teamId, filter, after)
  const keyOf = ({ id, email }: Suppression) => (filter.prefix === undefined ? id : email)
  for await (const page of readPages(readPage, keyOf)) {
    yield writeCsvLines(page.map((one) => [one.email, one.reason, one.sourceEmailId, one.createdAt]))
  }
}

/** A list in address order continues after an address, because the entry with the last id may no longer exist. */
function readSuppressions(lists: Db, teamId: string, filter: SuppressionFilter, after: string | null) {
  return filter.prefix === undefined
    ? listSuppressions(lists, teamId, filter, rangeAfter(after))
    : listSuppressions(lists, teamId, filter, rangeAfter(null), after)
}
