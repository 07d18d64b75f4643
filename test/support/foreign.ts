import { expect } from 'vitest'
import type { Db } from '../../src/db/db-types.ts'
import type { ApiReply } from './api.ts'
import { allCounted } from './counted.ts'

/** What one team can tell and do by the ids of another, and how it shows. */

/** Status, header names and body, with the id that was asked for taken out. */
export function bareAnswer(reply: ApiReply, id: string): unknown {
  return [reply.status, [...reply.headers.keys()].sort(), reply.text.replaceAll(id, '*')]
}

/** All that the team has in every table, but for what its own requests move, and what is worked out from the rest. */
export async function rowsOf(db: Db, teamId: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name
     from information_schema.columns
     where table_schema = 'public' and column_name = 'team_id'
       and table_name <> 'rate_window' and table_name not like 'metric%'`,
  )
  expect(tables.length).toBeGreaterThan(20)
  const rows = tables.map(({ name }) =>
    db.query<{ row: string }>(
      `select (to_jsonb(t) - 'last_used_at')::text as row from ${name} t where team_id = $1 order by 1`,
      [teamId],
    ),
  )
  return (await Promise.all(rows)).flat().map(({ row }) => row)
}

const SOON_MS = 60_000

/** Resolves once nothing is at work on its own: what is sent has arrived, who is erased is gone, all is counted. */
export async function allAtRest(db: Db): Promise<void> {
  const atWork = () =>
    db.query(
      `select email_id as id from delivery where due_at < $1
       union all
       select id from erasure where due_at is not null
       union all
       select id from csv_import where finished_at is null`,
      [new Date(Date.now() + SOON_MS)],
    )
  await expect.poll(atWork, { timeout: 60_000 }).toEqual([])
  await allCounted(db)
}
