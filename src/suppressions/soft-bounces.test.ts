import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { newId } from '../lib/ids.ts'
import { suppressBounced } from './suppress-bounced.ts'

let database: TestDatabase
const teamId = newId()
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** The states of an email: status and category. */
const STATES = {
  full: ['bounced', 'mailbox_full'],
  expired: ['failed', 'mailbox_full'],
  delivered: ['delivered', 'accepted'],
  sent: ['sent', 'accepted'],
  waiting: ['delivery_delayed', 'mailbox_full'],
  policy: ['bounced', 'policy_refused'],
  suppressed: ['suppressed', 'suppressed'],
} as const
type State = keyof typeof STATES

async function insert(addressKey: string, state: State): Promise<string> {
  const [status, category] = STATES[state]
  const emailId = newId()
  const dueAt = status === 'delivery_delayed' ? new Date() : null
  await database.db.query(
    `insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready, due_at, attempts,
       expires_at, category, updated_at)
     values ($1, $2, 0, 'to', $3, $3, 'x.test', $4, false, $5, 1, $6, $7, $6)`,
    [teamId, emailId, addressKey, status, dueAt, new Date(), category],
  )
  return emailId
}

const applySoftBounce = (addressKey: string, emailId: string) =>
  database.db.transaction((tx) =>
    suppressBounced(
      tx,
      [{ teamId, emailId, addressKey, status: 'bounced', category: 'mailbox_full', suppress: false }],
      new Date(),
    ),
  )

async function reasonOf(addressKey: string): Promise<unknown> {
  const rows = await database.db.query('select reason from suppression where team_id = $1 and email = $2', [
    teamId,
    addressKey,
  ])
  return rows[0]?.reason ?? null
}

/**
 * Inserts emails to one address in order of acceptance, of which the last full one has just ended, and returns the
 * reason.
 */
async function reasonAfter(states: string, addressKey = `${newId()}@x.test`): Promise<unknown> {
  let lastFullId = ''
  for (const state of states.split(' ')) {
    const id = await insert(addressKey, state as State)
    if (state === 'full' || state === 'expired') lastFullId = id
  }
  await applySoftBounce(addressKey, lastFullId)
  return reasonOf(addressKey)
}

describe('suppressed: three full mailboxes in a row', () => {
  test.each([
    'full full full',
    'full expired full',
    'delivered full full full',
    'full policy full waiting suppressed full',
    'full full waiting full sent sent',
    'full full full full',
  ])('%s', async (states) => {
    expect(await reasonAfter(states)).toBe('bounce')
  })
})

describe('not suppressed', () => {
  test.each([
    'full',
    'full full',
    'full full delivered full',
    'full full sent full',
    'full full full delivered',
    'full waiting waiting waiting full',
    'full policy policy full',
  ])('%s', async (states) => {
    expect(await reasonAfter(states)).toBeNull()
  })
})

test('not suppressed: simulated addresses, and soft bounces spread over two addresses', async () => {
  expect(await reasonAfter('full full full', 'soft-bounced@simulator.test')).toBeNull()
  const [one, two] = ['one@x.test', 'two@x.test']
  expect([await reasonAfter('full full', one), await reasonAfter('full full', two)]).toEqual([null, null])
})

test('suppressed once: after its removal, an address starts a new row', async () => {
  const key = 'again@x.test'
  expect(await reasonAfter('full full full', key)).toBe('bounce')
  await database.db.query('delete from suppression where team_id = $1 and email = $2', [teamId, key])
  expect(await reasonAfter('full', key)).toBeNull()
  expect(await reasonAfter('full', key)).toBeNull()
  expect(await reasonAfter('full', key)).toBe('bounce')
})

test('suppressed if the second and third end at the same time, in overlapping transactions', async () => {
  const key = 'both@x.test'
  await insert(key, 'full')
  const ends = Array.from({ length: 2 }, () =>
    database.db.transaction(async (tx) => {
      const emailId = newId()
      await tx.query(
        `insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready, attempts,
           expires_at, category, updated_at)
         values ($1, $2, 0, 'to', $3, $3, 'x.test', 'bounced', false, 1, $4, 'mailbox_full', $4)`,
        [teamId, emailId, key, new Date()],
      )
      const ending = { teamId, emailId, addressKey: key, status: 'bounced', category: 'mailbox_full' }
      await suppressBounced(tx, [{ ...ending, suppress: false }], new Date())
    }),
  )
  await Promise.all(ends)
  expect(await reasonOf(key)).toBe('bounce')
})
