import pg from 'pg'

/** The parsers that convert values of PostgreSQL types to JavaScript values. */
export const TYPES = new pg.TypeOverrides()
TYPES.setTypeParser(pg.types.builtins.INT8, Number)
TYPES.setTypeParser(pg.types.builtins.DATE, (text: string) => text)

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
  /** The key of its values in a row. */
  key: string
  parse(text: string): unknown
}

/** The keys and types of a statement's rows, computed once per prepared statement instead of once per result. */
export class RowKeys {
  readonly #columns: readonly Column[]
  /** Copied for each row, so that all rows share one hidden class from the start. */
  readonly #empty: Readonly<Record<string, null>>

  constructor(fields: readonly pg.FieldDef[]) {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      typeId: dataTypeID,
      key: toCamelCase(name),
      parse: TYPES.getTypeParser(dataTypeID, 'text') as unknown as Column['parse'],
    }))
    this.#empty = Object.fromEntries(this.#columns.map(({ key }) => [key, null]))
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
      const column = this.#columns[index] as Column
      if (text !== null) row[column.key] = column.parse(text)
    }
    return row
  }
}
