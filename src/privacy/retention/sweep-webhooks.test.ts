import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { countRows, daysBefore, givenTeamRow, idAt, makeWeekOf } from '../../../test/support/old-weeks.ts'
import { readConfig } from '../../config/config.ts'
import { listPartitions } from '../../db/partitions/partitions.ts'
import { createLog } from '../../lib/log.ts'
import { installationPeriods } from './periods.ts'
import { RetentionRound } from './retention-round.ts'

const NOW = new Date()
/** Older than the period of webhook deliveries. */
const OLD = daysBefore(NOW, 60)

test('kept: deliveries that wait for a retry at a webhook; deleted: others of their week, and those of a deleted webhook', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const team = await givenTeamRow(db)
  const round = () => {
    const installation = installationPeriods(readConfig({}))
    return new RetentionRound({ db, clock: { now: () => NOW }, log: createLog('warn'), installation }).run()
  }
  const [gone, kept] = [idAt(OLD), idAt(OLD)]
  await db.query(
    `insert into webhook (team_id, id, url, types, status, sealed_secret, position, created_at, updated_at)
     select $1, unnest($2::uuid[]), 'https://x.test', '{}', 'enabled', '\\x00', 0, $3, $3`,
    [team, [gone, kept], NOW],
  )
  const insert = (webhookId: string, dueAt: Date | null) =>
    db.query(
      `insert into webhook_delivery (team_id, webhook_id, id, type, payload, status, due_at, tries, created_at, updated_at)
       values ($1, $2, $3, 'test', '{}', $4, $5, '[]', $6, $6)`,
      [team, webhookId, idAt(OLD), dueAt === null ? 'delivered' : 'waiting', dueAt, OLD],
    )
  await makeWeekOf(db, OLD)
  const countAfterRound = async () => {
    await round()
    return (await countRows(db, team)).webhook_delivery
  }
  const countWeeks = async () =>
    (await listPartitions(db)).filter(
      ({ table, from, to }) => table === 'webhook_delivery' && from <= OLD && to > OLD,
    ).length
  for (const webhookId of [gone, kept]) {
    await insert(webhookId, null)
    await insert(webhookId, NOW)
  }
  expect(await countAfterRound()).toBe(2)
  await db.query('delete from webhook where id = $1', [gone])
  expect(await countAfterRound()).toBe(1)
  expect(await countWeeks()).toBe(1)
  await db.query('delete from webhook where id = $1', [kept])
  // A week that is in use, for example by autovacuum, is left to the next round.
  await expect.poll(() => round().then(countWeeks)).toBe(0)
})
