import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { givenTeamRow } from '../../test/support/old-weeks.ts'
import { newId } from '../lib/ids.ts'
import { countWebhookBacklog } from './operator-metrics-queries.ts'

test('the backlog has the waiting deliveries of enabled webhooks, not those of disabled and deleted ones', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const teamId = await givenTeamRow(db)
  const [enabled, disabled, deleted] = [newId(), newId(), newId()]
  await db.query(
    `insert into webhook (team_id, id, url, types, status, disabled_at, sealed_secret, position, next_retry_at, created_at,
       updated_at)
     values ($1, $2, 'https://x.test', '{}', 'enabled', null, '', 0, now(), now(), now()),
       ($1, $3, 'https://x.test', '{}', 'disabled', now(), '', 0, now(), now(), now())`,
    [teamId, enabled, disabled],
  )
  for (const webhookId of [enabled, enabled, disabled, deleted]) {
    await db.query(
      `insert into webhook_delivery (team_id, webhook_id, id, type, payload, status, due_at, tries, created_at, updated_at)
       values ($1, $2, $3, 'test', '{}', 'waiting', now(), '[]', now(), now())`,
      [teamId, webhookId, newId()],
    )
  }
  expect(await countWebhookBacklog(db)).toEqual({ untold: 0, waiting: 2 })
})
