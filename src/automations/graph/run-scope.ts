import { NAMED_FIELDS } from '../../audience/properties/properties.ts'

type ContactField = (typeof NAMED_FIELDS)[number]

/** A value of a contact: a date is a Date, or an ISO 8601 text. */
type ContactValue = string | number | boolean | Date | null

/** What the rules and variables of a run can see. */
export interface RunScope {
  /** The payload of the event that started the run or that is judged: any JSON. */
  event: unknown
  contact: Readonly<Record<ContactField, ContactValue>> & {
    /** Values by the key of the property. */
    properties: Readonly<Record<string, ContactValue>>
  }
  /** The ids, in lower case, of those segments of `segmentIdsOf` that have the contact. */
  segments: ReadonlySet<string>
}

/** The key of a property (audience/properties). */
const PROPERTY_KEY = /^[A-Za-z][A-Za-z0-9_]{0,254}$/
const PATH_CHARS_MAX = 300
const PATH_DEPTH_MAX = 10
const INDEX = /^(?:0|[1-9]\d{0,8})$/

export function isPropertyKey(text: string): boolean {
  return PROPERTY_KEY.test(text)
}

/** Ends the sentence `The PATH field ...` about a path that isPath rejects. */
export const PATH_PROBLEM =
  'must be a path in the event or the contact, such as event.plan, contact.first_name or contact.properties.plan.'

/** Returns whether a text is `event.` and up to nine names or indexes, or names a field or property of the contact. */
export function isPath(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > PATH_CHARS_MAX) return false
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return false
  const [root, ...names] = text.split('.')
  if (names.length === 0 || names.length >= PATH_DEPTH_MAX) return false
  if (root === 'event') return names.every((name) => name !== '')
  return root === 'contact' && contactNameOf(names) !== null
}

/** Returns the key of the property that a valid path names; null: it names something else. */
export function propertyOf(path: string): string | null {
  const [root, ...names] = path.split('.')
  return root === 'contact' && !isContactField(names) ? contactNameOf(names) : null
}

function isContactField(names: readonly string[]): boolean {
  return names.length === 1 && (NAMED_FIELDS as readonly string[]).includes(names[0] ?? '')
}

function contactNameOf(names: readonly string[]): string | null {
  const isNested = names.length === 2 && names[0] === 'properties'
  const name = names.length === 1 ? names[0] : isNested ? names[1] : undefined
  return name !== undefined && isPropertyKey(name) ? name : null
}

/** Returns the value at a path; undefined: there is none. Inherited fields do not count. */
export function lookUp(path: string, scope: RunScope): unknown {
  const [root, ...names] = path.split('.')
  if (root === 'event') return names.reduce(memberOf, scope.event)
  const key = propertyOf(path)
  if (key !== null) return propertyValue(scope.contact.properties, key)
  return root === 'contact' && isContactField(names) ? memberOf(scope.contact, names[0] ?? '') : undefined
}

function memberOf(value: unknown, name: string): unknown {
  // `length` is an own property of an array, and a text has its characters.
  if (Array.isArray(value)) return INDEX.test(name) ? value[Number(name)] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/** The keys of properties are unique ignoring case. */
function propertyValue(properties: RunScope['contact']['properties'], key: string): unknown {
  if (Object.hasOwn(properties, key)) return properties[key]
  const folded = key.toLowerCase()
  const stored = Object.keys(properties).find((name) => name.toLowerCase() === folded)
  return stored === undefined ? undefined : properties[stored]
}
