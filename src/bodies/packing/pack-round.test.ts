import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenBodies, shopMessage } from '../../../test/support/bodies.ts'
import { DAY_MS, daysBefore, givenTeamRow, insertOldEmails } from '../../../test/support/old-weeks.ts'
import {
  createPackingTemplate,
  HOUR_MS,
  hoursAgo,
  NOW,
  ORDERS,
  type Packing,
  startPacking,
} from '../../../test/support/packing.ts'
import type { Db } from '../../db/db-types.ts'
import { partitionsAt } from '../../db/partitions/partitions.ts'
import { deleteContents } from '../../privacy/erasure/erase-emails-queries.ts'
import { createReadBody } from '../read-body.ts'
import type { BodyStore } from '../store/body-store.ts'

let template: Awaited<ReturnType<typeof createPackingTemplate>>
let packing: Packing
let db: Db
let store: BodyStore
let team: string

beforeAll(async () => {
  template = await createPackingTemplate()
})
afterAll(() => template.drop())

beforeEach(async () => {
  packing = await startPacking(template.name)
  ;({ db, store, team } = packing)
})
afterEach(() => packing.stop())

describe('moved to packs', () => {
  test('settled emails; each message is read byte for byte, small and large', async () => {
    const messages = [...ORDERS, shopMessage(61, 300), randomBytes(1_500_000), Buffer.from('x')]
    const ids = await givenBodies(db, team, hoursAgo(30), messages)
    await packing.runRound()
    expect(await packing.countContents()).toEqual({ stored: 0, packed: messages.length })
    // The large one has a pack of its own.
    expect(packing.filesOf()).toHaveLength(2)
    await packing.expectMessages(ids, messages)
  })

  test('once there are enough for a pack, or the oldest is twice as old as it must be', async () => {
    await givenBodies(db, team, hoursAgo(20), ORDERS)
    await packing.runRound()
    expect(await packing.countContents()).toEqual({ stored: 60, packed: 0 })
    await givenBodies(
      db,
      team,
      hoursAgo(20),
      Array.from({ length: 450 }, () => Buffer.from('y')),
    )
    await packing.runRound()
    expect(await packing.countContents()).toEqual({ stored: 10, packed: 500 })
    await packing.runRound({ at: new Date(NOW.getTime() + 5 * HOUR_MS) })
    expect(await packing.countContents()).toEqual({ stored: 0, packed: 510 })
  })

  test('but not emails with a recipient that has yet to receive them, and none that are young', async () => {
    await givenBodies(db, team, hoursAgo(30), ORDERS.slice(0, 5))
    const open = await insertOldEmails(db, team, 1, {
      at: hoursAgo(30),
      status: 'scheduled',
      scheduledAt: new Date(NOW.getTime() + HOUR_MS),
    })
    await insertOldEmails(db, team, 2, { at: hoursAgo(11) })
    await packing.runRound()
    expect(await packing.countContents()).toEqual({ stored: 3, packed: 5 })
    expect(await packing.read(open[0] ?? '')).not.toBeNull()
  })

  test('in a pack for each team, which nobody reads without the key of the installation', async () => {
    const other = await givenTeamRow(db)
    const [id = ''] = await givenBodies(db, team, hoursAgo(30), ORDERS.slice(0, 3))
    await givenBodies(db, other, hoursAgo(30), ORDERS.slice(0, 3))
    await packing.runRound()
    expect([packing.filesOf().length, packing.filesOf(other).length]).toEqual([1, 1])
    await expect(packing.read(id, createReadBody({ ...packing, key: randomBytes(32) }))).rejects.toThrow()
  })

  test('against a dictionary of the team, which the next packs use too and which has no values', async () => {
    await givenBodies(db, team, hoursAgo(30), ORDERS)
    await packing.runRound()
    const more = Array.from({ length: 20 }, (_, number) => shopMessage(1000 + number))
    const ids = await givenBodies(db, team, hoursAgo(29), more)
    await packing.runRound()
    const packs = await db.query<{ dictionaryId: string | null; bytes: number }>(
      'select dictionary_id, bytes from body_pack order by id',
    )
    expect(new Set(packs.map(({ dictionaryId }) => dictionaryId)).size).toBe(1)
    const plainBytes = more.reduce((sum, { length }) => sum + length, 0)
    expect(packs[1]?.bytes).toBeLessThan(plainBytes / 4)
    await packing.expectMessages(ids, more)
  })

  test('from a week that began before this version, which gets its partition', async () => {
    const week = new Date(NOW.getTime() - 7 * DAY_MS)
    const [oldest] = await db.query<{ name: string }>(
      "select relname as name from pg_class where relname ~ '^packed_content_[0-9]{8}$' order by 1 limit 1",
    )
    await db.query(`drop table ${oldest?.name}`)
    const ids = await givenBodies(db, team, week, ORDERS.slice(0, 3))
    await packing.runRound()
    await packing.expectMessages(ids, ORDERS.slice(0, 3))
    expect(await packing.countContents()).toEqual({ stored: 0, packed: 3 })
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
    await packing.runRound({ store: { ...store, ...broken } })
    expect(packing.failures).toHaveLength(1)
    expect(await packing.countContents()).toEqual({ stored: 60, packed: 0 })
    await packing.expectMessages(ids, ORDERS)
    await packing.runRound()
    expect(await packing.countContents()).toEqual({ stored: 0, packed: 60 })
    await packing.expectMessages(ids, ORDERS)
  })

  test('the commit fails; the object that no email names is deleted a week after it was given up', async () => {
    const dying: Db = { ...db, transaction: () => Promise.reject(new Error('killed')) }
    await packing.runRound({ db: dying })
    expect(packing.failures).toEqual(['killed'])
    expect([await packing.statesOf(), packing.filesOf().length]).toEqual([['writing'], 1])
    await packing.expectMessages(ids, ORDERS)
    const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS)
    await packing.runRound({ at: later(2) })
    expect(await packing.statesOf()).toEqual(['unused', 'written'])
    await packing.runRound({ at: later(2 + 7 * 24 + 1) })
    expect([await packing.statesOf(), packing.filesOf().length]).toEqual([['written'], 1])
    await packing.expectMessages(ids, ORDERS)
  })

  test('given-up packs are collected again after the clock, which was two days ahead, was set back', async () => {
    const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS)
    let at = NOW
    const round = packing.makeRound({ clock: { now: () => at } })
    await round.run()
    await givenBodies(db, team, hoursAgo(80), ORDERS)
    const dying: Db = { ...db, transaction: () => Promise.reject(new Error('killed')) }
    await packing.runRound({ db: dying, at: later(-50) })
    expect(await packing.statesOf()).toContain('writing')
    at = later(-48)
    await round.run()
    expect(await packing.statesOf()).toContain('unused')
  })

  test('a pack that took so long that it was given up is not committed', async () => {
    const slow: BodyStore = {
      ...store,
      async write(...given) {
        await store.write(...given)
        await db.query("update body_pack set state = 'unused'")
      },
    }
    await packing.runRound({ store: slow })
    expect(packing.failures).toEqual([expect.stringContaining('given up')])
    expect(await packing.countContents()).toEqual({ stored: 60, packed: 0 })
  })

  test('an email that is erased while its pack is written is in no row', async () => {
    const racing: BodyStore = {
      ...store,
      async write(...given) {
        await db.transaction((tx) => deleteContents(tx, team, ids.slice(0, 2)))
        await store.write(...given)
      },
    }
    await packing.runRound({ store: racing })
    expect(await packing.countContents()).toEqual({ stored: 0, packed: 58 })
    expect(await packing.read(ids[0] ?? '')).toBeNull()
    await packing.expectMessages(ids.slice(2), ORDERS.slice(2))
  })

  test('503 with Retry-After while the store is away, or not configured', async () => {
    await packing.runRound()
    const away = { ...store, read: () => Promise.reject(new Error('away')) }
    for (const broken of [away, null]) {
      const reader = createReadBody({ ...packing, store: broken })
      await expect(packing.read(ids[0] ?? '', reader)).rejects.toMatchObject({
        status: 503,
        retryAfterSeconds: 10,
      })
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
  const round = packing.makeRound()
  await db.transaction(async (tx) => {
    await tx.query(`lock table ${partition} in share update exclusive mode`)
    await round.run()
  })
  expect(await packing.countContents()).toEqual({ stored: 0, packed: 1100 })
  expect(await size()).toBeGreaterThan(1_000_000)
  // Autovacuum, which takes the same lock, may use the week at this moment.
  const sizeAfterRound = async () => {
    await round.run()
    return size()
  }
  await expect.poll(sizeAfterRound, { timeout: 60_000 }).toBeLessThan(1_000_000)
})

test('one round at a time in the installation', async () => {
  await givenBodies(db, team, hoursAgo(30), ORDERS)
  let countDuring = -1
  const nested: BodyStore = {
    ...store,
    async write(...given) {
      await packing.runRound()
      countDuring = (await packing.countContents()).packed
      await store.write(...given)
    },
  }
  await packing.runRound({ store: nested })
  expect(countDuring).toBe(0)
  expect(await packing.countContents()).toEqual({ stored: 0, packed: 60 })
})

test('erasure deletes the key; the object goes with the last email that it has, and then its dictionary', async () => {
  const ids = await givenBodies(db, team, hoursAgo(30), ORDERS)
  await packing.runRound()
  await db.transaction((tx) => deleteContents(tx, team, ids.slice(1)))
  const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS)
  await packing.runRound({ at: later(30) })
  expect(await packing.read(ids[0] ?? '')).toEqual(ORDERS[0])
  expect(await packing.read(ids[1] ?? '')).toBeNull()
  await db.transaction((tx) => deleteContents(tx, team, ids))
  await packing.runRound({ at: later(31) })
  // Kept for a backup that names it.
  expect(packing.filesOf()).toHaveLength(1)
  await packing.runRound({ at: later(39) })
  expect([packing.filesOf().length, await packing.statesOf()]).toEqual([0, []])
  expect(await db.query('select 1 from body_dictionary')).toEqual([])
})
