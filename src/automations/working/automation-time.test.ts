import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenSendingEngine } from '../../../test/support/automation-engine.ts'
import { chainOf, onEvent } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { isFull } from '../../../test/support/thorough.ts'
import { DatabaseUnavailable, type Db, type Tx } from '../../db/db-types.ts'
import { newId } from '../../lib/ids.ts'
import { followDates } from '../following/follow-dates.ts'
import { followTeam } from '../following/follow-team.ts'
import { moveRuns } from '../move-runs.ts'
import { workOnTeam } from './work-runs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const given = (start?: Date) => givenSendingEngine(database.db, start)

const HOLD = ['wait', 'delay', { duration: '1 day' }] as const

describe('a pause', () => {
  test('clocks go on; what came due goes on at the rate, and what is too late is skipped', async () => {
    const engine = await given()
    const { id } = await engine.activate(
      chainOf(
        onEvent('go'),
        HOLD,
        ['send', 'send_email', engine.email],
        ['next', 'delay', { duration: '1 day' }],
        ['again', 'send_email', engine.email],
      ),
      { settings: { max_late: '36 hours', resume_rate: 60 } },
    )
    const ids = await engine.contacts(100)
    for (const contactId of ids) await engine.report('go', contactId)
    await engine.work()
    await engine.change(id, { status: 'paused' })
    engine.later(72)
    await engine.work()
    expect(engine.sent).toEqual([])
    await engine.expectOutcomes({ parked: 100 })
    await engine.change(id, { status: 'active' })
    // The rate is 60 a minute. What is not used for five seconds is not saved up.
    const left = async () => (await engine.runs()).filter(({ state }) => state === 'parked').length
    await engine.work()
    const first = 100 - (await left())
    expect(first).toBeLessThanOrEqual(5)
    engine.to(new Date(engine.at().getTime() + 2_000))
    await engine.work()
    expect(100 - (await left()) - first).toBe(2)
    for (let second = 0; second < 110; second++) {
      engine.to(new Date(engine.at().getTime() + 1_000))
      await engine.work()
    }
    // The first email was 48 hours late, the second 24 hours, because the clock of the run went on.
    await engine.expectOutcomes({ completed: 100 })
    expect(engine.sent).toHaveLength(100)
    const skipped = await database.db.query(
      `select step, count(*)::int4 as count from automation_step_taken
       where team_id = $1 and outcome = 'skipped' group by step`,
      [engine.teamId],
    )
    expect(skipped).toEqual([{ step: 'send', count: 100 }])
  })

  test('what came due goes on although the clock was set back by an hour', async () => {
    const engine = await given()
    const { id } = await engine.activate(chainOf(onEvent('go'), HOLD, ['end', 'exit']), {
      settings: { resume_rate: 60 },
    })
    for (const contactId of await engine.contacts(3)) await engine.report('go', contactId)
    await engine.work()
    await engine.change(id, { status: 'paused' })
    engine.later(25)
    await engine.work()
    await engine.expectOutcomes({ parked: 3 })
    await engine.change(id, { status: 'active' })
    const ahead = new Date(engine.at().getTime() + 3_600_000)
    await database.db.query('update automation set unparked_until = $2 where team_id = $1', [
      engine.teamId,
      ahead,
    ])
    await engine.work()
    engine.to(new Date(engine.at().getTime() + 4_000))
    await engine.work()
    await engine.expectOutcomes({ exited: 3 })
  })
})

test('an event between a wait and its timeout takes one branch, a thousand times raced', async () => {
  const engine = await given()
  const graph = chainOf(
    onEvent('go'),
    ['wait', 'wait_for_event', { event_name: 'come', timeout: '1 hour' }],
    ['came', 'exit', { reason: 'came' }],
  )
  graph.steps.push({ key: 'late', type: 'exit', config: { reason: 'late' } })
  graph.connections.push({ from: 'wait', to: 'late', type: 'timeout' })
  await engine.activate(graph)
  const ids = await engine.contacts(1000)
  for (const contactId of ids) await engine.report('go', contactId)
  await engine.work()
  // Half of the events come before the timeout, and are followed late; half come while it is handled.
  const early = new Set(ids.filter((_, index) => index % 2 === 0))
  for (const contactId of early) await engine.report('come', contactId)
  engine.later(1)
  const reporting = async () => {
    for (const contactId of ids) if (!early.has(contactId)) await engine.report('come', contactId)
  }
  const working = async () => {
    while (await workOnTeam(engine.deps, engine.teamId));
  }
  const following = async () => {
    while (await followTeam(engine.deps, engine.teamId));
  }
  await Promise.all([working(), following(), reporting(), working(), following()])
  await engine.work()
  const taken = await database.db.query<{ count: number; runs: number }>(
    `select count(*)::int4 as count, count(distinct run_id)::int4 as runs
     from automation_step_taken
     where team_id = $1 and step in ('came', 'late')`,
    [engine.teamId],
  )
  expect(taken).toEqual([{ count: 1000, runs: 1000 }])
  for (const { contactId, reason } of await engine.runs())
    expect(early.has(contactId) ? ['came'] : ['came', 'late']).toContain(reason)
})

