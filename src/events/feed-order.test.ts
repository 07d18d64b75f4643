import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openDb } from '../db/db.ts'
import type { Db, Tx } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { readFeedPage } from './feed-page-queries.ts'
import { type FeedEvent, findFeedEnd } from './feed-queries.ts'
import { recordEvents } from './record-queries.ts'

/**
 * The guarantee of the feed: a reader that follows a cursor forward sees every committed event once, in commit order,
 * while many transactions write. The test does not depend on how events are numbered.
 */
const POOLS = 4
const CONNECTIONS = 5
const TEAMS = 4
/** One that is found by scanning the feed, and one with its own index. */
const TYPES = ['contact.created', 'domain.created'] as const
const FILTERS = [[], ...TYPES.map((type) => [type])]

/** The outcome of a transaction. `late`: it fails after its events are written and numbered. */
type Fate = 'commit' | 'throw' | 'late'

interface Plan {
  /** The team of each event, in the order of recording. */
  teams: readonly number[]
  /** Whether the events are recorded all at once, or each before another statement. */
  isSplit: boolean
  /** Duration of its other statements, before and after the events, in ms. */
  pauses: readonly [number, number]
  /** A row that other transactions change too. */
  row: number
  fate: Fate
}

const plan: fc.Arbitrary<Plan> = fc.record({
  teams: fc.array(fc.nat(TEAMS - 1), { minLength: 1, maxLength: 8 }),
  isSplit: fc.boolean(),
  pauses: fc.tuple(fc.constantFrom(0, 0, 1, 3), fc.constantFrom(0, 0, 1, 5, 20)),
  row: fc.nat(5),
  fate: fc.constantFrom<Fate>('commit', 'commit', 'commit', 'commit', 'throw', 'late'),
})

let database: TestDatabase
let pools: Db[]
beforeAll(async () => {
  database = await createDatabase()
  await database.db.query('create table busy_row (id int primary key, times int not null)')
  await database.db.query('insert into busy_row select id, 0 from generate_series(0, 5) as id')
  const options = { connectionsMax: CONNECTIONS, timeoutMs: 30_000, name: 'test' }
  pools = Array.from({ length: POOLS }, () => openDb(database.url, options))
})
afterAll(async () => {
  await Promise.all((pools ?? []).map((pool) => pool.close()))
  await database?.drop()
})

class Taken extends Error {}

/** When a transaction began and when its commit was known, on one counter, and what it wrote, by team. */
interface Written {
  beganAt: number
  knownAt: number
  subjectId: string
  teamId: string
  type: string
}

let moment = 0

async function write(db: Db, { teams, isSplit, pauses, row, fate }: Plan, ids: readonly string[]) {
  const beganAt = moment++
  const events = teams.map((team, index) => ({
    teamId: ids[team] as string,
    subjectId: newId(),
    type: TYPES[(row + index) % TYPES.length] as (typeof TYPES)[number],
    data: {},
  }))
  const pause = (tx: Tx, ms: number) => tx.query('select pg_sleep($1::float8 / 1000)', [ms])
  const work = db.transaction(async (tx) => {
    await pause(tx, pauses[0])
    for (const part of isSplit ? events.map((event) => [event]) : [events]) {
      recordEvents(tx, part, new Date())
      if (isSplit) await tx.query('select 1')
    }
    await tx.query('update busy_row set times = times + 1 where id = $1', [row])
    await pause(tx, pauses[1])
    if (fate === 'throw') throw new Taken()
    if (fate === 'late') tx.writeLast('zz', [1], async () => void (await tx.query('select 1 / 0')))
  })
  if (fate !== 'commit') {
    await expect(work).rejects.toMatchObject(fate === 'late' ? { code: '22012' } : {})
    return []
  }
  await work
  const knownAt = moment++
  return events.map((event): Written => ({ ...event, beganAt, knownAt }))
}

/** Reads until the writers are done and nothing is left; pages of changing size. */
async function follow(
  db: Db,
  teamId: string,
  types: readonly string[],
  isDone: () => boolean,
): Promise<FeedEvent[]> {
  const seen: FeedEvent[] = []
  let after = 0
  for (let turn = 0; ; turn++) {
    const wasDone = isDone()
    const query = { after, types, subjectId: null, domainId: null, countMax: 1 + (turn % 7) }
    const page = await readFeedPage(db, teamId, query)
    if (page === null) throw new Error('the feed became shorter')
    seen.push(...page.events)
    after = page.position
    if (wasDone && !page.hasMore) return seen
  }
}

/** A transaction that began after another was known to be committed comes after it. */
function expectOrderOfCommits(events: readonly FeedEvent[], written: ReadonlyMap<string, Written>): void {
  let earliestKnown = Number.POSITIVE_INFINITY
  for (const { subjectId } of events.toReversed()) {
    const { beganAt, knownAt } = written.get(subjectId) as Written
    expect(beganAt).toBeLessThan(earliestKnown)
    earliestKnown = Math.min(earliestKnown, knownAt)
  }
}

test('every reader of the feed sees each committed event once and in order, and numbers have no gaps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 150, maxLength: 200 }), async (plans) => {
      const ids = Array.from({ length: TEAMS }, () => newId())
      const left = [...plans]
      let isDone = false
      const lane = async (db: Db): Promise<Written[]> => {
        const all: Written[] = []
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          all.push(...(await write(db, next, ids)))
        }
        return all
      }
      const lanes = pools.flatMap((db) => Array.from({ length: CONNECTIONS - 1 }, () => lane(db)))
      const readers = ids.flatMap((id) =>
        FILTERS.map(async (types, index) => {
          const events = await follow(pools[index] as Db, id, types, () => isDone)
          return { id, types, events }
        }),
      )
      const written = (
        await Promise.all(lanes).finally(() => {
          isDone = true
        })
      ).flat()
      const bySubject = new Map(written.map((event) => [event.subjectId, event]))
      for (const { id, types, events } of await Promise.all(readers)) {
        const own = written.filter(({ teamId }) => teamId === id)
        const fitting = own.filter(({ type }) => types.length === 0 || types.some((one) => one === type))
        expect(events.map(({ subjectId }) => subjectId).toSorted()).toEqual(
          fitting.map(({ subjectId }) => subjectId).toSorted(),
        )
        if (types.length === 0) {
          expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1))
        }
        expect(await findFeedEnd(database.db, id)).toBe(own.length)
        expectOrderOfCommits(events, bySubject)
      }
    }),
    { numRuns: 3, endOnFailure: true },
  )
})

test('no two transactions deadlock, whatever the order of their teams', async () => {
  const ids = Array.from({ length: 6 }, () => newId())
  const record = (db: Db, order: readonly string[]) =>
    db.transaction(async (tx) => {
      for (const teamId of order) {
        recordEvents(tx, [{ teamId, subjectId: newId(), type: 'contact.created', data: {} }], new Date())
        await tx.query('select pg_sleep(0.001)')
      }
    })
  const orders = fc.sample(fc.shuffledSubarray(ids, { minLength: 3 }), 200)
  await Promise.all(orders.map((order, index) => record(pools[index % POOLS] as Db, order)))
  const ends = await Promise.all(ids.map((id) => findFeedEnd(database.db, id)))
  expect(ends).toEqual(ids.map((id) => orders.filter((order) => order.includes(id)).length))
})
