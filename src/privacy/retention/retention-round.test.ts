import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, createTemplate, type TestDatabase } from '../../../test/support/database.ts'
import {
  countAllEvents,
  countRows,
  DAY_MS,
  daysBefore,
  givenTeamRow,
  idAt,
  insertOldEmails,
  makeWeekOf,
} from '../../../test/support/old-weeks.ts'
import { readConfig } from '../../config/config.ts'
import { REQUESTS_LOGGED, readCounter } from '../../db/counters.ts'
import type { Db } from '../../db/db-types.ts'
import { listPartitions } from '../../db/partitions/partitions.ts'
import { insertCaptured } from '../../emails/read/captured-queries.ts'
import { createLog } from '../../lib/log.ts'
import { insertRequests } from '../../request-log/request-log-queries.ts'
import { countEmails } from '../../teams/usage-queries.ts'
import { changeKept, limitKept } from './change-retention.ts'
import { installationPeriods } from './periods.ts'
import { RetentionRound } from './retention-round.ts'
import { surveyRetention } from './survey-retention.ts'

const NOW = new Date()
const INSTALLATION = installationPeriods(readConfig({}))
/** Older than every period. */
const ANCIENT = daysBefore(NOW, 150)
/** Older than the period of contents, younger than that of emails. */
const OLD = daysBefore(NOW, 60)
const LATELY = daysBefore(NOW, 2)

const REQUEST = {
  apiKeyId: '01900000-0000-7000-8000-000000000001',
  method: 'GET',
  route: null,
  path: '/',
  status: 404,
  durationMs: 1,
  requestBytes: null,
  responseBytes: null,
  ipAddress: '',
  userAgent: null,
  recordId: null,
  error: null,
  createdAt: NOW,
}

let template: Awaited<ReturnType<typeof createTemplate>>
let database: TestDatabase
let db: Db
let team: string

const createRound = (at = NOW, now = () => at) =>
  new RetentionRound({ db, clock: { now }, log: createLog('warn'), installation: INSTALLATION })

const weeksOf = async (table: string) =>
  (await listPartitions(db)).filter((partition) => partition.table === table).map(({ name }) => name)

/** Returns `read` after one more round: a week that is in use, for example by autovacuum, is left to the next round. */
const afterRound =
  <Read>(read: () => Promise<Read>) =>
  async () => {
    await createRound().run()
    return read()
  }

async function readNumber(sql: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await db.query<{ number: number }>(sql, values)
  return Number(row?.number)
}

// Creating a week, eight tables with their indexes, takes longer than most tests. The one that most need is cloned.
beforeAll(async () => {
  template = await createTemplate((prepared) => makeWeekOf(prepared, ANCIENT))
})
afterAll(() => template.drop())

beforeEach(async () => {
  database = await createDatabase(template.name)
  db = database.db
  team = await givenTeamRow(db)
})
afterEach(() => database.drop())

