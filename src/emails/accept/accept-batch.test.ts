import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openDb } from '../../db/db.ts'
import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createHashAddress } from '../../lib/crypto/erased-address.ts'
import { newId } from '../../lib/ids.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { DeliveryKey, DueDelivery } from '../../queue/types.ts'
import { createTeam } from '../../teams/teams.ts'
import { draftEmail } from '../request/draft-email.ts'
import { createAcceptBatcher } from './accept-batch.ts'
import type { AcceptRequest, HandOff, Submission } from './accept-types.ts'
import { composeEmail } from './compose-email.ts'

let database: TestDatabase
let teamId: string

async function givenTeam(plan: 'free' | 'unlimited', domain: string): Promise<string> {
  const team = await database.db.transaction((tx) => createTeam(tx, { name: domain, plan }, new Date()))
  await database.db.query('insert into verified_domain (name, team_id, domain_id) values ($1, $2, $3)', [
    domain,
    team.id,
    newId(),
  ])
  return team.id
}

beforeAll(async () => {
  database = await createDatabase()
  teamId = await givenTeam('free', 'acme.test')
})
afterAll(() => database.drop())

async function emailTo(count: number, domain = 'acme.test'): Promise<Submission> {
  const to = Array.from({ length: count }, (_, i) => `r${i}@to.test`)
  const request = { from: `ann@${domain}`, to, subject: 'x', text: 'x' }
  const tools = {
    submitter: { teamId, domainId: null, keyId: null },
    takenIds: new Set<string>(),
    messageIds: { mayUse: async () => false, findSent: async () => new Map<string, string>() },
    fetchFile: async () => ({ problem: 'no file' }),
    unsubscribeHeaders: async () => [],
    track: async (html: string) => html,
  }
  const composed = await composeEmail(tools, draftEmail(request, new Date()), new Date())
  return { ...composed, template: null }
}

const toAcceptRequest = (submissions: Submission[], isWhole: boolean, ofTeam = teamId): AcceptRequest => ({
  submissions,
  submitter: { teamId: ofTeam, domainId: null, keyId: null },
  idempotency: null,
  batch: { isWhole, indexes: submissions.map((_, index) => index), refused: [] },
})

function givenBatcher(db: Db, handOff: HandOff | null) {
  return createAcceptBatcher({
    hashAddress: createHashAddress(Buffer.alloc(32)),
    db,
    clock: systemClock,
    nodeId: newId(),
    messageLifetimeMs: 3_600_000,
    handOff,
    wake: () => {},
  })
}

/** A process that leaves all mail to a claim. */
const NO_ROOM: HandOff = {
  waitForTurn: () => null,
  reserve: () => false,
  cancelReservation: () => {},
  lose: () => {},
  prepare: () => {},
  start: () => {},
}

