import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenTeamRow } from '../../../test/support/old-weeks.ts'
import { arrays } from '../../db/arrays.ts'
import type { AcceptEmails } from '../../emails/accept/accept-emails.ts'
import { newId } from '../../lib/ids.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { findProgress } from '../rows/progress-queries.ts'
import { type CampaignVersion, moveCampaign, type Run } from '../rows/runs-queries.ts'
import { feedCampaign } from './feed-campaign.ts'
import { compileVersion } from './render-campaign.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** Creates a campaign that is being sent to so many waiting contacts. */
async function given(count: number, content: Partial<CampaignVersion> = {}) {
  const { db } = database
  const teamId = await givenTeamRow(db)
  const run: Run = {
    teamId,
    id: newId(),
    version: 1,
    startedAt: new Date(),
    audienceAfter: null,
    isAudienceDone: true,
    retryAfter: null,
    ratePerHour: null,
    sendWindow: null,
  }
  const contactIds = Array.from({ length: count }, () => newId())
  await db.query(
    `with c as (
       insert into campaign (team_id, id, name, status, version, started_at, created_at, updated_at)
       values ($1, $2, 'Spring', 'sending', 1, now(), now(), now())
     ),
     p as (
       insert into campaign_progress (team_id, campaign_id, waiting) values ($1, $2, cardinality($3::uuid[]))
     ),
     k as (
       insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
       select $1, id, id || '@x.test', false, now(), now()
       from unnest($3::uuid[]) as k (id)
     )
     insert into campaign_recipient (team_id, campaign_id, contact_id, state, updated_at)
     select $1, $2, id, 'waiting', now()
     from unnest($3::uuid[]) as k (id)`,
    [teamId, run.id, arrays.uuid(contactIds)],
  )
  const version: CampaignVersion = {
    teamId,
    campaignId: run.id,
    version: 1,
    sender: 'a@x.test',
    replyTo: null,
    subject: 'Hello',
    previewText: null,
    html: null,
    text: 'Hello',
    variables: [],
    audience: { include: [], exclude: [] },
    ...content,
  }
  return { run, contactIds, compiled: compileVersion(version) }
}

/** Commits what the origin permits, once `ready` resolves. */
function acceptAfter(ready: () => Promise<void>): AcceptEmails {
  return async (items, _isWhole, _submitter, _idempotency, origin) => {
    await ready()
    const ids = items.map((item) => ('errors' in item ? '' : (item.emailId ?? '')))
    return database.db.transaction(async (tx) => {
      const permitted = [...((await origin?.lock(tx, ids)) ?? [])]
      await origin?.record(tx, permitted, new Date())
      const refused = ids.flatMap((id, index) =>
        permitted.includes(id) ? [] : [{ index, message: 'Any text.', code: 'not_permitted' as const }],
      )
      return { emailIds: permitted, refused }
    })
  }
}

const feed = (
  { run, contactIds, compiled }: Awaited<ReturnType<typeof given>>,
  acceptEmails: AcceptEmails,
  clock = systemClock,
) =>
  feedCampaign({ db: database.db, clock, acceptEmails, unsubscribeUrl: () => '' }, run, compiled, contactIds)

test('accepted once by two processes that have both read who waits', async () => {
  const world = await given(50)
  const { promise, resolve } = Promise.withResolvers<void>()
  let readCount = 0
  const both = acceptAfter(async () => {
    if (++readCount === 2) resolve()
    await promise
  })
  const fed = await Promise.all([feed(world, both), feed(world, both)])
  expect(fed.reduce((sum, { acceptedCount }) => sum + acceptedCount, 0)).toBe(50)
  expect(await findProgress(database.db, world.run)).toMatchObject({ accepted: 50, waiting: 0 })
})

test.each(['paused', 'canceled'] as const)(
  'not accepted once the campaign is %s, however it was read before',
  async (status) => {
    const world = await given(5)
    const acceptEmails = acceptAfter(async () => {
      const pausedReason = status === 'paused' ? 'user' : null
      await database.db.transaction((tx) => moveCampaign(tx, world.run, { status, pausedReason }, new Date()))
    })
    expect(await feed(world, acceptEmails)).toMatchObject({ acceptedCount: 0, doneCount: 0, obstacle: null })
    expect(await findProgress(database.db, world.run)).toMatchObject({ accepted: 0, waiting: 5 })
  },
)

test('not accepted for contacts that unsubscribe or are deleted after they were read', async () => {
  const world = await given(4)
  const acceptEmails = acceptAfter(async () => {
    const [first, second] = world.contactIds
    await database.db.query('update contact set unsubscribed = true where id = $1', [first])
    await database.db.query('update contact set deleted_at = now() where id = $1', [second])
  })
  expect(await feed(world, acceptEmails)).toMatchObject({ acceptedCount: 2 })
  const again = await feed(world, acceptEmails)
  expect(again).toMatchObject({ acceptedCount: 0, doneCount: 2 })
  expect(await findProgress(database.db, world.run)).toMatchObject({ accepted: 2, skipped: 2, waiting: 0 })
})

test('rendered in several turns of the event loop, if there is much to render', async () => {
  const world = await given(100, { html: '{{EMAIL}}'.repeat(10_000) })
  let turn = 0
  let isFed = false
  const turns = new Set<number>()
  // Each email asks for the time.
  const clock = {
    ...systemClock,
    now() {
      turns.add(turn)
      return systemClock.now()
    },
  }
  const fed = feed(
    world,
    acceptAfter(() => Promise.resolve()),
    clock,
  ).finally(() => {
    isFed = true
  })
  while (!isFed) {
    await nextTurn()
    turn++
  }
  expect((await fed).acceptedCount).toBe(100)
  expect(turns.size).toBeGreaterThan(5)
})
