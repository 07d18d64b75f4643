import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { daysBefore, givenTeamRow, idAt, insertOldEmails } from '../../../test/support/old-weeks.ts'
import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { limitKept } from './change-retention.ts'
import { installationPeriods } from './periods.ts'
import { RetentionRound } from './retention-round.ts'

const NOW = new Date()
const INSTALLATION = installationPeriods(readConfig({}))
/** Longer ago than emails are kept. */
const ANCIENT = daysBefore(NOW, 91)
const LATELY = daysBefore(NOW, 89)
/** More than one statement deletes. */
const MANY = 2500

let database: TestDatabase
let db: Db
let team: string

beforeAll(async () => {
  database = await createDatabase()
  db = database.db
})
afterAll(() => database.drop())
beforeEach(async () => {
  team = await givenTeamRow(db)
})

const round = () =>
  new RetentionRound({
    db,
    clock: { now: () => NOW },
    log: createLog('warn'),
    installation: INSTALLATION,
  }).run()

interface Given {
  status?: 'sent' | 'canceled' | 'paused'
  endedAt: Date
  /** Recipients without an email. */
  count?: number
  emailIds?: readonly string[]
  teamId?: string
}

/** Stores a campaign with two versions, recipients and figures. Returns its id. */
async function givenCampaign({ status = 'sent', endedAt, count = 3, emailIds = [], teamId = team }: Given) {
  const id = newId()
  await db.query(
    `with c as (
       insert into campaign (team_id, id, name, status, paused_reason, version, audience_done, started_at, ended_at,
         created_at, updated_at)
       values ($1, $2, 'Old', $3, case when $3 = 'paused' then 'user' end, 2, true, $4, $4, $4, $4)
     ),
     v as (
       insert into campaign_version (team_id, campaign_id, version, sender, subject, variables, audience, created_at)
       select $1, $2, no, 'a@x.test', 'Old', '[]', '{"include":[],"exclude":[]}', $4 from generate_series(1, 2) as no
     ),
     p as (
       insert into campaign_progress (team_id, campaign_id, skipped) values ($1, $2, $5)
     ),
     s as (
       insert into campaign_recipient (team_id, campaign_id, contact_id, state, reason, updated_at)
       select $1, $2, gen_random_uuid(), 'skipped', 'Unsubscribed.', $4 from generate_series(1, $5::int4)
     )
     insert into campaign_recipient (team_id, campaign_id, contact_id, state, email_id, updated_at)
     select $1, $2, gen_random_uuid(), 'accepted', k.id, $4 from unnest($6::uuid[]) as k (id)`,
    [teamId, id, status, endedAt, count, emailIds],
  )
  await givenCounts(id, teamId)
  return id
}

async function givenCounts(campaignId: string, teamId = team): Promise<void> {
  const rows = await db.query<{ name: string }>(COUNTERS)
  const names = rows.map(({ name }) => name)
  await db.query(
    `insert into campaign_metric (team_id, campaign_id, since, provider, ${names.join(', ')})
     values ($1, $2, $3, 'gmail', ${names.map(() => '1').join(', ')})`,
    [teamId, campaignId, NOW],
  )
  await db.query(
    `insert into campaign_link (team_id, campaign_id, link_id, url, clicked, clicked_unique, clicked_machine)
     values ($1, $2, $2, 'https://shop.test/', 1, 1, 0)`,
    [teamId, campaignId],
  )
}

/** Gives a campaign a link that two recipients followed, beside that of one. */
async function givenSharedLink(campaignId: string): Promise<void> {
  await db.query(
    `insert into campaign_link (team_id, campaign_id, link_id, url, clicked, clicked_unique, clicked_machine)
     values ($1, $2, gen_random_uuid(), 'https://shop.test/all', 3, 2, 0)`,
    [team, campaignId],
  )
}

const COUNTERS = `select column_name as name
  from information_schema.columns
  where table_schema = current_schema() and table_name = 'campaign_metric' and data_type = 'bigint'`

/** Counts what is stored of a campaign, by table. */
async function leftOf(id: string): Promise<Record<string, number>> {
  const tables = ['recipient', 'version', 'progress', 'metric', 'link']
  const counts = await Promise.all(
    tables.map(async (table) => {
      const rows = await db.query(`select 1 from campaign_${table} where campaign_id = $1`, [id])
      return [table, rows.length] as const
    }),
  )
  return Object.fromEntries(counts)
}

describe('recipients of campaigns', () => {
  test('deleted with their versions when emails are, while the figures stay', async () => {
    const sent = await givenCampaign({ endedAt: ANCIENT, count: MANY, emailIds: [idAt(ANCIENT)] })
    const canceled = await givenCampaign({ status: 'canceled', endedAt: ANCIENT })
    await round()
    for (const id of [sent, canceled]) {
      expect(await leftOf(id)).toEqual({ recipient: 0, version: 0, progress: 1, metric: 1, link: 1 })
    }
    const [row] = await db.query<{ skipped: number }>(
      'select skipped from campaign_progress where campaign_id = $1',
      [sent],
    )
    expect(row).toEqual({ skipped: MANY })
  })

  test('kept: those of campaigns that ended lately or have not ended', async () => {
    const lately = await givenCampaign({ endedAt: LATELY })
    const paused = await givenCampaign({ status: 'paused', endedAt: ANCIENT })
    await round()
    for (const id of [lately, paused]) {
      expect(await leftOf(id)).toEqual({ recipient: 3, version: 2, progress: 1, metric: 1, link: 1 })
    }
  })

  test('kept: those whose email still waits, because they tell that the campaign was canceled', async () => {
    const emailIds = await insertOldEmails(db, team, 2, {
      at: NOW,
      status: 'scheduled',
      scheduledAt: NOW,
    })
    const id = await givenCampaign({ status: 'canceled', endedAt: ANCIENT, emailIds })
    await round()
    expect(await leftOf(id)).toMatchObject({ recipient: 2, version: 2 })
  })

  test('kept as long as the team keeps emails', async () => {
    const keeper = await givenTeamRow(db)
    const days = { events: '200d' } as const
    await db.transaction((tx) => limitKept(tx, INSTALLATION, keeper, days, NOW))
    const [kept, gone] = [
      await givenCampaign({ endedAt: ANCIENT, teamId: keeper }),
      await givenCampaign({ endedAt: ANCIENT }),
    ]
    await round()
    expect(await leftOf(kept)).toMatchObject({ recipient: 3, version: 2 })
    expect(await leftOf(gone)).toMatchObject({ recipient: 0, version: 0 })
  })
})

test('a link that one recipient followed loses its URL with the recipients, one that two followed keeps it', async () => {
  const [old, lately] = [await givenCampaign({ endedAt: ANCIENT }), await givenCampaign({ endedAt: LATELY })]
  await givenSharedLink(old)
  await round()
  const urlsOf = async (id: string) =>
    (
      await db.query<{ url: string | null }>(
        'select url from campaign_link where campaign_id = $1 order by 1',
        [id],
      )
    ).map(({ url }) => url)
  expect(await urlsOf(old)).toEqual(['https://shop.test/all', null])
  expect(await urlsOf(lately)).toEqual(['https://shop.test/'])
})

test('figures of deleted campaigns are deleted, and those of others stay', async () => {
  const [deleted, other] = [newId(), await givenCampaign({ endedAt: LATELY })]
  await givenCounts(deleted)
  await round()
  expect(await leftOf(deleted)).toMatchObject({ metric: 0, link: 0 })
  expect(await leftOf(other)).toMatchObject({ metric: 1, link: 1 })
})
