import pg from 'pg'
import type { Queryable, QueryOptions } from './db-types.ts'
import { settingsOf } from './pool.ts'
import { RowKeys } from './rows.ts'

const CONNECT_MS = 5_000

/** One connection for as long as it takes (a backup, a restore): nothing in it times out. The caller ends it. */
export async function connectForLong(url: string, name: string): Promise<pg.Client> {
  const settings = settingsOf(url, {
    connectionsMax: 1,
    timeoutMs: CONNECT_MS,
    statementTimeoutMs: 0,
    name,
  })
  // What is copied out or in comes between a statement and its answer: nothing may be sent ahead of it.
  const client = new pg.Client({ ...settings, query_timeout: 0, pipeline: false })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Statements on a connection of its own, one after the other, each with its own patience; what fails is thrown as it is. */
export function queryOn(client: pg.Client, timeoutMs: number): Queryable {
  return {
    async query<Row>(text: string, values?: readonly unknown[], given: QueryOptions = {}) {
      const asked = { text, values, rowMode: 'array', query_timeout: given.timeoutMs ?? timeoutMs }
      const { rows, fields } = await client.query(asked as unknown as pg.QueryArrayConfig)
      return new RowKeys(fields).build(rows) as Row[]
    },
  }
}