describe('weeks that have expired for every team', () => {
  test('dropped: weeks of contents and attempts after 30 days, of emails and events after 90; totals and disk follow', async () => {
    await makeWeekOf(db, OLD)
    await insertOldEmails(db, team, 300, { at: ANCIENT, bytes: 10_000 })
    const old = await insertOldEmails(db, team, 20, { at: OLD, bytes: 10_000 })
    await insertOldEmails(db, team, 10, { at: LATELY })
    await countAllEvents(db)
    const size = () => readNumber('select pg_database_size(current_database()) as number')
    const before = await size()
    expect(await countEmails(db, team)).toBe(330)

    await createRound().run()

    expect(await countRows(db, team)).toEqual({
      email: 30,
      email_content: 10,
      email_tag: 30,
      delivery: 30,
      attempt: 10,
      event: 30,
      webhook_delivery: 0,
    })
    expect(await countEmails(db, team)).toBe(30)
    expect(before - (await size())).toBeGreaterThan(3_000_000)
    const week = (at: Date) => (name: string) => name.endsWith(mondayOf(at))
    expect((await weeksOf('email')).filter(week(ANCIENT))).toEqual([])
    expect((await weeksOf('email')).filter(week(OLD))).toHaveLength(1)
    expect((await weeksOf('email_content')).filter(week(OLD))).toEqual([])
    expect(await readNumber('select count(*) as number from email where id = any ($1)', [old])).toBe(20)
  })

  test('dropped: weeks of the request log after its own period; the total of the list follows', async () => {
    await makeWeekOf(db, OLD)
    const old = [idAt(OLD), idAt(OLD)]
    const kept = [idAt(LATELY)]
    await insertRequests(
      db,
      [...old, ...kept].map((id) => ({ ...REQUEST, teamId: team, id })),
    )
    expect(await readCounter(db, team, REQUESTS_LOGGED)).toBe(3)
    await createRound().run()
    const rows = await db.query<{ id: string }>('select id from request_log where team_id = $1', [team])
    expect(rows.map(({ id }) => id)).toEqual(kept)
    expect(await readCounter(db, team, REQUESTS_LOGGED)).toBe(1)
    expect((await weeksOf('request_log')).some((name) => name.endsWith(mondayOf(OLD)))).toBe(false)
  })

  test('kept for a while beside a long read transaction, so that writers do not wait for it', async () => {
    await insertOldEmails(db, team, 5, { at: ANCIENT })
    await countAllEvents(db)
    const before = await weeksOf('email')
    const reader = await db.connect()
    await reader.query('begin')
    for (const table of ['email', 'delivery', 'event', 'email_content', 'attempt', 'email_tag'])
      await reader.query(`select count(*) from ${table}`)
    const round = createRound().run()
    let isOver = false
    void round.finally(() => (isOver = true))
    let writtenMeanwhile = 0
    while (!isOver) {
      await insertOldEmails(db, team, 1, { at: LATELY })
      writtenMeanwhile++
    }
    await round
    expect(writtenMeanwhile).toBeGreaterThan(0)
    expect(await weeksOf('email')).toEqual(before)
    // By now the transaction has been reading for more than a second, so the lock is not even requested.
    await expect.poll(() => readNumber(LONGEST), { timeout: 60_000 }).toBeGreaterThan(1)
    await createRound().run()
    expect(await weeksOf('email')).toEqual(before)

    await reader.query('commit')
    await reader.end()
    await countAllEvents(db)
    await createRound().run()
    expect((await weeksOf('email')).length).toBeLessThan(before.length)
    expect((await countRows(db, team)).email).toBe(writtenMeanwhile)
  })

  test('dropped beside a long read transaction in a copy of the database, whose tables have the same oids', async () => {
    await insertOldEmails(db, team, 5, { at: ANCIENT })
    await countAllEvents(db)
    const copy = await createDatabase(template.name)
    try {
      const reader = await copy.db.connect()
      await reader.query('begin')
      await reader.query('select count(*) from event')
      await expect
        .poll(() => copy.db.query(LONGEST), { timeout: 60_000 })
        .toEqual([{ number: expect.toSatisfy((s) => s > 1) }])
      await createRound().run()
      expect(await weeksOf('event')).not.toContain(`event_${mondayOf(ANCIENT)}`)
      await reader.end()
    } finally {
      await copy.drop()
    }
  })

  test('complete: 4 writers and 2 schedulers at once lose and duplicate nothing', async () => {
    await insertOldEmails(db, team, 100, { at: ANCIENT })
    await countAllEvents(db)
    let isOver = false
    const writers = Array.from({ length: 4 }, async () => {
      let count = 0
      do {
        await insertOldEmails(db, team, 1, { at: LATELY })
        count++
      } while (!isOver)
      return count
    })
    const rounds = [createRound(), createRound()]
    for (let turn = 0; turn < 5; turn++) await Promise.all(rounds.map((round) => round.run()))
    isOver = true
    const written = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0)
    await countAllEvents(db)
    await createRound().run()
    expect((await countRows(db, team)).email).toBe(written)
    expect(await countEmails(db, team)).toBe(written)
  })

  test('removed by the next round, and counted once, after a kill between the two steps', async () => {
    await insertOldEmails(db, team, 7, { at: ANCIENT })
    await countAllEvents(db)
    const name = `email_${mondayOf(ANCIENT)}`
    await db.query(`alter table email detach partition ${name}`)
    await db.query(`alter table ${name} rename to retired_${name}`)
    await Promise.all([createRound().run(), createRound().run()])
    await createRound().run()
    expect(await readNumber(`select count(*) as number from pg_class where relname ~ '^retired_'`)).toBe(0)
    expect(await countEmails(db, team)).toBe(0)
    expect((await countRows(db, team)).delivery).toBe(0)
  })

  test('dropped with contents of 7 days if the only team keeps no more', async () => {
    await makeWeekOf(db, daysBefore(NOW, 20))
    await insertOldEmails(db, team, 3, { at: daysBefore(NOW, 20) })
    await db.transaction((tx) => changeKept(tx, INSTALLATION, team, { content: '7d' }, NOW))
    await createRound().run()
    expect(await weeksOf('email_content')).not.toContain(`email_content_${mondayOf(daysBefore(NOW, 20))}`)
    expect(await countRows(db, team)).toMatchObject({ email: 3, email_content: 0, attempt: 3 })
  })
})

