import { type ApiError, invalidField } from '../../lib/api-error.ts'
import { tidyName } from './read-header.ts'

/** Maps the name of a column, in lower case, to a field; null ignores the column. */
export type ColumnMapping = ReadonlyMap<string, string | null>

const NAME_LENGTH_MAX = 255

/**
 * Parses the mapping of a request, a JSON object. An absent text maps nothing. Throws `validation_error` on
 * `mapping`.
 */
export function readMapping(text = '{}'): ColumnMapping {
  const json = parseJson(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw refuseMapping()
  const mapping = new Map<string, string | null>()
  for (const [name, field] of Object.entries(json)) {
    const isField = field === null || (typeof field === 'string' && field.length <= NAME_LENGTH_MAX)
    if (!isField) throw refuseMapping()
    mapping.set(keyOf(name), field === null || field.trim() === '' ? null : field.trim())
  }
  return mapping
}

function refuseMapping(): ApiError {
  return invalidField(
    'mapping',
    'The mapping field must be a JSON object of names of columns, each with the name of a field or null.',
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function keyOf(name: string): string {
  return tidyName(name).toLowerCase()
}

/**
 * Returns the mapped names of a file's columns; null for ignored columns. Throws `validation_error` for a mapped name
 * that no column has.
 */
export function mapColumns(names: readonly string[], mapping: ColumnMapping): (string | null)[] {
  const keys = names.map(keyOf)
  const keySet = new Set(keys)
  const absent = [...mapping.keys()].find((key) => !keySet.has(key))
  if (absent !== undefined) {
    const label = absent.slice(0, NAME_LENGTH_MAX).toWellFormed()
    throw invalidField('mapping', `The file has no column "${label}".`)
  }
  return names.map((name, place) => {
    const field = mapping.get(keys[place] as string)
    return field === undefined ? name : field
  })
}

/** Checks the columns that are not ignored and returns all columns in their positions. */
export async function checkMapped<Column>(
  columns: readonly (string | null)[],
  check: (names: readonly string[]) => Promise<(Column | null)[]>,
): Promise<(Column | null)[]> {
  const fields = await check(columns.filter((name) => name !== null))
  let place = 0
  return columns.map((name) => (name === null ? null : (fields[place++] ?? null)))
}
