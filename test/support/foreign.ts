import { expect, vi } from 'vitest'
import type { Db } from '../../src/db/db-types.ts'
import type { ApiReply } from './client.ts'
import { allCounted } from './counted.ts'
import type { Sender } from './sendwright.ts'

/** Checks of what one team can see and do with the ids of another. */

/** Returns the status, header names and body, without the requested id. */
export function bareAnswer(reply: ApiReply, id: string): unknown {
  return [reply.status, [...reply.headers.keys()].sort(), reply.text.replaceAll(id, '*')]
}

/**
 * Returns all rows of the team in every table, except those that its requests change and those derived from others.
 */
export async function rowsOf(db: Db, teamId: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name
     from information_schema.columns
     where table_schema = current_schema() and column_name = 'team_id'
       and table_name <> 'rate_window' and table_name not like 'metric%' and table_name not like 'request_log%'`,
  )
  expect(tables.length).toBeGreaterThan(20)
  const rows = tables.map(({ name }) =>
    db.query<{ row: string }>(
      `select (to_jsonb(t) - 'last_used_at')::text as row from ${name} t where team_id = $1 order by 1`,
      [teamId],
    ),
  )
  // The count of the request log grows in the background, as the log does.
  const isOwn = ({ row }: { row: string }) => !row.includes('"name": "request_log"')
  return (await Promise.all(rows))
    .flat()
    .filter(isOwn)
    .map(({ row }) => row)
}

const SOON_MS = 60_000

/** Resolves when all background work has ended: mail is delivered, people are erased, events are counted. */
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

/** Resolves when the requests that this team has sent so far are in its request log. Returns the id of the last one. */
export async function allLogged(sender: Pick<Sender, 'get'>): Promise<string> {
  const id = (await sender.get('/lists?limit=1')).headers.get('x-request-id') ?? ''
  const isLogged = async () => expect((await sender.get(`/logs/${id}`)).status).toBe(200)
  await vi.waitFor(isLogged, { timeout: 60_000, interval: 250 })
  return id
}
