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

/** Converts the contacts of an export. Fields of the team's own become properties. */
export function convertContacts(
  service: ImportOrigin,
  records: readonly ExportRecord[],
): { rows: ContactRow[]; skipped: Skipped[] } {
  const rows: ContactRow[] = []
  const skipped: Skipped[] = []
  const keyOf = createKeys()
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
      properties: readProperties(service, record, keyOf),
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
  keyOf: (name: string) => string,
): Map<string, string> {
  const nested = findValue(record, 'vars', 'custom_fields', 'AttributesData', 'properties')
  const properties = [...record.fields].filter(
    ([name]) => !KNOWN.has(name.toLowerCase().replaceAll(/[\s_-]/g, '')),
  )
  const entries = [...properties, ...Object.entries(readObject(nested))]
  const texts = new Map<string, string>()
  for (const [name, value] of entries) {
    // Also of an empty field, so that the names depend on the order of the columns alone.
    const key = keyOf(name)
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
    // SendGrid writes a column for each field that it knows, whether it is used or not.
    if (text === '' || (service === 'sendgrid' && text === '[]')) continue
    texts.set(key, text)
  }
  return texts
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

/**
 * Returns a function that names the property of a field. Names in other scripts have few letters that a key can have, or
 * none: those that would become equal get numbers, or one value would replace the other.
 */
function createKeys(): (name: string) => string {
  const keys = new Map<string, string>()
  const taken = new Set<string>()
  return (name) => {
    const lowerName = name.toLowerCase()
    const known = keys.get(lowerName)
    if (known !== undefined) return known
    const base = toKey(lowerName)
    let key = base
    for (let number = 2; taken.has(key); number++) key = `${base}_${number}`
    keys.set(lowerName, key)
    taken.add(key)
    return key
  }
}

/** Returns a name that a property can have: `favourite colour` becomes `favourite_colour`. */
function toKey(lowerName: string): string {
  if (PROPERTY_KEY.test(lowerName)) return lowerName
  const key = lowerName.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')
  if (key === '') return 'field'
  return /^[a-z]/.test(key) ? key : `field_${key}`
}
