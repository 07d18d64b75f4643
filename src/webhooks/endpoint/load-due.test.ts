import { expect, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { newId } from '../../lib/ids.ts'
import { loadDue } from './load-due.ts'

test('few deliveries of one subject, the earliest, so that those of others are loaded with them', async ({
  onTestFinished,
}) => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const [teamId, webhookId, now] = [newId(), newId(), new Date()]
  const ids = Array.from({ length: 60 }, () => newId(now.getTime()))
  await db.query(
    `insert into webhook_delivery (team_id, webhook_id, id, event_id, subject_id, type, payload, status, due_at, tries,
       created_at, updated_at)
     select $1::uuid, $2::uuid, k.id, case when no < 60 then k.id end, case when no < 60 then $2::uuid end, 'email.sent',
       case when no = 60 then '{}'::jsonb end, 'waiting', $4::timestamptz - (60 - no) * interval '1 second', '[]'::jsonb, $4::timestamptz, $4::timestamptz
     from unnest($3::uuid[]) with ordinality as k (id, no)`,
    [teamId, webhookId, `{${ids.join()}}`, now],
  )
  const due = await loadDue(db, [{ teamId, id: webhookId }], now, 16)
  expect(due.map(({ id }) => id)).toEqual([...ids.slice(0, 8), ids[59]])
})
