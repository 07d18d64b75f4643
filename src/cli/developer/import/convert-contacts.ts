import type { ImportOrigin, Skipped } from './origins.ts'
import { type ExportRecord, findText, findValue } from './read-records.ts'

export interface ContactRow {
  place: string
  email: string
  firstName: string
  lastName: string
  /** Null to leave it is. */
  isUnsubscribed: boolean | null
  properties: ReadonlyMap<string, string>
}

const PROPERTY_KEY = /^[a-z][a-z0-9_]*$/
/** Columns that are fields of a contact, or facts that only the service needs. */
const KNOWN = new Set([
  ...['email', 'emailaddress', 'address', 'firstname', 'lastname', 'name', 'unsubscribed', 'subscribed'],
  ...['unsubscribeall', 'vars', 'attributesdata', 'customfields', 'properties', 'id', 'contactid', 'object'],
  ...['createdat', 'updatedat', 'createdtimestamp', 'lastupdatedtimestamp', 'topicpreferences'],
  ...['topicdefaultpreferences', 'contactlistname', 'listids', 'segmentids', 'metadata'],
])

/**
 * Converts the contacts of an export. Fields of the team's own become properties.
 * @param keys of `namePropertyKeys`
 */
export function convertContacts(
  service: ImportOrigin,
  records: readonly ExportRecord[],
  keys: ReadonlyMap<string, string>,
): { rows: ContactRow[]; skipped: Skipped[] } {
  const rows: ContactRow[] = []
  const skipped: Skipped[] = []
  for (const record of records) {
    const email = findText(record, 'email', 'EmailAddress', 'address')
    if (email === null) {
      skipped.push({ place: record.place, message: 'The record has no address.' })
      continue
    }
    const topics = readOptOuts(record)
    if (topics.length > 0) {
      const message = `The opt-out from ${topics.join(', ')} is not imported: add an unsubscription.`
      skipped.push({ place: record.place, message })
    }
    rows.push({
      place: record.place,
      email,
      ...readName(record),
      isUnsubscribed: readUnsubscribed(record),
      properties: readProperties(service, record, keys),
    })
  }
  return { rows, skipped }
}

function readName(record: ExportRecord): { firstName: string; lastName: string } {
  const fullName = findText(record, 'name') ?? ''
  const [first = '', ...rest] = fullName.split(/\s+/)
  return {
    firstName: findText(record, 'first_name') ?? first,
    lastName: findText(record, 'last_name') ?? rest.join(' '),
  }
}

function readUnsubscribed(record: ExportRecord): boolean | null {
  const out = readBoolean(findValue(record, 'unsubscribed', 'UnsubscribeAll'))
  const isIn = readBoolean(findValue(record, 'subscribed'))
  return out ?? (isIn === null ? null : !isIn)
}

function readBoolean(value: unknown): boolean | null {
  const word = String(value ?? '').toLowerCase()
  if (['true', 'yes', '1'].includes(word)) return true
  return ['false', 'no', '0'].includes(word) ? false : null
}

/** The topics of SES that the person has left. */
function readOptOuts(record: ExportRecord): string[] {
  const preferences = findValue(record, 'TopicPreferences')
  if (!Array.isArray(preferences)) return []
  return preferences
    .filter((each) => each?.SubscriptionStatus === 'OPT_OUT')
    .map(({ TopicName }) => String(TopicName))
}

function readProperties(
  service: ImportOrigin,
  record: ExportRecord,
  keys: ReadonlyMap<string, string>,
): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [name, value] of readOwnFields(record)) {
    const key = keys.get(name)
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
    // SendGrid writes a column for each field that it knows, whether it is used or not.
    if (key === undefined || text === '' || (service === 'sendgrid' && text === '[]')) continue
    texts.set(key, text)
  }
  return texts
}

/** Returns the fields of the team's own. */
function readOwnFields(record: ExportRecord): [string, unknown][] {
  const nested = findValue(record, 'vars', 'custom_fields', 'AttributesData', 'properties')
  const own = [...record.fields].filter(([name]) => !KNOWN.has(name.toLowerCase().replaceAll(/[\s_-]/g, '')))
  return [...own, ...Object.entries(readObject(nested))]
}

/** Reads an object, or the JSON of one in a cell. */
function readObject(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  try {
    const json = typeof value === 'string' ? JSON.parse(value) : null
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {}
  } catch {
    return {}
  }
}

/** Returns the names of the fields that are the team's own. */
export function listOwnFields(records: readonly ExportRecord[]): Set<string> {
  const names = new Set<string>()
  for (const record of records) for (const [name] of readOwnFields(record)) names.add(name)
  return names
}

/**
 * Returns the key of the property of each field, by its name. Names in other scripts have few letters that a key can
 * have, or none: those that would become equal get numbers, or one value would replace the other. The keys depend on
 * the names alone, not on their order. Names that differ only in case are one property, as on the server.
 */
export function namePropertyKeys(names: ReadonlySet<string>): Map<string, string> {
  const lowerNames = [...new Set([...names].map((name) => name.toLowerCase()))].sort()
  // A name that is a key already stays as it is.
  const keys = new Map(lowerNames.filter((name) => PROPERTY_KEY.test(name)).map((name) => [name, name]))
  const taken = new Set(keys.keys())
  const last = new Map<string, number>()
  for (const name of lowerNames) {
    if (keys.has(name)) continue
    const base = toKey(name)
    let number = last.get(base) ?? 1
    let key = number === 1 ? base : `${base}_${number}`
    while (taken.has(key)) key = `${base}_${++number}`
    last.set(base, number)
    keys.set(name, key)
    taken.add(key)
  }
  return new Map([...names].map((name) => [name, keys.get(name.toLowerCase()) ?? '']))
}

/** Returns a name that a property can have: `favourite colour` becomes `favourite_colour`. */
function toKey(lowerName: string): string {
  const key = lowerName.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')
  if (key === '') return 'field'
  return /^[a-z]/.test(key) ? key : `field_${key}`
}
