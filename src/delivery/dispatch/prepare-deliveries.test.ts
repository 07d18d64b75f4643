import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { givenDeliveries } from '../../../test/support/deliveries.ts'
import { connectionOf, due, startDelivery } from '../../../test/support/delivery.ts'
import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import { createHashAddress } from '../../lib/crypto/erased-address.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { claimDue, newRound } from '../../queue/claim.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { createSettler } from '../settle/settle-deliveries.ts'
import { loadOne, prepareDeliveries } from './prepare-deliveries.ts'

const hashAddress = createHashAddress(Buffer.alloc(32))

test('loads messages that are not large, and finds suppressed deliveries', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const teamId = newId()
  const inDatabase = Buffer.from('From the database\r\n')
  const claim = (address: string) => ({ ...due(address), teamId, message: null })
  const [read, suppressed] = [claim('read@to.test'), claim('suppressed@to.test')]
  const large = { ...claim('large@to.test'), sizeBytes: 256 * 1024 + 1 }
  for (const { emailId } of [read, large])
    await db.query(
      `insert into email_content (team_id, email_id, encoding, message, smtp_utf8) values ($1, $2, 'identity', $3, false)`,
      [teamId, emailId, inDatabase],
    )
  await db.query(
    `insert into suppression (team_id, id, email, reason, created_at, updated_at) values ($1, $2, $3, 'manual', now(), now())`,
    [teamId, newId(), suppressed.addressKey],
  )
  const { withdrawn } = await prepareDeliveries(db, hashAddress, [read, large, suppressed], false)
  expect(large.message).toBeNull()
  expect(read.message).toEqual({ bytes: inDatabase, smtpUtf8: false })
  expect([...withdrawn]).toEqual([[suppressed, 'suppressed']])
})

const READS_CONTENT = /c\.encoding, c\.message|substring/

/** Returns a database that answers with this error when a statement reads the content of this email. */
function damagedAt(db: Db, id: string, error: Error): Db {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  const isNamed = (value: unknown) => value === id || (Buffer.isBuffer(value) && value.includes(bytes))
  return {
    ...db,
    async query(text, values, ...more) {
      if (READS_CONTENT.test(text) && values?.some(isNamed) === true) throw error
      return db.query(text, values, ...more)
    },
  }
}

test('delivered at once although the database cannot read one message of the claim, which fails when it expires', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const nodeId = newId()
  const bad = { id: newId(), domain: 'to.test' }
  const good = Array.from({ length: 19 }, () => ({ id: newId(), domain: 'to.test' }))
  await givenDeliveries(db, newId(), [bad, ...good])
  const unreadable = Object.assign(new Error('missing chunk number 0 for toast value 4711'), {
    code: 'XX001',
  })
  const damaged = damagedAt(db, bad.id, unreadable)
  const settler = createSettler({
    db,
    clock: { now: () => new Date(world.nowMs) },
    log: createLog('silent'),
    nodeId,
    retryScheduleMs: [60_000],
    random: () => 0.5,
  })
  const attempted: string[] = []
  const world = startDelivery({
    prepare: (deliveries) => prepareDeliveries(damaged, hashAddress, deliveries, false),
    settle: (report) => settler.add(report),
  })
  const usual = connectionOf(world)
  const connection = {
    ...usual,
    async deliver(delivery: DueDelivery) {
      delivery.message ??= await loadOne(damaged, delivery)
      attempted.push(delivery.emailId)
      return usual.deliver(delivery)
    },
  }
  world.open = async () => ({ connection })
  const deliverAll = async () => {
    const now = new Date(world.nowMs)
    const claimed = await claimDue(db, { nodeId, now, countMax: 200, domainsToSkip: [], round: newRound() })
    await world.deliverer.add(claimed)
    await expect.poll(() => world.deliverer.heldCount, { timeout: 30_000 }).toBe(0)
    return claimed.map(({ emailId }) => emailId)
  }
  expect(await deliverAll()).toHaveLength(20)
  expect(attempted.toSorted()).toEqual(good.map(({ id }) => id).toSorted())
  const openRows = () => db.query('select email_id, category from delivery where due_at is not null')
  expect(await openRows()).toEqual([{ emailId: bad.id, category: 'internal' }])
  await db.query('update delivery set ready = true, expires_at = $1 where due_at is not null', [
    new Date(world.nowMs),
  ])
  expect(await deliverAll()).toEqual([bad.id])
  expect(await openRows()).toEqual([])
  expect(await db.query('select status from delivery where email_id = $1', [bad.id])).toEqual([
    { status: 'failed' },
  ])
})

test('not prepared one by one while the database is away', async () => {
  const deliveries = [due('a@to.test'), due('b@to.test')]
  const unavailable = new DatabaseUnavailable(null)
  let statements = 0
  const query: Db['query'] = async (text) => {
    if (!READS_CONTENT.test(text)) return []
    statements++
    throw unavailable
  }
  const preparing = prepareDeliveries({ query } as Db, hashAddress, deliveries, false)
  await expect(preparing).rejects.toBe(unavailable)
  expect(statements).toBe(1)
})
