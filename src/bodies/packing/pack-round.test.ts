import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenBodies, readMessage, shopMessage } from '../../../test/support/bodies.ts'
import { createDatabase, createTemplate, type TestDatabase } from '../../../test/support/database.ts'
import {
  DAY_MS,
  daysBefore,
  givenTeamRow,
  insertOldEmails,
  makeWeekOf,
} from '../../../test/support/old-weeks.ts'
import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { partitionsAt } from '../../db/partitions/partitions.ts'
import type { ReadPackedBody } from '../../emails/rows/packed-queries.ts'
import { createLog } from '../../lib/log.ts'
import { deleteContents } from '../../privacy/erasure/erase-emails-queries.ts'
import { createReadBody } from '../read-body.ts'
import type { BodyStore } from '../store/body-store.ts'
import { openBodyStore } from '../store/open-body-store.ts'
import { PackRound } from './pack-round.ts'

const HOUR_MS = 3_600_000
const AFTER_MS = 12 * HOUR_MS
/** Rounds run up to 39 days later, which must not be in the future. */
const NOW = daysBefore(new Date(), 50)
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS)
const key = randomBytes(32)
const log = createLog('silent')
/** The messages of errors that the rounds of a test logged. */
let failures: string[]

let template: Awaited<ReturnType<typeof createTemplate>>
let database: TestDatabase
let db: Db
let directory: string
let store: BodyStore
let readBody: ReadPackedBody
let team: string

beforeAll(async () => {
  template = await createTemplate(async (prepared) => {
    await makeWeekOf(prepared, NOW)
    await makeWeekOf(prepared, daysBefore(NOW, 7))
  })
})
afterAll(() => template.drop())

beforeEach(async () => {
  failures = []
  log.warn = ({ err }: { err: Error }) => void failures.push(err.message)
  database = await createDatabase(template.name)
  db = database.db
  directory = mkdtempSync(join(tmpdir(), 'sendwright-bodies-'))
  store = openBodyStore(readConfig({ SENDWRIGHT_BODIES: `file://${directory}` })) as BodyStore
  readBody = createReadBody({ db, store, key, log })
  team = await givenTeamRow(db)
})
afterEach(async () => {
  await database.drop()
  rmSync(directory, { recursive: true, force: true })
})

interface RoundOptions {
  at?: Date
  store?: BodyStore
  db?: Db
}

function makeRound({ at = NOW, ...over }: RoundOptions = {}): PackRound {
  const clock = { now: () => at }
  return new PackRound({ db, store, key, log, clock, afterMs: AFTER_MS, onPacked: () => {}, ...over })
}

/** Runs a round of a new process. */
const runRound = (options: RoundOptions = {}) => makeRound(options).run()

const filesOf = (teamId = team) => {
  try {
    return readdirSync(join(directory, teamId))
  } catch {
    return []
  }
}
const statesOf = async () =>
  (await db.query<{ state: string }>('select state from body_pack order by id')).map(({ state }) => state)
const read = (id: string, reader = readBody) => readMessage(db, reader, team, id)

async function countContents() {
  const [row] = await db.query<{ stored: number; packed: number }>(
    `select (select count(*)::int4 from email_content where team_id = $1) as stored,
       (select count(*)::int4 from packed_content where team_id = $1) as packed`,
    [team],
  )
  return row ?? { stored: -1, packed: -1 }
}

/** Expects every message to be read as it was given. */
async function expectMessages(ids: readonly string[], messages: readonly Buffer[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    expect((await read(id))?.equals(messages[index] as Buffer), `message ${index}`).toBe(true)
  }
}

const ORDERS = Array.from({ length: 60 }, (_, number) => shopMessage(number))

