import pg from 'pg'
import { AwayMemory } from './away-memory.ts'
import { DatabaseUnavailable, type Db, type DbOptions, type QueryOptions, type Tx } from './db-types.ts'
import { openPool, settingsOf } from './pool.ts'
import { releaseWhenAnswered, within } from './release-client.ts'
import { sendStatement, statementOf } from './send-statement.ts'
import { LastWrites, runTransaction } from './transactions.ts'

const FAILED_BEFORE = 'A statement failed, but the transaction continued.'

/** Opens a pool over `url` (postgres://... or a socket directory as `?host=`). Connects on first use. */
export function openDb(url: string, options: DbOptions): Db {
  const settings = settingsOf(url, options)
  const pool = openPool(settings, options)
  const away = new AwayMemory(options)

  async function acquire(): Promise<pg.PoolClient> {
    const connecting = pool.connect()
    try {
      return await within(connecting, options.timeoutMs)
    } catch (error) {
      releaseLater(connecting)
      throw away.classify(error)
    }
  }

  function run<Row>(
    client: pg.PoolClient,
    sql: string,
    values?: readonly unknown[],
    { timeoutMs = options.timeoutMs, isOneOff = false }: QueryOptions = {},
  ): Promise<Row[]> {
    return runStatement<Row>(client, away, { sql, values, isOneOff }, timeoutMs)
  }

  async function send<Row>(sql: string, values?: readonly unknown[], options?: QueryOptions): Promise<Row[]> {
    away.refuse()
    const client = await acquire()
    try {
      const rows = await run<Row>(client, sql, values, options)
      client.release()
      return rows
    } catch (error) {
      if (error instanceof DatabaseUnavailable) void releaseWhenAnswered(client)
      else client.release()
      throw error
    }
  }

  return {
    query: send,
    async transaction(work) {
      away.refuse()
      const client = await acquire()
      const last = new LastWrites()
      let slowUntilMs = 0
      const query: Tx['query'] = (sql, values, own = {}) => {
        // A statement waits for those sent before it, so it has the time of a slow one among them, such as a large content.
        const nowMs = performance.now()
        const timeoutMs = Math.max(own.timeoutMs ?? options.timeoutMs, slowUntilMs - nowMs)
        if (timeoutMs > options.timeoutMs) slowUntilMs = nowMs + timeoutMs
        return run(client, sql, values, { ...own, timeoutMs })
      }
      const tx: Tx = { inTransaction: true, query, writeLast: last.add.bind(last) }
      const result = await runTransaction(client, tx, last, work, options.onCommit)
      if (last.topics.length > 0) options.onCommitted?.(last.topics)
      return result
    },
    connect: () => connectAlone(settings),
    use() {
      const { totalCount, idleCount, waitingCount } = pool
      return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
    },
    close: () => pool.end(),
  }
}

/** Releases a connection when it is established, after its caller has timed out. */
function releaseLater(connecting: Promise<pg.PoolClient>): void {
  connecting.then(
    (client) => client.release(),
    () => {},
  )
}

interface StatementText {
  sql: string
  values: readonly unknown[] | undefined
  isOneOff: boolean
}

/** Runs one statement on a connection. Throws DatabaseUnavailable when the database does not respond in time. */
async function runStatement<Row>(
  client: pg.PoolClient,
  away: AwayMemory,
  { sql, values, isOneOff }: StatementText,
  timeoutMs: number,
): Promise<Row[]> {
  try {
    const statement = isOneOff ? { keys: null } : statementOf(sql)
    const { rows, command } = await within(sendStatement(client, { sql, values, statement }), timeoutMs)
    // PostgreSQL rolls back a transaction with a failed statement, and reports no separate error for that.
    if (sql === 'commit' && command !== 'COMMIT') throw new Error(FAILED_BEFORE)
    away.answered()
    return rows as Row[]
  } catch (error) {
    // pg creates errors when it reads its socket. The stack that leads here is more useful.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw away.classify(error)
  }
}

async function connectAlone(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(settings)
  // A connection that breaks between two queries is detected by the next one, or by the caller's listener.
  client.on('error', () => {})
  await client.connect()
  return client
}
