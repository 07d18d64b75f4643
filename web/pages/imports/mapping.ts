import type { Property } from '../../api/records.ts'
import { type ImportKind, KINDS } from './kinds.ts'

/** The field of each column, by its index: the name of a field, `properties.KEY`, or empty to skip the column. */
export type Mapping = readonly string[]

const PREFIX = 'properties.'
/** The API's limit on the whole mapping. */
const MAPPING_CHARS_MAX = 8_000

/** Guesses the fields from the column names, as the server does, and also knows names that other systems use. */
export function guessMapping(
  columns: readonly string[],
  kind: ImportKind,
  properties: readonly Property[],
): Mapping {
  const taken = new Set<string>()
  return columns.map((column) => {
    const field = guessField(column, kind, properties)
    if (field === '' || taken.has(field)) return ''
    taken.add(field)
    return field
  })
}

function guessField(column: string, kind: ImportKind, properties: readonly Property[]): string {
  const name = column.trim().toLowerCase()
  const plain = name.replaceAll(/[\s_.-]/g, '')
  const match = KINDS[kind].fields.find(
    (field) =>
      field.name === name || field.name.replaceAll('_', '') === plain || field.others.includes(plain),
  )
  if (match !== undefined) return match.name
  if (!KINDS[kind].hasProperties) return ''
  const key = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name
  const property = properties.find((each) => each.key.toLowerCase() === key)
  return property === undefined ? '' : PREFIX + property.key
}

/** Returns why the import cannot start; null when it can. */
export function faultOf(columns: readonly string[], mapping: Mapping): string | null {
  if (!mapping.includes('email')) return 'Choose the column that holds the address.'
  const fields = mapping.filter((field) => field !== '').map((field) => field.toLowerCase())
  if (new Set(fields).size < fields.length) return 'Two columns are mapped to the same field.'
  const names = columns.map((name) => name.toLowerCase())
  const isTwice = names.some(
    (name, place) => mapping[place] !== '' && names.indexOf(name) !== names.lastIndexOf(name),
  )
  if (isTwice) return 'Two columns of the file have the same name: rename one of them in the file.'
  if (writeMapping(columns, mapping).length > MAPPING_CHARS_MAX)
    return 'The file has too many columns with unknown names: remove some of them from the file.'
  return null
}

/** Returns the mapping for the API. Columns that the server recognizes by name are omitted. */
export function writeMapping(columns: readonly string[], mapping: Mapping): string {
  const entries = columns.flatMap((column, place): [string, string | null][] => {
    const field = mapping[place] ?? ''
    if (field === '') return [[column, null]]
    return column.toLowerCase() === field.toLowerCase() ? [] : [[column, field]]
  })
  return JSON.stringify(Object.fromEntries(entries))
}

/** Returns a property key for a column name: letters, digits and `_`. */
export function keyFor(column: string): string {
  const plain = column
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replace(/^[^A-Za-z]+|_+$/g, '')
  return plain.toLowerCase().slice(0, 60)
}
