import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenBodies } from '../../../test/support/bodies.ts'
import { givenTeamRow } from '../../../test/support/old-weeks.ts'
import {
  createPackingTemplate,
  hoursAgo,
  ORDERS,
  type Packing,
  startPacking,
} from '../../../test/support/packing.ts'
import type { Db } from '../../db/db-types.ts'
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

const damage = (ids: readonly string[]) =>
  db.query(`update email_content set encoding = 'zstd', message = 'x' where email_id = any ($1)`, [ids])

test('damaged messages stay, are logged once a round, and keep neither others of their team nor other teams', async () => {
  const other = await givenTeamRow(db)
  const messages = Array.from({ length: 510 }, (_, number) => Buffer.from(`message ${number}`))
  const ids = await givenBodies(db, team, hoursAgo(30), messages)
  await givenBodies(db, other, hoursAgo(30), ORDERS.slice(0, 2))
  const [first = '', second = '', ...intact] = ids
  await damage([first, second])
  const round = packing.makeRound()
  await round.run()
  expect(packing.failures).toHaveLength(1)
  expect(await packing.countContents()).toEqual({ stored: 2, packed: 508 })
  expect(packing.filesOf(other)).toHaveLength(1)
  await packing.expectMessages(intact, messages.slice(2))
  await expect(packing.read(first)).rejects.toThrow()
  // Otherwise, with the damaged one as the oldest, each round would write a small pack.
  await givenBodies(db, team, hoursAgo(20), ORDERS)
  await round.run()
  expect(packing.failures).toHaveLength(2)
  expect(await packing.countContents()).toEqual({ stored: 62, packed: 508 })
  // Mended, and tried by the next process.
  await db.query(`update email_content set encoding = 'identity' where email_id = $1`, [first])
  await packing.runRound()
  expect(await packing.read(first)).toEqual(Buffer.from('x'))
  expect(await packing.countContents()).toEqual({ stored: 1, packed: 569 })
})

test('a team whose messages are all damaged gets no pack', async () => {
  await damage(await givenBodies(db, team, hoursAgo(30), ORDERS))
  await packing.runRound()
  expect([packing.failures.length, await packing.statesOf(), packing.filesOf()]).toEqual([1, [], []])
})

/** Returns whether a parameter of a statement is this id, or an array in binary form that has it. */
const names = (value: unknown, id: string) =>
  value === id || (Buffer.isBuffer(value) && value.includes(Buffer.from(id.replaceAll('-', ''), 'hex')))

test('messages that the database cannot read keep no others from packing, small or large', async () => {
  const messages = [...ORDERS.slice(0, 5), randomBytes(1_500_000), randomBytes(1_500_000)]
  const ids = await givenBodies(db, team, hoursAgo(30), messages)
  const unreadable = [ids[0] ?? '', ids[5] ?? '']
  const query: Db['query'] = async (text, values, ...more) => {
    const isRead = /c\.encoding, c\.message|substring/.test(text)
    if (isRead && unreadable.some((id) => values?.some((value) => names(value, id))))
      throw Object.assign(new Error('missing chunk number 0 for toast value 4711'), { code: 'XX001' })
    return db.query(text, values, ...more)
  }
  await packing.runRound({ db: { ...db, query } })
  expect(packing.failures).toEqual([expect.stringContaining('missing chunk')])
  expect(await packing.countContents()).toEqual({ stored: 2, packed: 5 })
  await packing.expectMessages(ids, messages)
})

test('nothing moves to a directory whose file system is not mounted', async () => {
  await givenBodies(db, team, hoursAgo(30), ORDERS)
  await packing.runRound()
  await givenBodies(db, team, hoursAgo(29), ORDERS)
  packing.unmount()
  await expect(packing.runRound()).rejects.toThrow('may not be mounted')
  expect(await packing.countContents()).toEqual({ stored: 60, packed: 60 })
  expect(readdirSync(packing.directory)).toEqual([])
  packing.mount()
  await packing.runRound()
  expect(await packing.countContents()).toEqual({ stored: 0, packed: 120 })
})

describe('a file system that is unmounted during a round', () => {
  const messages = [...ORDERS, randomBytes(1_500_000)]
  test('gets no message that was written below it', async () => {
    const ids = await givenBodies(db, team, hoursAgo(30), messages)
    const unmounting: BodyStore = {
      ...store,
      async write(...given) {
        packing.unmount()
        await store.write(...given)
      },
    }
    await packing.runRound({ store: unmounting })
    expect(packing.failures).toEqual([expect.stringContaining('may not be mounted')])
    expect(await packing.countContents()).toEqual({ stored: 61, packed: 0 })
    packing.mount()
    await packing.runRound()
    expect(await packing.countContents()).toEqual({ stored: 0, packed: 61 })
    await packing.expectMessages(ids, messages)
  })

  test('between two packs: the folder below it stays empty', async () => {
    const ids = await givenBodies(db, team, hoursAgo(30), messages)
    await packing.runRound({ onPacked: () => packing.unmount() })
    expect(packing.failures).toEqual([expect.stringContaining('may not be mounted')])
    expect([await packing.countContents(), readdirSync(packing.directory)]).toEqual([
      { stored: 60, packed: 1 },
      [],
    ])
    packing.mount()
    await packing.expectMessages(ids, messages)
  })
})

test('the teams after three that fail have their turn in the next round', async () => {
  const teams = await Promise.all([1, 2, 3].map(() => givenTeamRow(db)))
  const [last = '', ...failing] = [team, ...teams].sort().reverse()
  for (const teamId of [last, ...failing]) await givenBodies(db, teamId, hoursAgo(30), ORDERS.slice(0, 2))
  const full: BodyStore = {
    ...store,
    write: (name, ...given) =>
      name.startsWith(last) ? store.write(name, ...given) : Promise.reject(new Error('full')),
  }
  const round = packing.makeRound({ store: full })
  await round.run()
  expect(packing.filesOf(last)).toEqual([])
  await round.run()
  expect(packing.filesOf(last)).toHaveLength(1)
})