test('an event in the page of events that begins a run lets the run go on', async () => {
  const engine = await given()
  await engine.activate(
    chainOf(onEvent('go'), [
      'wait',
      'wait_for_event',
      { event_name: 'come', filter_rule: { type: 'rule', field: 'event.no', operator: 'eq', value: 2 } },
    ]),
  )
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  for (const no of [1, 2]) await engine.report('come', contactId, { no })
  await engine.work()
  await engine.expectOutcomes({ completed: 1 })
})

const WAITING = isFull ? 1_000 : 50

test('runs that wait are moved to a new version by the key of their step', async () => {
  const engine = await given()
  const chain = (reason: string, more: object = {}) =>
    chainOf(onEvent('go'), [...HOLD], ['end', 'exit', { reason, ...more }])
  const { id } = await engine.activate(chain('first'))
  for (const contactId of await engine.contacts(WAITING)) await engine.report('go', contactId)
  await engine.work()
  await engine.change(id, chain('second'))
  const move = (isDryRun: boolean) =>
    database.db.transaction((tx) => moveRuns(tx, engine.teamId, id, { fromVersion: 1, isDryRun }))
  expect(await move(true)).toEqual({ to_version: 2, moved: WAITING, left: 0 })
  expect((await engine.runs()).every(({ version }) => version === 1)).toBe(true)
  expect(await move(false)).toEqual({ to_version: 2, moved: WAITING, left: 0 })
  engine.later(24)
  await engine.work()
  expect((await engine.runs()).every(({ reason }) => reason === 'second')).toBe(true)
})

describe('dates', () => {
  async function givenBirthdays(start: Date, dates: readonly string[], timeZone?: string) {
    const engine = await given(start)
    const propertyId = newId()
    await database.db.query(
      `insert into property (team_id, id, key, type, created_at, updated_at) values ($1, $2, 'birthday', 'date', now(), now())`,
      [engine.teamId, propertyId],
    )
    const ids = await engine.contacts(dates.length, timeZone === undefined ? {} : { timeZone })
    for (const [no, date] of dates.entries()) {
      await database.db.query(
        'insert into contact_value (team_id, contact_id, property_id, date_value) values ($1, $2, $3, $4)',
        [engine.teamId, ids[no], propertyId, new Date(`${date}T00:00:00Z`)],
      )
    }
    await engine.activate(
      chainOf(
        [
          'start',
          'trigger',
          { type: 'date', property: 'birthday', repeat: 'yearly', time: '02:30', time_zone: 'contact' },
        ],
        ['greet', 'send_email', engine.email],
      ),
      { settings: { reentry: 'every_time' } },
    )
    return { engine, ids }
  }

  test('29 February is the 28th in other years, and each birthday comes once a year', async () => {
    const { engine } = await givenBirthdays(new Date('2026-02-27T12:00:00Z'), [
      '1992-02-29',
      '1990-02-28',
      '1991-03-01',
    ])
    const days: string[] = []
    for (let hour = 0; hour < 4 * 24; hour++) {
      engine.later(1)
      await engine.work()
      while (days.length < engine.sent.length) days.push(engine.at().toISOString().slice(0, 10))
    }
    expect(days).toEqual(['2026-02-28', '2026-02-28', '2026-03-01'])
  })

  test('a local time that clocks skip is when they change; a pause of a week loses no date', async () => {
    // On 29 March 2026, clocks in Berlin go from 02:00 to 03:00, which is 01:00 in UTC.
    const { engine } = await givenBirthdays(
      new Date('2026-03-28T12:00:00Z'),
      ['1990-03-29', '1990-03-31'],
      'Europe/Berlin',
    )
    engine.to(new Date('2026-03-29T00:59:00Z'))
    await engine.work()
    expect(engine.sent).toHaveLength(0)
    engine.to(new Date('2026-03-29T01:01:00Z'))
    await engine.work()
    expect(engine.sent).toHaveLength(1)
    engine.to(new Date('2026-04-05T00:00:00Z'))
    await engine.work()
    expect(engine.sent).toHaveLength(2)
  })

  test('a clock that fails is reported and left out for a minute, and keeps no other team waiting', async () => {
    const start = new Date('2026-05-01T01:00:00Z')
    const { engine: failing } = await givenBirthdays(start, ['1990-05-01'])
    const { engine, ids } = await givenBirthdays(start, ['1990-05-01'])
    engine.to(new Date('2026-05-01T02:31:00Z'))
    const failures: string[] = []
    const { teamId } = failing
    const db = watched(async (_, text, [team]) => {
      if (text.includes('contact_value') && team === teamId) throw new Error('took too long')
    })
    const deps = {
      ...engine.deps,
      db,
      onError: (_: unknown, team: string) => failures.push(team),
    }
    const look = async () => {
      while (await followDates(deps));
    }
    await look()
    await look()
    expect(failures).toEqual([teamId])
    expect((await engine.runs()).map(({ contactId }) => contactId)).toEqual(ids)
    engine.later(1)
    await look()
    expect(failures).toEqual([teamId, teamId])
  })

  test('a clock whose query takes too long ends one look, and none of the minute after it', async () => {
    const start = new Date('2026-05-01T01:00:00Z')
    const { engine: failing } = await givenBirthdays(start, ['1990-05-01'])
    const { engine, ids } = await givenBirthdays(start, ['1990-05-01'])
    engine.to(new Date('2026-05-01T02:31:00Z'))
    const db = watched(async (_, text, [team]) => {
      if (text.includes('contact_value') && team === failing.teamId)
        throw new DatabaseUnavailable(new Error('timeout'))
    })
    const look = async () => {
      while (await followDates({ ...engine.deps, db }));
    }
    await expect(look()).rejects.toThrow(DatabaseUnavailable)
    await look()
    expect((await engine.runs()).map(({ contactId }) => contactId)).toEqual(ids)
  })

  test('thousands of contacts with one date begin once each, and no page reads more than it returns', async () => {
    const count = 3000
    const { engine } = await givenBirthdays(new Date('2026-06-01T01:00:00Z'), [])
    const ids = await engine.contacts(count)
    await database.db.query(
      `insert into contact_value (team_id, contact_id, property_id, date_value)
       select $1, c.id, p.id, '1990-06-01T00:00:00Z' from contact c join property p on p.team_id = $1 where c.team_id = $1`,
      [engine.teamId],
    )
    await database.db.query('analyze contact, contact_value')
    engine.to(new Date('2026-06-01T02:31:00Z'))
    const read: number[] = []
    let pages = 1
    const db = watched(async (tx, text, values) => {
      if (text.includes('date_value')) read.push(await rowsRead(tx, text, values))
    })
    while (await followDates({ ...engine.deps, db })) pages++
    expect(pages).toBe(4)
    const begun = (await engine.runs()).map(({ contactId }) => contactId)
    expect(begun.toSorted()).toEqual(ids.toSorted())
    expect(Math.max(...read)).toBeLessThanOrEqual(1000)
  })
})

