import { arrays } from './arrays.ts'
import type { Pieces } from './pieces.ts'
import { type CamelCase, toCamelCase } from './rows.ts'

/** The values of a column, by its type. */
interface ValueTypes {
  bool: boolean
  bytea: Buffer
  int2: number
  int4: number
  int8: number
  /** Anything that JSON can express. */
  jsonb: unknown
  text: string
  timestamptz: Date
  uuid: string
}

/** The types of the columns in a definition. A definition that is put together has no known columns. */
type ColumnsOf<Definition extends string> = string extends Definition
  ? Record<never, never>
  : Definition extends `${infer First},${infer Rest}`
    ? ColumnOf<Trim<First>> & ColumnsOf<Rest>
    : ColumnOf<Trim<Definition>>

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `\n${infer Rest}` ? Trim<Rest> : Text

type ColumnOf<Definition> = Definition extends `${infer Name} ${infer Type extends keyof ValueTypes}`
  ? Record<Name, ValueTypes[Type] | null>
  : never

type Reads<Columns> = { readonly [Name in keyof Columns]?: (row: never) => Columns[Name] }

/** A row has a field for each column without a function, and what the functions need. */
type RowOf<Columns, Given> = {
  readonly [Name in Exclude<keyof Columns, keyof Given> & string as CamelCase<Name>]: Columns[Name]
} & Parameter<Given[keyof Given]>

/** The intersection of the parameters of functions. */
type Parameter<Read> = [Read] extends [never]
  ? unknown
  : [Read] extends [(row: infer Row) => unknown]
    ? Row
    : never

/** Many rows as parameters of one statement, an array for each column. */
interface Batch<Row> {
  /** The columns, for `insert into t (...)` and `as r (...)`. */
  names: string
  /** The parameters, for `unnest(...)`: `$1::uuid[], $2::text[]`. */
  arrays: string
  /** The parameters behind others: the first array is `$<first>`. */
  arraysFrom(first: number): string
  /**
   * The same with a subselect, which hides the length of the arrays from the planner. Otherwise a custom plan would look
   * cheaper for a single row, and PostgreSQL would plan the statement over all partitions again for each such row.
   */
  hiddenFrom(first: number): string
  /** The values of the parameters, in order. */
  values(rows: readonly Row[]): (Buffer | Pieces)[]
}

/**
 * Describes the rows of a batch: `batchOf('team_id uuid, id uuid')` takes rows with `teamId` and `id`. `reads` has
 * functions for the columns whose values are not in the field of the same name.
 */
export function batchOf<
  const Definition extends string,
  const Given extends Reads<ColumnsOf<Definition>> = Record<never, never>,
>(definition: Definition, reads?: Given): Batch<RowOf<ColumnsOf<Definition>, Given>> {
  const readers = (reads ?? {}) as Record<string, ((row: unknown) => unknown) | undefined>
  const columns = definition.split(',').map((column) => {
    const [name = '', type = ''] = column.trim().split(' ')
    return { name, type, write: writerOf(type), field: toCamelCase(name), read: readers[name] }
  })
  const arraysFrom = (first: number) =>
    columns.map(({ type }, index) => `$${first + index}::${type}[]`).join(', ')
  return {
    names: columns.map(({ name }) => name).join(', '),
    arrays: arraysFrom(1),
    arraysFrom,
    hiddenFrom: (first) => arraysFrom(first).replace(/^[^,]+/, '(select $&)'),
    values: (rows) =>
      columns.map(({ write, field, read }) => write(read === undefined ? pick(rows, field) : rows.map(read))),
  }
}

function writerOf(type: string): (values: readonly unknown[]) => Buffer | Pieces {
  if (type === 'jsonb') return (values) => arrays.jsonb(values.map(toJsonText))
  return arrays[type as keyof ValueTypes] as (values: readonly unknown[]) => Buffer | Pieces
}

const toJsonText = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** A loop, because a function for each of a thousand values would cost a tenth of the encoding. */
function pick(rows: readonly unknown[], field: string): unknown[] {
  const values: unknown[] = []
  for (const row of rows) values.push((row as Record<string, unknown>)[field])
  return values
}