describe('moved to packs', () => {
  test('settled emails; each message is read byte for byte, small and large', async () => {
    const messages = [...ORDERS, shopMessage(61, 300), randomBytes(1_500_000), Buffer.from('x')]
    const ids = await givenBodies(db, team, hoursAgo(30), messages)
    await runRound()
    expect(await countContents()).toEqual({ stored: 0, packed: messages.length })
    // The large one has a pack of its own.
    expect(filesOf()).toHaveLength(2)
    await expectMessages(ids, messages)
  })

  test('once there are enough for a pack, or the oldest is twice as old as it must be', async () => {
    await givenBodies(db, team, hoursAgo(20), ORDERS)
    await runRound()
    expect(await countContents()).toEqual({ stored: 60, packed: 0 })
    await givenBodies(
      db,
      team,
      hoursAgo(20),
      Array.from({ length: 450 }, () => Buffer.from('y')),
    )
    await runRound()
    expect(await countContents()).toEqual({ stored: 10, packed: 500 })
    await runRound({ at: new Date(NOW.getTime() + 5 * HOUR_MS) })
    expect(await countContents()).toEqual({ stored: 0, packed: 510 })
  })

  test('but not emails with a recipient that has yet to receive them, and none that are young', async () => {
    await givenBodies(db, team, hoursAgo(30), ORDERS.slice(0, 5))
    const open = await insertOldEmails(db, team, 1, {
      at: hoursAgo(30),
      status: 'scheduled',
      scheduledAt: new Date(NOW.getTime() + HOUR_MS),
    })
    await insertOldEmails(db, team, 2, { at: hoursAgo(11) })
    await runRound()
    expect(await countContents()).toEqual({ stored: 3, packed: 5 })
    expect(await read(open[0] ?? '')).not.toBeNull()
  })

  test('in a pack for each team, which nobody reads without the key of the installation', async () => {
    const other = await givenTeamRow(db)
    const [id = ''] = await givenBodies(db, team, hoursAgo(30), ORDERS.slice(0, 3))
    await givenBodies(db, other, hoursAgo(30), ORDERS.slice(0, 3))
    await runRound()
    expect([filesOf().length, filesOf(other).length]).toEqual([1, 1])
    await expect(read(id, createReadBody({ db, store, key: randomBytes(32), log }))).rejects.toThrow()
  })

  test('against a dictionary of the team, which the next packs use too and which has no values', async () => {
    await givenBodies(db, team, hoursAgo(30), ORDERS)
    await runRound()
    const more = Array.from({ length: 20 }, (_, number) => shopMessage(1000 + number))
    const ids = await givenBodies(db, team, hoursAgo(29), more)
    await runRound()
    const packs = await db.query<{ dictionaryId: string | null; bytes: number }>(
      'select dictionary_id, bytes from body_pack order by id',
    )
    expect(new Set(packs.map(({ dictionaryId }) => dictionaryId)).size).toBe(1)
    const plainBytes = more.reduce((sum, { length }) => sum + length, 0)
    expect(packs[1]?.bytes).toBeLessThan(plainBytes / 4)
    await expectMessages(ids, more)
  })

  test('from a week that began before this version, which gets its partition', async () => {
    const week = new Date(NOW.getTime() - 7 * DAY_MS)
    const [oldest] = await db.query<{ name: string }>(
      "select relname as name from pg_class where relname ~ '^packed_content_[0-9]{8}$' order by 1 limit 1",
    )
    await db.query(`drop table ${oldest?.name}`)
    const ids = await givenBodies(db, team, week, ORDERS.slice(0, 3))
    await runRound()
    await expectMessages(ids, ORDERS.slice(0, 3))
    expect(await countContents()).toEqual({ stored: 0, packed: 3 })
  })
})

describe('whatever fails, each message is readable', () => {
  let ids: string[]

  beforeEach(async () => {
    ids = await givenBodies(db, team, hoursAgo(30), ORDERS)
  })

  const STORES: [name: string, Partial<BodyStore>][] = [
    ['the object is not written', { write: () => Promise.reject(new Error('away')) }],
    ['the object is not read back', { read: () => Promise.reject(new Error('away')) }],
    ['the store returns other bytes', { read: (_, __, bytes) => Promise.resolve(Buffer.alloc(bytes)) }],
  ]

  test.each(STORES)('%s', async (_, broken) => {
    await runRound({ store: { ...store, ...broken } })
    expect(failures).toHaveLength(1)
    expect(await countContents()).toEqual({ stored: 60, packed: 0 })
    await expectMessages(ids, ORDERS)
    await runRound()
    expect(await countContents()).toEqual({ stored: 0, packed: 60 })
    await expectMessages(ids, ORDERS)
  })

  test('the commit fails; the object that no email names is deleted a week after it was given up', async () => {
    const dying: Db = { ...db, transaction: () => Promise.reject(new Error('killed')) }
    await runRound({ db: dying })
    expect(failures).toEqual(['killed'])
    expect([await statesOf(), filesOf().length]).toEqual([['writing'], 1])
    await expectMessages(ids, ORDERS)
    const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS)
    await runRound({ at: later(2) })
    expect(await statesOf()).toEqual(['unused', 'written'])
    await runRound({ at: later(2 + 7 * 24 + 1) })
    expect([await statesOf(), filesOf().length]).toEqual([['written'], 1])
    await expectMessages(ids, ORDERS)
  })

  test('a pack that took so long that it was given up is not committed', async () => {
    const slow: BodyStore = {
      ...store,
      async write(...given) {
        await store.write(...given)
        await db.query("update body_pack set state = 'unused'")
      },
    }
    await runRound({ store: slow })
    expect(failures).toEqual([expect.stringContaining('given up')])
    expect(await countContents()).toEqual({ stored: 60, packed: 0 })
  })

  test('an email that is erased while its pack is written is in no row', async () => {
    const racing: BodyStore = {
      ...store,
      async write(...given) {
        await db.transaction((tx) => deleteContents(tx, team, ids.slice(0, 2)))
        await store.write(...given)
      },
    }
    await runRound({ store: racing })
    expect(await countContents()).toEqual({ stored: 0, packed: 58 })
    expect(await read(ids[0] ?? '')).toBeNull()
    await expectMessages(ids.slice(2), ORDERS.slice(2))
  })

  test('503 with Retry-After while the store is away, or not configured', async () => {
    await runRound()
    const away = { ...store, read: () => Promise.reject(new Error('away')) }
    for (const broken of [away, null]) {
      const reader = createReadBody({ db, store: broken, key, log })
      await expect(read(ids[0] ?? '', reader)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 10 })
    }
  })
})