/** Returns the database, which calls `before` ahead of each statement of a transaction. */
function watched(before: (tx: Tx, text: string, values: readonly unknown[]) => Promise<void>): Db {
  const transaction: Db['transaction'] = (work, ...more) =>
    database.db.transaction(
      (tx) => {
        const query: Tx['query'] = async (text, values, ...rest) => {
          await before(tx, text, values ?? [])
          return tx.query(text, values, ...rest)
        }
        return work({ ...tx, query })
      },
      ...more,
    )
  return { ...database.db, transaction }
}

/** Returns how many dates a statement reads. */
async function rowsRead(tx: Tx, text: string, values: readonly unknown[]): Promise<number> {
  const rows = await tx.query<{ 'QUERY PLAN': unknown }>(`explain (analyze, format json) ${text}`, values)
  let sum = 0
  JSON.stringify(rows, (_, node) => {
    if (node?.['Relation Name'] === 'contact_value') sum += node['Actual Rows'] * node['Actual Loops']
    return node
  })
  return sum
}

test('a run whose email was held for hours survives a failure', async () => {
  const engine = await given()
  await engine.activate(chainOf(onEvent('go'), ['mail', 'send_email', engine.email]))
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  let state: 'held' | 'failing' | 'sending' = 'held'
  const acceptEmails: typeof engine.deps.acceptEmails = async (items, ...rest) => {
    if (state === 'sending') return engine.deps.acceptEmails(items, ...rest)
    if (state === 'failing') throw new Error('Anything.')
    const refused = items.map((_, index) => ({ index, message: 'Quota.', code: 'quota_exceeded' as const }))
    return { emailIds: [], refused }
  }
  const deps = { ...engine.deps, acceptEmails }
  await followTeam(deps, engine.teamId)
  for (let turn = 0; turn < 12; turn++) {
    await workOnTeam(deps, engine.teamId)
    engine.later(0.6)
  }
  for (const next of ['failing', 'sending'] as const) {
    state = next
    await workOnTeam(deps, engine.teamId)
    engine.later(0.6)
  }
  expect(engine.sent).toHaveLength(1)
  await engine.expectOutcomes({ completed: 1 })
})
