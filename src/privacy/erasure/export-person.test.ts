import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { daysBefore, givenTeamRow, insertOldEmails, makeWeekOf } from '../../../test/support/old-weeks.ts'
import type { Db } from '../../db/db-types.ts'
import { queryOn } from '../../db/own-connection.ts'
import { retirePartition } from '../../db/partitions/drop-partitions.ts'
import { partitionsAt } from '../../db/partitions/partitions.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { createHashAddress } from '../../lib/crypto/erased-address.ts'
import { exportPerson } from './export-person.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createDatabase()
  db = database.db
})
afterAll(() => database.drop())

/** Removes the emails of a week as retention does, whose recipients follow later. */
async function removeEmailsOf(at: Date): Promise<void> {
  const week = partitionsAt(at).filter(({ table }) => table === 'email')
  const client = await db.connect()
  const queryable = queryOn(client, 30_000)
  for (const partition of week) {
    // A week that is in use, for example by autovacuum, is left to the next round.
    await expect.poll(() => retirePartition(queryable, partition, async () => true)).toBe(true)
  }
  await client.end()
}

const deps = () => ({
  db,
  readBody: () => Promise.reject(new Error('No content is stored.')),
  hashAddress: createHashAddress(Buffer.alloc(32)),
  inTurn: <T>(_sizeBytes: number, read: () => Promise<T>) => read(),
})

test('without opens and clicks of an email with several recipients, which may be those of others', async () => {
  const teamId = await givenTeamRow(db)
  const [subjectId = ''] = await insertOldEmails(db, teamId, 1, { at: new Date() })
  await db.query('delete from email_content where team_id = $1', [teamId])
  const visit = { user_agent: 'Any', is_machine: false, machine_reason: null }
  const events = [
    { type: 'email.queued' as const, data: {} },
    { type: 'email.opened' as const, data: { recipient: 'b@y.test', ip_address: '192.0.2.1', ...visit } },
    { type: 'email.opened' as const, data: { recipient: null, ip_address: '192.0.2.2', ...visit } },
    { type: 'email.delivered' as const, data: { recipient: 'c@y.test', response: '250 Hello c' } },
  ].map((event) => ({ ...event, teamId, subjectId }))
  await db.transaction(async (tx) => recordEvents(tx, events, new Date()))
  let text = ''
  for await (const chunk of exportPerson(deps(), teamId, 'b@y.test', new Date())) text += chunk
  const [email] = JSON.parse(text).emails
  const types = email.events.map(({ type }: { type: string }) => type).sort()
  // It was delivered before.
  expect(types).toEqual(['email.delivered', 'email.opened', 'email.queued'])
  expect(text).not.toContain('192.0.2.2')
})

test('whole, except for emails that retention removes while they are exported', async () => {
  const now = new Date()
  const old = daysBefore(now, 100)
  const teamId = await givenTeamRow(db)
  await makeWeekOf(db, old)
  await insertOldEmails(db, teamId, 120, { at: old })
  const kept = await insertOldEmails(db, teamId, 3, { at: now })
  // Contents are kept for less time than emails.
  await db.query('delete from email_content where team_id = $1', [teamId])
  const chunks = exportPerson(deps(), teamId, 'b@y.test', now)
  // What precedes the emails, and the first of them.
  let text = `${(await chunks.next()).value}${(await chunks.next()).value}`
  await removeEmailsOf(old)
  for await (const chunk of chunks) text += chunk
  const ids: string[] = JSON.parse(text).emails.map(({ id }: { id: string }) => id)
  expect(ids.slice(-3)).toEqual(kept)
  // A page was read before, and at least one was not.
  expect(ids.length).toBeGreaterThan(3)
  expect(ids.length).toBeLessThan(123)
})
