import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveContents } from '../../../test/support/bodies.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import {
  countRows,
  daysBefore,
  givenTeamRow,
  insertOldEmails,
  makeWeekOf,
} from '../../../test/support/old-weeks.ts'
import { readConfig } from '../../config/config.ts'
import { listPartitions } from '../../db/partitions/partitions.ts'
import { createLog } from '../../lib/log.ts'
import { changeKept } from './change-retention.ts'
import { installationPeriods } from './periods.ts'
import { RetentionRound } from './retention-round.ts'

const NOW = new Date()
const OLD = daysBefore(NOW, 20)
const INSTALLATION = installationPeriods(readConfig({}))

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  await makeWeekOf(database.db, OLD)
})
afterAll(() => database.drop())

const runRound = (at: Date) =>
  new RetentionRound({
    db: database.db,
    clock: { now: () => at },
    log: createLog('warn'),
    installation: INSTALLATION,
  }).run()

test('deleted: packed contents with their keys, team by team; their week once it is over for all', async () => {
  const { db } = database
  const [longer, shorter] = [await givenTeamRow(db), await givenTeamRow(db)]
  for (const teamId of [longer, shorter]) {
    await insertOldEmails(db, teamId, 3, { at: OLD })
    await moveContents(db, teamId)
  }
  await db.transaction((tx) => changeKept(tx, INSTALLATION, shorter, { content: '7d' }, NOW))
  await runRound(NOW)
  const left = await db.query<{ teamId: string }>('select team_id from packed_content')
  expect(left.map(({ teamId }) => teamId)).toEqual([longer, longer, longer])

  const weeks = async () => {
    await runRound(daysBefore(NOW, -20))
    const partitions = await listPartitions(db)
    return partitions.filter(({ table, to }) => table === 'packed_content' && to <= daysBefore(NOW, 10))
      .length
  }
  // A week that is in use, for example by autovacuum, is left to the next round.
  await expect.poll(weeks, { timeout: 30_000 }).toBe(0)
  expect((await countRows(db, longer)).email).toBe(3)
})