const LONGEST = `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as number
  from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`

/** Returns the name of a partition. */
function mondayOf(at: Date): string {
  const days = Math.floor((at.getTime() - Date.UTC(2026, 0, 5)) / DAY_MS)
  const monday = new Date(Date.UTC(2026, 0, 5) + Math.floor(days / 7) * 7 * DAY_MS)
  return monday.toISOString().slice(0, 10).replaceAll('-', '')
}

describe('weeks that must not be dropped as a whole', () => {
  test('kept: open emails with their content; delivered ones around them are deleted', async () => {
    await insertOldEmails(db, team, 40, { at: ANCIENT })
    const [open] = await insertOldEmails(db, team, 1, {
      at: ANCIENT,
      status: 'scheduled',
      scheduledAt: daysBefore(NOW, -30),
    })
    await countAllEvents(db)
    await createRound().run()
    expect(await countRows(db, team)).toMatchObject({
      email: 1,
      email_content: 1,
      email_tag: 1,
      delivery: 1,
      attempt: 1,
      event: 0,
    })
    expect(await readNumber('select count(*) as number from email where id = $1', [open])).toBe(1)
    expect(await countEmails(db, team)).toBe(1)
  })

  test('kept: expired emails that were scheduled for a recent time, as if they had been accepted then', async () => {
    const scheduledAt = daysBefore(NOW, 20)
    await insertOldEmails(db, team, 3, { at: ANCIENT })
    await insertOldEmails(db, team, 2, { at: ANCIENT, scheduledAt })
    await countAllEvents(db)
    await createRound().run()
    expect(await countRows(db, team)).toMatchObject({ email: 2, email_content: 2, attempt: 2, delivery: 2 })
    await createRound(new Date(NOW.getTime() + 15 * DAY_MS)).run()
    expect(await countRows(db, team)).toMatchObject({ email: 2, email_content: 0, attempt: 0, delivery: 2 })
    await createRound(new Date(NOW.getTime() + 75 * DAY_MS)).run()
    expect(await countRows(db, team)).toMatchObject({ email: 0, delivery: 0 })
    expect(await countEmails(db, team)).toBe(0)
  })

  test('kept: events that metrics or an enabled webhook have not read, except a webhook that has failed for 5 days', async () => {
    await insertOldEmails(db, team, 5, { at: ANCIENT })
    const events = async () => (await countRows(db, team)).event
    await createRound().run()
    expect(await events()).toBe(5)
    await countAllEvents(db)
    await db.query(
      `insert into webhook (team_id, id, url, types, status, sealed_secret, position, created_at, updated_at)
       values ($1, $2, 'https://x.test', '{}', 'enabled', '\\x00', 3, $3, $3)`,
      [team, idAt(NOW), NOW],
    )
    await createRound().run()
    expect(await events()).toBe(2)
    await db.query('update webhook set failing_since = $1', [daysBefore(NOW, 6)])
    await expect.poll(afterRound(events)).toBe(0)
  })

  test('compacted: a week of thousands of emails of which one open email is left', async () => {
    await insertOldEmails(db, team, 1, { at: ANCIENT, status: 'scheduled', scheduledAt: NOW, bytes: 10 })
    const id = idAt(ANCIENT)
    await insertOldEmails(db, team, 300, { at: ANCIENT, bytes: 125_000 })
    await insertOldEmails(db, team, 1, { at: ANCIENT, status: 'scheduled', scheduledAt: NOW, bytes: 10 })
    await countAllEvents(db)
    const size = () =>
      readNumber(`select pg_total_relation_size('email_content_${mondayOf(ANCIENT)}') as number`)
    expect(await size()).toBeGreaterThan(35_000_000)
    await expect.poll(afterRound(size)).toBeLessThan(100_000)
    expect(await countRows(db, team)).toMatchObject({ email: 2, email_content: 2 })
    // The table works as before: rows of its week are inserted into it, and it has its name.
    await db.query(
      `insert into email_content (team_id, email_id, encoding, message, smtp_utf8) values ($1, $2, 'identity', $3, false)`,
      [team, id, randomBytes(10)],
    )
    expect((await countRows(db, team)).email_content).toBe(3)
    expect(await weeksOf('email_content')).toContain(`email_content_${mondayOf(ANCIENT)}`)
    const options = await db.query<{ reloptions: string[] }>(
      `select reloptions from pg_class where relname = 'email_content_${mondayOf(ANCIENT)}'`,
    )
    expect(options[0]?.reloptions).toEqual([
      'toast_tuple_target=8160',
      'autovacuum_vacuum_insert_threshold=-1',
    ])
  })
})

