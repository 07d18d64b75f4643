import { beforeEach, expect, test } from 'vitest'
import { due } from '../../../test/support/delivery.ts'
import { SiteWaiting } from './site-waiting.ts'

/** The start of the rate's window, in milliseconds. */
const START_MS = 1_000_000_000
const MINUTE_MS = 60_000
const [BULK, TRANSACTIONAL] = [true, false]

let nowMs: number
let waiting: SiteWaiting
let postponed: { isBulk: boolean; afterMs: number }[]

beforeEach(() => {
  nowMs = START_MS
  postponed = []
})

/** A site whose rate admits `count` messages a minute. */
function givenRate(count: number) {
  waiting = new SiteWaiting(
    {
      name: 'to.test',
      nowMs: () => nowMs,
      random: () => 0.5,
      waitingMax: () => 10_000,
      mayTakeLarge: () => true,
      wake: () => {},
      outcomes: {
        postponed: ({ delivery, until }) =>
          void postponed.push({ isBulk: delivery.isBulk, afterMs: until.getTime() - nowMs }),
      },
    },
    { count, perMs: MINUTE_MS },
  )
}

function add(count: number, isBulk: boolean, teamId = 'team'): void {
  for (let n = 0; n < count; n++) waiting.putBack({ ...due(`${n}@to.test`), isBulk, teamId })
}

/** Sends whatever the rate admits now. Returns how many of each class, and the teams in order. */
function sendAll() {
  const sent = { bulk: 0, transactional: 0, teams: [] as string[] }
  while (waiting.size > 0 && waiting.rateWaitMs(true) === 0) {
    const delivery = waiting.take(true, true)
    if (delivery === null) break
    sent[delivery.isBulk ? 'bulk' : 'transactional']++
    sent.teams.push(delivery.teamId)
  }
  return sent
}

test.each([
  [1, 1],
  [2, 1],
  [5, 4],
  [60, 54],
  [1000, 900],
])('of a rate of %i, bulk mail takes %i', (count, bulk) => {
  givenRate(count)
  add(2000, BULK)
  expect(sendAll()).toMatchObject({ bulk, transactional: 0 })
})

test('transactional mail of the same team, or of another one, starts at once beside bulk mail that waits for the rate', () => {
  for (const team of ['team', 'other']) {
    givenRate(100)
    add(500, BULK)
    expect(sendAll().bulk).toBe(90)
    expect(waiting.rateWaitMs(true)).toBe(MINUTE_MS)
    add(12, TRANSACTIONAL, team)
    expect(waiting.rateWaitMs(true)).toBe(0)
    expect(sendAll()).toMatchObject({ bulk: 0, transactional: 10 })
    // The rate itself is exhausted: nothing exceeds it.
    expect(waiting.rateWaitMs(true)).toBe(MINUTE_MS)
    expect(sendAll()).toMatchObject({ bulk: 0, transactional: 0 })
  }
})

test('the share grows with the transactional mail: bulk mail leaves a tenth free beside it, and has half', () => {
  givenRate(100)
  for (const [transactional, bulk] of [
    [10, 80],
    [20, 70],
    [40, 50],
    [50, 50],
  ] as const) {
    add(transactional, TRANSACTIONAL)
    expect(sendAll().transactional).toBe(transactional)
    add(500, BULK)
    expect(sendAll().bulk).toBe(bulk)
    waiting.takeAll()
    nowMs += MINUTE_MS
  }
})

test('no window of the rate has more messages than it admits, whatever the mix, and neither class starves', () => {
  givenRate(20)
  const times: number[] = []
  const total = { bulk: 0, transactional: 0 }
  for (let second = 0; second < 600; second++) {
    add(1, TRANSACTIONAL)
    if (second % 5 === 0) add(3, BULK)
    const { bulk, transactional } = sendAll()
    total.bulk += bulk
    total.transactional += transactional
    times.push(...Array.from({ length: bulk + transactional }, () => nowMs))
    const inWindow = times.filter((at) => at > nowMs - MINUTE_MS).length
    expect(inWindow).toBeLessThanOrEqual(20)
    nowMs += 1000
  }
  expect(total.bulk + total.transactional).toBe(200)
  // Sixty a minute wait for twenty: one of each twenty is bulk.
  expect(total.bulk).toBeGreaterThanOrEqual(200 / 20)
  expect(total.transactional).toBeGreaterThan(total.bulk)
})

test('teams whose mail exceeds the rate still take turns: transactional mail gives none of them more', () => {
  givenRate(90)
  const given = new Map<string, number>()
  for (let second = 0; second < 600; second++) {
    for (const team of ['news', 'offers']) add(3, BULK, team)
    add(3, TRANSACTIONAL, 'loud')
    for (const team of sendAll().teams) given.set(team, (given.get(team) ?? 0) + 1)
    nowMs += 1000
  }
  for (const count of given.values()) expect(count).toBeGreaterThan(0.8 * (900 / 3))
  expect(given.get('loud')).toBeLessThan(1.4 * (900 / 3))
})

test('only bulk mail is postponed while its share is used up; transactional mail is after the rate itself', () => {
  givenRate(10)
  add(20, BULK)
  sendAll()
  expect(waiting.isRateUsedUp(BULK)).toBe(true)
  expect(waiting.isRateUsedUp(TRANSACTIONAL)).toBe(false)
  waiting.postponeForRate()
  expect(postponed).toHaveLength(11)
  // Nine a minute, from when its share is free again.
  expect(postponed.slice(0, 2).map(({ afterMs }) => afterMs)).toEqual([60_000, 66_666])
  postponed = []
  add(1, TRANSACTIONAL)
  sendAll()
  expect(waiting.isRateUsedUp(TRANSACTIONAL)).toBe(true)
})

test('a site whose window holds any message is not forgotten, so that its rate counts for all of it', () => {
  givenRate(10)
  expect(waiting.isRateUnused).toBe(true)
  add(1, BULK)
  sendAll()
  nowMs += MINUTE_MS - 1
  expect(waiting.isRateUnused).toBe(false)
  nowMs += 1
  expect(waiting.isRateUnused).toBe(true)
})