test('rejected as a whole, a batch uses none of the quota that others of the same commit share', async () => {
  const accepting = givenBatcher(database.db, null)
  const refused = toAcceptRequest([await emailTo(50), await emailTo(50), await emailTo(1)], true)
  const taken = toAcceptRequest([await emailTo(50), await emailTo(50)], true)
  // Added in the same tick: one transaction validates both, the oversized one first.
  const answers = await Promise.allSettled([accepting.add(refused), accepting.add(taken)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  const [first] = answers
  expect(first.status === 'rejected' && first.reason).toBeInstanceOf(ApiError)
  expect((first as PromiseRejectedResult).reason.message).toBe('Daily email quota exceeded.')
})

test('started at once if the answer to the COMMIT is lost but the COMMIT took effect', async () => {
  let losses = 1
  const db: Db = {
    ...database.db,
    async transaction(work) {
      const made = await database.db.transaction(work)
      if (losses-- > 0) throw new DatabaseUnavailable(new Error('The link broke.'), true)
      return made
    },
  }
  const begun: DueDelivery[] = []
  let roomTaken = 0
  const accepting = givenBatcher(db, {
    ...NO_ROOM,
    reserve: () => roomTaken++ >= 0,
    cancelReservation: () => roomTaken--,
    start: (deliveries) => void begun.push(...deliveries),
  })
  const acceptRequest = { ...toAcceptRequest([await emailTo(2)], true), batch: null }
  // The previous test used up the quota.
  await database.db.query("update team set plan = 'unlimited' where id = $1", [teamId])
  const { emailIds } = await accepting.add(acceptRequest)
  expect(begun.map(({ emailId }) => emailId)).toEqual([emailIds[0], emailIds[0]])
  expect(roomTaken).toBe(2)
})

test.each([
  { isUnknown: true, count: 2 },
  { isUnknown: false, count: 0 },
])(
  'noted for a release if nobody knows whether its COMMIT took effect: $isUnknown',
  async ({ isUnknown, count }) => {
    let isAway = false
    const away = () => Promise.reject(new DatabaseUnavailable(new Error('It is still away.')))
    const db: Db = {
      ...database.db,
      query: (...args) => (isAway ? away() : database.db.query(...args)),
      async transaction(work) {
        await database.db.transaction(work)
        isAway = true
        throw new DatabaseUnavailable(new Error('The link broke.'), isUnknown)
      },
    }
    const lost: DeliveryKey[] = []
    let roomTaken = 0
    const accepting = givenBatcher(db, {
      ...NO_ROOM,
      reserve: () => roomTaken++ >= 0,
      cancelReservation: () => roomTaken--,
      lose: (key) => void lost.push(key),
    })
    await database.db.query("update team set plan = 'unlimited' where id = $1", [teamId])
    const submission = await emailTo(2)
    const accepted = accepting.add({ ...toAcceptRequest([submission], true), batch: null })
    await expect(accepted).rejects.toMatchObject({ name: 'DatabaseUnavailable', commitUnknown: isUnknown })
    expect(lost.map(({ emailId }) => emailId)).toEqual(
      Array.from({ length: count }, () => submission.emailId),
    )
    expect(roomTaken).toBe(0)
  },
)

test('noted for a release if its lost COMMIT takes effect after the lookup, and answers by its idempotency key', async () => {
  const written = Promise.withResolvers<void>()
  const lookedUp = Promise.withResolvers<void>()
  let committing: Promise<unknown> | null = null
  const db: Db = {
    ...database.db,
    async transaction(work) {
      if (committing !== null) {
        lookedUp.resolve()
        return database.db.transaction(work)
      }
      committing = database.db.transaction(async (tx) => {
        await work(tx)
        written.resolve()
        await lookedUp.promise
      })
      await written.promise
      throw new DatabaseUnavailable(new Error('The link broke.'), true)
    },
  }
  const lost: DeliveryKey[] = []
  const accepting = givenBatcher(db, {
    ...NO_ROOM,
    reserve: () => true,
    lose: (key) => void lost.push(key),
  })
  await database.db.query("update team set plan = 'unlimited' where id = $1", [teamId])
  const submission = await emailTo(2)
  const idempotency = { key: newId(), requestHash: Buffer.alloc(32) }
  const acceptRequest = { ...toAcceptRequest([submission], true), batch: null, idempotency }
  expect(await accepting.add(acceptRequest)).toEqual({ emailIds: [submission.emailId], refused: [] })
  expect(lost.map(({ emailId }) => emailId)).toEqual([submission.emailId, submission.emailId])
  await committing
})

test('prepared before its COMMIT has been answered, if it is alone', async () => {
  const { promise: isPrepared, resolve } = Promise.withResolvers<void>()
  const order: string[] = []
  const db: Db = {
    ...database.db,
    async transaction(work) {
      const made = await database.db.transaction(work)
      if (order.length === 0) await isPrepared
      return made
    },
  }
  const accepting = givenBatcher(db, {
    ...NO_ROOM,
    reserve: () => true,
    prepare: ({ emailId, message }) => {
      order.push(`${emailId} prepared with ${message?.bytes.length !== 0}`)
      resolve()
    },
    start: (deliveries) => void order.push(...deliveries.map(({ emailId }) => `${emailId} started`)),
  })
  await database.db.query("update team set plan = 'unlimited' where id = $1", [teamId])
  const accept = async (recipients: number) => {
    const acceptRequest = { ...toAcceptRequest([await emailTo(recipients)], true), batch: null }
    const { emailIds } = await accepting.add(acceptRequest)
    return emailIds[0]
  }
  const lone = await accept(1)
  expect(order).toEqual([`${lone} prepared with true`, `${lone} started`])
  const two = await accept(2)
  expect(order.slice(2)).toEqual([`${two} started`, `${two} started`])
})

test('committed only when it is its turn, unless nothing of it is transactional and due', async () => {
  const { promise: isTurn, resolve: begin } = Promise.withResolvers<void>()
  const asked: unknown[] = []
  const accepting = givenBatcher(database.db, {
    ...NO_ROOM,
    waitForTurn(...request) {
      asked.push(request)
      return isTurn
    },
  })
  await database.db.query("update team set plan = 'unlimited' where id = $1", [teamId])
  const [mail, bulk] = [await emailTo(2), { ...(await emailTo(1)), isBulk: true }]
  const scheduled = { ...(await emailTo(1)), scheduledAt: new Date(Date.now() + 3_600_000) }
  const accepted = accepting.add(toAcceptRequest([mail, bulk, scheduled], true))
  const others = [
    { ...bulk, emailId: newId() },
    { ...scheduled, emailId: newId() },
  ]
  await accepting.add(toAcceptRequest(others, true))
  const origin = { lock: async () => new Set(ownId), record: async () => {} }
  const own = await emailTo(1)
  const ownId = [own.emailId]
  await accepting.add({ ...toAcceptRequest([own], true), origin })
  const find = () => database.db.query('select 1 from email where id = $1', [mail.emailId])
  expect(await find()).toEqual([])
  begin()
  await accepted
  expect(await find()).toHaveLength(1)
  expect(asked).toEqual([[teamId, 2, mail.message.bytes.length]])
})

test('503 for the team whose rows somebody else has locked, and not for those that commit with it', async () => {
  // Shorter than that of the API, so that a busy machine has time for the other team's transaction within the 1.7 s.
  const db = openDb(database.url, { connectionsMax: 4, timeoutMs: 1_000, name: 'test' })
  onTestFinished(() => db.close())
  const accepting = givenBatcher(db, null)
  const locked = await givenTeam('unlimited', 'locked.test')
  const free = await givenTeam('unlimited', 'free.test')
  // Added in the same tick, they share a commit.
  const acceptBoth = async () => {
    const emails = [await emailTo(1, 'locked.test'), await emailTo(1, 'free.test')] as const
    const requests = [toAcceptRequest([emails[0]], true, locked), toAcceptRequest([emails[1]], true, free)]
    const answers = await Promise.allSettled(requests.map((each) => accepting.add(each)))
    return answers.map((answer) => (answer.status === 'rejected' ? answer.reason : 'accepted'))
  }
  expect(await acceptBoth()).toEqual(['accepted', 'accepted'])
  await database.db.transaction(async (tx) => {
    await tx.query('select 1 from usage where team_id = $1 for update', [locked])
    for (let round = 0; round < 2; round++)
      expect(await acceptBoth()).toEqual([expect.any(DatabaseUnavailable), 'accepted'])
  })
  expect(await acceptBoth()).toEqual(['accepted', 'accepted'])
})
