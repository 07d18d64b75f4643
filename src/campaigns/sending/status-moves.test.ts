import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenTeamRow } from '../../../test/support/old-weeks.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { Run } from '../rows/runs-queries.ts'
import { stopRun } from './end-run.ts'
import { startDue } from './start-campaign.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

function givenDeps() {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const messages = () => lines.map((line) => [JSON.parse(line).campaign, JSON.parse(line).msg])
  return { deps: { db: database.db, clock: systemClock, log }, messages }
}

/** Creates a campaign without a sender, which was due so many minutes ago. */
async function given(name: string, status: string, minutes: number): Promise<Run> {
  const [teamId, id] = [await givenTeamRow(database.db), newId()]
  await database.db.query(
    `insert into campaign (team_id, id, name, status, scheduled_at, created_at, updated_at)
     values ($1, $2, $3, $4, now() - make_interval(mins => $5), now(), now())`,
    [teamId, id, name, status, minutes],
  )
  const progress = {
    version: 0,
    startedAt: null,
    audienceAfter: null,
    isAudienceDone: false,
    retryAfter: null,
  }
  return { teamId, id, ...progress, ratePerHour: null, sendWindow: null }
}

const statusOf = async ({ id }: Run) =>
  (await database.db.query<{ status: string }>('select status from campaign where id = $1', [id]))[0]?.status

test('a campaign that cannot be started is logged, and does not keep those of other teams waiting', async () => {
  await database.db.query(
    `alter table campaign add constraint stays check (name <> 'Broken' or status = 'scheduled')`,
  )
  const [broken, other] = [await given('Broken', 'scheduled', 2), await given('Other', 'scheduled', 1)]
  const { deps, messages } = givenDeps()
  await startDue(deps, new Date())
  expect([await statusOf(broken), await statusOf(other)]).toEqual(['scheduled', 'paused'])
  expect(messages()).toEqual([[broken.id, 'could not start a campaign']])
})

test('a pause is logged if the campaign was being sent', async () => {
  const { deps, messages } = givenDeps()
  const [canceled, sending] = [await given('A', 'canceled', 1), await given('B', 'sending', 1)]
  for (const run of [canceled, sending]) await stopRun(deps, run, 'errors')
  expect([await statusOf(canceled), await statusOf(sending)]).toEqual(['canceled', 'paused'])
  expect(messages()).toEqual([[sending.id, 'a campaign was paused']])
})