describe('teams with their own periods', () => {
  test('deleted row by row: data that one team keeps for less time, including captured messages; the other team keeps all', async () => {
    await makeWeekOf(db, daysBefore(NOW, 9))
    const other = await givenTeamRow(db)
    for (const id of [team, other]) {
      await insertOldEmails(db, id, 450, { at: daysBefore(NOW, 9) })
      await insertOldEmails(db, id, 5, { at: LATELY })
      for (const at of [daysBefore(NOW, 9), LATELY]) {
        const captured = { teamId: id, emailId: null, mailFrom: '', rcptTo: '', message: Buffer.from('x') }
        await insertCaptured(db, { ...captured, id: idAt(at), receivedAt: at })
      }
    }
    await countAllEvents(db)
    const days = { content: '3d', attempts: '4d', events: '7d', webhook_deliveries: '1d' }
    await db.transaction((tx) => changeKept(tx, INSTALLATION, team, days, NOW))
    const captured = (id: string) =>
      readNumber('select count(*) as number from captured where team_id = $1', [id])
    await createRound().run()
    const few = { email: 5, email_content: 5, email_tag: 5, delivery: 5, attempt: 5, event: 5 }
    expect(await countRows(db, team)).toMatchObject(few)
    expect(await countEmails(db, team)).toBe(5)
    expect(await captured(team)).toBe(1)
    expect(await countRows(db, other)).toMatchObject({ email: 455, email_content: 455, event: 455 })
    expect(await countEmails(db, other)).toBe(455)
    expect(await captured(other)).toBe(2)
  })

  test('deleted again after the clock, which was a year ahead, was set back', async () => {
    let at = daysBefore(NOW, -365)
    const round = createRound(NOW, () => at)
    await round.run()
    at = NOW
    const old = daysBefore(NOW, 60)
    const captured = { teamId: team, emailId: null, mailFrom: '', rcptTo: '', message: Buffer.from('x') }
    await insertCaptured(db, { ...captured, id: idAt(old), receivedAt: old })
    await round.run()
    expect(await db.query('select 1 from captured')).toEqual([])
  })

  test('kept for longer: data that the operator allows one team to keep, while others keep nothing', async () => {
    const other = await givenTeamRow(db)
    for (const id of [team, other]) await insertOldEmails(db, id, 5, { at: ANCIENT })
    await countAllEvents(db)
    const days = { content: 'forever', attempts: '200d' }
    await db.transaction((tx) => limitKept(tx, INSTALLATION, team, days, NOW))
    await createRound().run()
    const all = { email: 5, email_content: 5, email_tag: 5, delivery: 5, attempt: 5, event: 0 }
    expect(await countRows(db, team)).toMatchObject(all)
    expect(await countRows(db, other)).toMatchObject({ email: 0, email_content: 0, attempt: 0, email_tag: 0 })
  })

  test('surveyed: what is stored, what is deleted next, and what is held back and why', async () => {
    await insertOldEmails(db, team, 1, { at: ANCIENT, status: 'scheduled', scheduledAt: NOW })
    const tables = await surveyRetention(db, INSTALLATION, NOW)
    const emails = tables.find(({ table }) => table === 'email')
    expect(emails?.keep).toBe('90d')
    const week = emails?.weeks.find(({ name }) => name === `email_${mondayOf(ANCIENT)}`)
    expect(week).toMatchObject({ fate: 'over', hold: 'open deliveries' })
    expect(week?.bytes).toBeGreaterThan(0)
    expect(emails?.weeks.at(-1)).toMatchObject({ fate: 'kept', hold: null })
  })
})
