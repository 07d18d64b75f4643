import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { DatabaseUnavailable, type Transactions } from '../../db/db-types.ts'
import { createHashAddress } from '../../lib/crypto/erased-address.ts'
import { lookUpContact, upsertContact } from '../contacts/contacts.ts'
import { addList } from '../lists/lists.ts'
import { optInAgain, optOut } from './opt-out.ts'
import { findUnsubscription } from './unsubscriptions-queries.ts'

const now = new Date()
const email = 'ann@x.test'
const hashAddress = createHashAddress(Buffer.alloc(32))

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** Transactions of a database that is lost after `countMax` of them. */
function lostAfter(countMax: number): Transactions {
  let count = 0
  return {
    transaction: (work) =>
      ++count > countMax ? Promise.reject(new DatabaseUnavailable('lost')) : database.db.transaction(work),
  }
}

test('the unsubscription stays until the contact is in its list again, whenever the database is lost', async () => {
  const { db } = database
  const teamId = randomUUID()
  const list = await db.transaction((tx) => addList(tx, teamId, 'News', now))
  await upsertContact(db, teamId, { email, listIds: [list.id] }, now)
  const request = { teamId, scope: { kind: 'list' as const, listId: list.id }, email, emailId: null }
  await optOut(db, hashAddress, request, 'api', now)
  const target = { scope: `list:${list.id}`, email }
  await optInAgain(lostAfter(1), hashAddress, teamId, target, now).catch(() => {})
  const isUnsubscribed = (await findUnsubscription(db, teamId, target.scope, [email])) !== null
  const lists = (await lookUpContact(db, teamId, email))?.lists ?? []
  expect([isUnsubscribed, lists.length]).toEqual([false, 1])
})
