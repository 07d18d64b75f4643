import { readValue, showValue } from './rule-rows.ts'

/** A name with its value, as a row of the editor. */
export interface EntryRow {
  name: string
  /** Whether `value` is the path of a variable, such as `event.plan`. */
  isVariable: boolean
  /** A value is as in the rows of rules: a number, true, false, a text, or a text in quotation marks. */
  value: string
}

/** Returns the path of the variable that a value is; null: it is none. */
export function variablePathOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('var' in value)) return null
  return typeof value.var === 'string' ? value.var : null
}

/** Returns the rows of a record; null if it has values that rows cannot show, such as lists. */
export function entryRowsOf(record: unknown): EntryRow[] | null {
  const entries = Object.entries(typeof record === 'object' && record !== null ? record : {})
  const rows = entries.flatMap(([name, value]): EntryRow[] => {
    const path = variablePathOf(value)
    if (path !== null) return [{ name, isVariable: true, value: path }]
    const isPlain = value === null || typeof value !== 'object'
    return isPlain ? [{ name, isVariable: false, value: showValue(value) }] : []
  })
  return rows.length === entries.length ? rows : null
}

/** Returns the names that several rows have: a record keeps only the value of the last. */
export function repeatedNamesOf(rows: readonly EntryRow[]): ReadonlySet<string> {
  const byName = Map.groupBy(rows, ({ name }) => name)
  return new Set([...byName].flatMap(([name, { length }]) => (name !== '' && length > 1 ? [name] : [])))
}

/** Returns the record of rows; undefined without any. Rows without a name are left out. */
export function entriesOf(rows: readonly EntryRow[]): Record<string, unknown> | undefined {
  const named = rows.filter(({ name }) => name !== '')
  if (named.length === 0) return undefined
  return Object.fromEntries(
    named.map(({ name, isVariable, value }) => [name, isVariable ? { var: value } : readValue(value)]),
  )
}
