import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { openDb } from '../../db/db.ts'
import { newId } from '../../lib/ids.ts'
import { lookUpFacts } from './accept-facts-queries.ts'
import type { AcceptRequest } from './accept-types.ts'

test('looked up without planning again when emails come one by one', async () => {
  const { url, drop } = await createDatabase()
  const db = openDb(url, { connectionsMax: 1, timeoutMs: 30_000, name: 'test' })
  onTestFinished(drop)
  onTestFinished(() => db.close())
  const submission = {
    recipients: [{ key: 'ann@receiver.test' }],
    senderDomains: [{ name: 'sender.test' }],
    ownMessageId: null,
    template: null,
    unsubscribe: null,
  }
  const request = { submitter: { teamId: newId() }, submissions: [submission] } as unknown as AcceptRequest
  for (let count = 0; count < 12; count++) await lookUpFacts(db, () => 'hash', [request])
  const [plans] = await db.query<{ generic: number; custom: number }>(
    `select generic_plans::int4 as generic, custom_plans::int4 as custom
     from pg_prepared_statements
     where statement like '%verified_domain%' and statement not like '%pg_prepared%'`,
  )
  // PostgreSQL plans the first five executions for their values, before it compares the costs.
  expect(plans).toEqual({ generic: 7, custom: 5 })
})
