import pg from 'pg'
import { bindMessage } from './bind-message.ts'
import { Pieces } from './pieces.ts'
import { RowKeys } from './rows.ts'

/** A statement to send. Its SQL text identifies it: each is prepared once per connection. */
interface Statement {
  /** Absent: the statement is planned each time and not prepared. */
  name?: string
  /** The keys of its rows, known from its first result. */
  keys: RowKeys | null
}

const statements = new Map<string, Statement>()

export function statementOf(sql: string): Statement {
  let statement = statements.get(sql)
  if (statement === undefined) {
    statement = { name: `s${statements.size}`, keys: null }
    statements.set(sql, statement)
  }
  return statement
}

interface StatementText {
  sql: string
  values: readonly unknown[] | undefined
  statement: Statement
}

interface StatementResult {
  rows: Record<string, unknown>[]
  /** The first word of the command tag, for example `COMMIT`. */
  command: string
}

/**
 * Sends a statement behind those already sent. Like `client.query`, but reads rows at once in their final form, and writes
 * the parameters with as few copies as possible (bind-message.ts). The connection must have no `query_timeout`, because it
 * would never learn that the statement has ended.
 */
export function sendStatement(client: pg.ClientBase, text: StatementText): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    client.query(new StatementQuery(text, (error, result) => (error ? reject(error) : resolve(result))))
  })
}

type Settle = (error: Error | null, result: StatementResult) => void

/**
 * A query of pg 8.23, which accepts no other class in pipeline mode, with two parts replaced. Both depend on internal
 * names of pg: if a later version uses others, no statement works, and the tests in this folder fail.
 * - The response: the client calls the `handle` methods. pg would build each row twice.
 * - The request: `submit` calls `bind`, `describe` and `execute` of the given connection.
 * Together they save a third of the client's CPU time for a transaction with a batch of emails (76 instead of 114 µs
 * per email).
 */
class StatementQuery extends pg.Query {
  /** The name that pg prepares the statement under. */
  declare name: string | undefined
  readonly #statement: Statement
  readonly #settle: Settle
  readonly #result: StatementResult = { rows: [], command: '' }
  #keys: RowKeys | null = null
  #error: Error | null = null

  constructor({ sql, values, statement }: StatementText, settle: Settle) {
    super(sql, values as unknown[])
    this.name = statement.name
    this.#statement = statement
    this.#settle = settle
    // The types of pg declare a property, which a method cannot override.
    const submit = this.submit
    this.submit = (connection) => {
      // Statements that are sent in one turn of the event loop reach the server in one write.
      connection.stream.cork()
      process.nextTick(() => connection.stream.uncork())
      return submit.call(this, writerOf(connection))
    }
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    const statement = this.#statement
    if (!statement.keys?.fit(fields)) statement.keys = new RowKeys(fields)
    this.#keys = statement.keys
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#result.rows.push((this.#keys as RowKeys).read(fields))
    } catch (error) {
      this.#error ??= error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#result.command = text.split(' ', 1)[0] as string
  }

  handleReadyForQuery(): void {
    this.#settle(this.#error, this.#result)
  }

  handleError(error: Error): void {
    this.#settle(this.#error ?? error, this.#result)
  }
}

/** A Bind message as pg describes it to its connection. */
interface Bind {
  statement?: string
  values?: readonly unknown[]
  valueMapper(value: unknown): string | Buffer | null
}

const writers = new WeakMap<pg.Connection, pg.Connection>()

/** Returns the connection with a `bind` of its own, because `bindMessage` includes Describe and Execute. */
function writerOf(connection: pg.Connection): pg.Connection {
  let writer = writers.get(connection)
  if (writer === undefined) {
    const methods = { bind, describe: () => {}, execute: () => {} }
    writer = Object.assign(Object.create(connection), methods) as pg.Connection
    writers.set(connection, writer)
  }
  return writer
}

function bind(this: pg.Connection, { statement = '', values = [], valueMapper }: Bind): void {
  if (!this.stream.writable) return
  const parameters = values.map((value) => (value instanceof Pieces ? value : valueMapper(value)))
  for (const piece of bindMessage(statement, parameters)) this.stream.write(piece)
}