test('the disk space of a past week is free once its messages are moved and nothing uses it', async () => {
  const week = daysBefore(NOW, 7)
  await insertOldEmails(db, team, 1100, { at: week, bytes: 30_000 })
  const partition = partitionsAt(week).find(({ table }) => table === 'email_content')?.name
  const size = async () => {
    const [row] = await db.query<{ bytes: number }>('select pg_total_relation_size($1)::int8 as bytes', [
      partition,
    ])
    return row?.bytes
  }
  expect(await size()).toBeGreaterThan(33_000_000)
  const round = makeRound()
  await db.transaction(async (tx) => {
    await tx.query(`lock table ${partition} in share update exclusive mode`)
    await round.run()
  })
  expect(await countContents()).toEqual({ stored: 0, packed: 1100 })
  expect(await size()).toBeGreaterThan(1_000_000)
  // Autovacuum, which takes the same lock, may use the week at this moment.
  const sizeAfterRound = async () => {
    await round.run()
    return size()
  }
  await expect.poll(sizeAfterRound, { timeout: 60_000 }).toBeLessThan(1_000_000)
})

test('a damaged message stays, and keeps no other team from packing', async () => {
  const others = await Promise.all([givenTeamRow(db), givenTeamRow(db)])
  for (const teamId of [team, ...others]) await givenBodies(db, teamId, hoursAgo(30), ORDERS.slice(0, 2))
  await db.query(`update email_content set encoding = 'zstd', message = 'x' where team_id = $1`, [team])
  await runRound()
  expect(failures).toHaveLength(1)
  expect(await countContents()).toEqual({ stored: 2, packed: 0 })
  expect(others.map((teamId) => filesOf(teamId).length)).toEqual([1, 1])
})

test('nothing moves to a directory whose file system is not mounted', async () => {
  await givenBodies(db, team, hoursAgo(30), ORDERS)
  await runRound()
  await givenBodies(db, team, hoursAgo(29), ORDERS)
  renameSync(directory, `${directory}-unmounted`)
  mkdirSync(directory)
  await expect(runRound()).rejects.toThrow('may not be mounted')
  expect(await countContents()).toEqual({ stored: 60, packed: 60 })
  expect(readdirSync(directory)).toEqual([])
  rmSync(directory, { recursive: true })
  renameSync(`${directory}-unmounted`, directory)
  await runRound()
  expect(await countContents()).toEqual({ stored: 0, packed: 120 })
})

test('the teams after three that fail have their turn in the next round', async () => {
  const teams = await Promise.all([1, 2, 3].map(() => givenTeamRow(db)))
  const [last, ...damaged] = [team, ...teams].sort().reverse()
  for (const teamId of [team, ...teams]) await givenBodies(db, teamId, hoursAgo(30), ORDERS.slice(0, 2))
  await db.query(`update email_content set encoding = 'zstd', message = 'x' where team_id = any ($1)`, [
    damaged,
  ])
  const round = makeRound()
  await round.run()
  expect(filesOf(last)).toEqual([])
  await round.run()
  expect(filesOf(last)).toHaveLength(1)
})

test('one round at a time in the installation', async () => {
  await givenBodies(db, team, hoursAgo(30), ORDERS)
  let countDuring = -1
  const nested: BodyStore = {
    ...store,
    async write(...given) {
      await runRound()
      countDuring = (await countContents()).packed
      await store.write(...given)
    },
  }
  await runRound({ store: nested })
  expect(countDuring).toBe(0)
  expect(await countContents()).toEqual({ stored: 0, packed: 60 })
})

test('erasure deletes the key; the object goes with the last email that it has, and then its dictionary', async () => {
  const ids = await givenBodies(db, team, hoursAgo(30), ORDERS)
  await runRound()
  await db.transaction((tx) => deleteContents(tx, team, ids.slice(1)))
  const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS)
  await runRound({ at: later(30) })
  expect(await read(ids[0] ?? '')).toEqual(ORDERS[0])
  expect(await read(ids[1] ?? '')).toBeNull()
  await db.transaction((tx) => deleteContents(tx, team, ids))
  await runRound({ at: later(31) })
  // Kept for a backup that names it.
  expect(filesOf()).toHaveLength(1)
  await runRound({ at: later(39) })
  expect([filesOf().length, await statesOf()]).toEqual([0, []])
  expect(await db.query('select 1 from body_dictionary')).toEqual([])
})
