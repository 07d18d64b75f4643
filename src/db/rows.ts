import type pg from 'pg'
import { TYPES } from './pool.ts'

/**
 * Converts a column name to the key of a row: an underscore is removed, and the letter or digit after it becomes
 * upper case.
 */
export function toCamelCase<const Column extends string>(column: Column): CamelCase<Column> {
  const key = column.replace(/(?<=[^_])_([a-z0-9])/g, (_, first: string) => first.toUpperCase())
  return key as CamelCase<Column>
}

/** The key of a column as a type, for names without a leading or double underscore. */
export type CamelCase<Column extends string> = Column extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Column

interface Column {
  name: string
  typeId: number
  parse(text: string): unknown
}

/** The keys and types of a statement's rows, computed once per prepared statement instead of once per result. */
export class RowKeys {
  readonly #columns: readonly Column[]
  readonly #keys: readonly string[]
  /** Copied for each row, so that all rows share one hidden class from the start. */
  readonly #empty: Readonly<Record<string, null>>

  constructor(fields: readonly pg.FieldDef[]) {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      typeId: dataTypeID,
      parse: TYPES.getTypeParser(dataTypeID, 'text') as unknown as Column['parse'],
    }))
    this.#keys = this.#columns.map(({ name }) => toCamelCase(name))
    this.#empty = Object.fromEntries(this.#keys.map((key) => [key, null]))
  }

  /** Returns false when the columns have changed: `select *` after a migration. */
  fit(fields: readonly pg.FieldDef[]): boolean {
    const columns = this.#columns
    if (fields.length !== columns.length) return false
    return fields.every(({ name, dataTypeID }, index) => {
      const column = columns[index] as Column
      return name === column.name && dataTypeID === column.typeId
    })
  }

  /** Builds a row from the texts of its values. */
  read(texts: readonly (string | null)[]): Record<string, unknown> {
    const row: Record<string, unknown> = { ...this.#empty }
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index] as string | null
      if (text !== null) row[this.#keys[index] as string] = this.#columns[index]?.parse(text)
    }
    return row
  }

  /** Builds rows from a result in array mode. */
  build(rows: readonly (readonly unknown[])[]): Record<string, unknown>[] {
    const keys = this.#keys
    return rows.map((values) => {
      const row: Record<string, unknown> = { ...this.#empty }
      for (let index = 0; index < keys.length; index++) row[keys[index] as string] = values[index]
      return row
    })
  }
}
