import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { givenDeliveries } from '../../../test/support/deliveries.ts'
import { newId } from '../../lib/ids.ts'
import { enqueue } from '../../queue/enqueue-queries.ts'
import { PromoteRound } from '../../queue/promote-queries.ts'
import { releaseDue } from './release-due.ts'

/** The recipients that one call releases. */
const COUNT_MAX = 2000

test('one email.queued for an email whose recipients become due in two calls', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const [teamId, id] = [newId(), newId()]
  const now = new Date()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const earlier = Array.from({ length: COUNT_MAX - 1 }, () => ({ domain: 'a.test', dueAt: ago(2000) }))
  const dueAt = ago(1000)
  await givenDeliveries(
    db,
    teamId,
    [...earlier, { id, domain: 'b.test', dueAt }].map((one) => ({ ...one, status: 'scheduled' })),
  )
  const [address, kind] = ['bob@c.test', 'cc'] as const
  const second = { teamId, emailId: id, no: 1, kind, address, addressKey: address, domain: 'c.test', dueAt }
  const rest = { isBulk: false, status: 'scheduled', expiresAt: now, leasedUntil: null } as const
  await db.transaction((tx) => enqueue(tx, [{ ...second, ...rest }], teamId, now))
  const round = new PromoteRound()
  expect(await releaseDue(db, now, round)).toMatchObject({ count: COUNT_MAX, more: true })
  expect(await releaseDue(db, now, round)).toMatchObject({ count: 1, more: false })
  expect(await db.query('select type from event where subject_id = $1', [id])).toEqual([
    { type: 'email.queued' },
  ])
  expect(await db.query('select status, last_event from email where id = $1', [id])).toEqual([
    { status: 'queued', lastEvent: 'queued' },
  ])
})
