import pg from 'pg'

/** A column of a statement's result. */
export interface Column {
  name: string
  /** The TypeScript type that the type parsers of `openDb` produce. */
  type: string
}

const TYPES: readonly (readonly [type: string, oids: readonly number[]])[] = [
  ['boolean', [16]],
  ['Buffer', [17]],
  // int8, int2, int4, oid, float4, float8
  ['number', [20, 21, 23, 26, 700, 701]],
  // "char", name, text, xid, varchar, date, numeric, uuid, void, regclass
  ['string', [18, 19, 25, 28, 1043, 1082, 1700, 2205, 2278, 2950]],
  ['Date', [1114, 1184]],
  // json, jsonb
  ['any', [114, 3802]],
  ['boolean[]', [1000]],
  ['Buffer[]', [1001]],
  // int2[], int4[], numeric[]
  ['number[]', [1005, 1007, 1231]],
  // name[], text[], varchar[], int8[], uuid[]
  ['string[]', [1003, 1009, 1015, 1016, 2951]],
  ['Date[]', [1185]],
]
const TYPE_BY_OID = new Map(TYPES.flatMap(([type, oids]) => oids.map((oid) => [oid, type])))

/** The part of pg's protocol that `Submittable` uses. */
interface Wire {
  parse(query: { text: string; name: string }, more?: boolean): void
  describe(what: { type: 'S'; name: string }, more?: boolean): void
  sync(): void
}

interface Field {
  name: string
  dataTypeID: number
  tableID: number
  columnID: number
}

/** Describes statements with a database, without running them. The caller closes it. */
export class Describer {
  readonly #client: pg.Client
  #nullable = new Set<string>()

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url })
  }

  async connect(): Promise<void> {
    await this.#client.connect()
    const { rows } = await this.#client.query<{ place: string }>(
      "select attrelid || ' ' || attnum as place from pg_attribute where attnum > 0 and not attnotnull",
    )
    this.#nullable = new Set(rows.map(({ place }) => place))
  }

  /** Throws PostgreSQL's error for a statement that does not match the schema. */
  async describe(sql: string): Promise<Column[]> {
    const fields = await this.#ask(sql)
    return fields.map(({ name, dataTypeID, tableID, columnID }) => {
      const type = TYPE_BY_OID.get(dataTypeID) ?? `unknown type of oid ${dataTypeID}`
      return { name, type: this.#nullable.has(`${tableID} ${columnID}`) ? `${type} | null` : type }
    })
  }

  /** Returns the names of the functions of which a form depends on more than its parameters. */
  async findMutableFunctions(): Promise<Set<string>> {
    const { rows } = await this.#client.query<{ name: string }>(
      `select proname as name from pg_proc where provolatile <> 'i'`,
    )
    return new Set(rows.map(({ name }) => name))
  }

  /** Returns the names of the columns with a time or a day. */
  async findTimeColumns(): Promise<Set<string>> {
    const { rows } = await this.#client.query<{ name: string }>(
      `select column_name as name
       from information_schema.columns
       where table_schema = current_schema() and data_type ~ '^(date|time)'`,
    )
    return new Set(rows.map(({ name }) => name))
  }

  #ask(text: string): Promise<Field[]> {
    return new Promise((resolve, reject) => {
      let fields: Field[] = []
      let failure: Error | null = null
      this.#client.query({
        submit(connection: unknown) {
          const wire = connection as Wire
          wire.parse({ text, name: '' })
          wire.describe({ type: 'S', name: '' })
          wire.sync()
        },
        handleRowDescription(message: { fields: Field[] }) {
          fields = message.fields
        },
        handleError(error: Error) {
          failure = error
          reject(error)
        },
        handleReadyForQuery() {
          if (failure === null) resolve(fields)
        },
      } as unknown as pg.Submittable)
    })
  }

  end(): Promise<void> {
    return this.#client.end()
  }
}
