import { invalidField } from '../../lib/api-error.ts'

/** Returns the same column for all its names. `passed`: a column of exports that imports ignore. Null: an unknown column. */
type FindColumn<Column> = (lowerName: string) => Column | 'passed' | null

const NAME_SHOWN_MAX = 100
const REMEDY = 'Name its field in mapping, or set ignore_unknown to true to skip unknown columns.'
const NO_EMAIL = 'The column "email" is required. If it has another name in the file, name it in mapping.'

/**
 * Returns the meaning of each column of a file; null for ignored columns. Throws a 422 for an unknown or repeated
 * column, and for a file without addresses.
 */
export function readColumnNames<Column>(
  names: readonly string[],
  find: FindColumn<Column>,
  ignoreUnknown: boolean,
): (Column | null)[] {
  const seen = new Set<Column>()
  let hasEmail = false
  const columns = names.map((name) => {
    const lowerName = name.toLowerCase()
    const column = find(lowerName)
    const label = name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX).toWellFormed()}...` : name
    if (column === null && !ignoreUnknown)
      throw refuseColumn(label, `The column "${label}" is unknown. ${REMEDY}`)
    if (column === null || column === 'passed') return null
    if (seen.has(column)) throw refuseColumn(label, `The column "${label}" is given twice.`)
    seen.add(column)
    hasEmail ||= lowerName === 'email'
    return column
  })
  if (!hasEmail) throw refuseColumn('email', NO_EMAIL)
  return columns
}

function refuseColumn(name: string, message: string) {
  return invalidField(`columns.${name}`, message)
}

/** Returns the reason to reject a row of any kind, or null. */
export function checkCells(cells: readonly string[], names: readonly (string | null)[]): string | null {
  if (cells.length !== names.length) {
    const cellCount = cells.length === 1 ? '1 cell' : `${cells.length} cells`
    return `The row has ${cellCount}, the first line ${names.length}.`
  }
  for (const [index, cell] of cells.entries()) {
    const name = names[index]
    if (name === null) continue
    // PostgreSQL cannot store it.
    if (cell.includes('\0')) return `The ${name} field must not contain U+0000.`
    if (cell.includes('\ufffd'))
      return `The ${name} field contains U+FFFD, so a character was lost before the import.`
  }
  return null
}
