import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { readCounter } from '../../db/counters.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { addList } from '../lists/lists.ts'
import { addProperty } from '../properties/properties.ts'
import { CONTACT_COUNTER, findContact } from './contacts-queries.ts'
import { type ContactInput, upsertContacts } from './upsert-contacts.ts'

const now = new Date()

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const upsert = (teamId: string, inputs: ContactInput[]) =>
  database.db.transaction((tx) => upsertContacts(tx, teamId, inputs, now))

async function givenTeam() {
  const teamId = randomUUID()
  return database.db.transaction(async (tx) => ({
    teamId,
    plan: await addProperty(tx, teamId, { key: 'plan', type: 'string', fallbackValue: null }, now),
    seats: await addProperty(tx, teamId, { key: 'seats', type: 'number', fallbackValue: null }, now),
    news: await addList(tx, teamId, 'News', now),
    offers: await addList(tx, teamId, 'Offers', now),
  }))
}

test('created and updated contacts are distinguished, in the order of the inputs', async () => {
  const { teamId } = await givenTeam()
  const [z] = await upsert(teamId, [{ email: 'z@x.test', firstName: 'Z' }])
  const outcomes = await upsert(teamId, [
    { email: 'z@x.test', lastName: 'Last' },
    { email: 'b@x.test' },
    { email: 'a@x.test', unsubscribed: true },
  ])
  expect(outcomes.map(({ isNew }) => isNew)).toEqual([false, true, true])
  expect(outcomes[0]?.id).toBe(z?.id)
  expect(await findContact(database.db, teamId, outcomes[0]?.id ?? '')).toMatchObject({
    email: 'z@x.test',
    firstName: 'Z',
    lastName: 'Last',
  })
  expect(await findContact(database.db, teamId, outcomes[2]?.id ?? '')).toMatchObject({
    email: 'a@x.test',
    unsubscribed: true,
  })
  expect(await readCounter(database.db, teamId, CONTACT_COUNTER)).toBe(3)
})

test('the event of a new contact has what is stored', async () => {
  const { teamId } = await givenTeam()
  const outcomes = await upsert(teamId, [
    { email: 'a@x.test' },
    { email: 'b@x.test', firstName: 'Bo', lastName: 'Berg', unsubscribed: true },
    { email: 'c@x.test', firstName: null, lastName: 'Cole' },
    { email: 'a@x.test', firstName: 'Ann' },
  ])
  const events = await database.db.query<{ subjectId: string; data: unknown }>(
    `select subject_id, data from event where team_id = $1 and type = 'contact.created'`,
    [teamId],
  )
  const dataOf = new Map(events.map(({ subjectId, data }) => [subjectId, data]))
  expect([events.length, dataOf.size]).toEqual([3, 3])
  for (const { id } of outcomes) {
    const contact = await findContact(database.db, teamId, id)
    expect(dataOf.get(id)).toEqual({
      id,
      email: contact?.email,
      first_name: contact?.firstName,
      last_name: contact?.lastName,
      unsubscribed: contact?.unsubscribed,
      created_at: formatTime(contact?.createdAt ?? now),
      updated_at: formatTime(contact?.updatedAt ?? now),
    })
  }
})

test('an address given twice counts as two consecutive requests', async () => {
  const { teamId, plan, seats, news, offers } = await givenTeam()
  const [first, second] = await upsert(teamId, [
    {
      email: 'a@x.test',
      firstName: 'One',
      userId: 'u',
      values: [
        { propertyId: plan.id, value: 'free' },
        { propertyId: seats.id, value: 1 },
      ],
      lists: { ids: [news.id], mode: 'replace' },
    },
    {
      email: 'a@x.test',
      firstName: undefined,
      userId: null,
      values: [{ propertyId: plan.id, value: 'pro' }],
      lists: { ids: [offers.id], mode: 'add' },
    },
  ])
  expect(first).toEqual({ id: second?.id, isNew: true })
  expect(second?.isNew).toBe(false)
  expect(await findContact(database.db, teamId, first?.id ?? '')).toMatchObject({
    firstName: 'One',
    userId: null,
    properties: [{ value: 'pro' }, { value: 1 }],
    lists: [{ id: offers.id }, { id: news.id }],
  })
})

test('lists are added or replaced for each contact separately, and counted', async () => {
  const { teamId, news, offers } = await givenTeam()
  const emails = ['a@x.test', 'b@x.test', 'c@x.test']
  await upsert(
    teamId,
    emails.map((email) => ({ email, lists: { ids: [news.id], mode: 'add' } })),
  )
  await upsert(teamId, [
    { email: 'a@x.test', lists: { ids: [offers.id], mode: 'add' } },
    { email: 'b@x.test', lists: { ids: [offers.id], mode: 'replace' } },
    { email: 'c@x.test' },
  ])
  const count = (listId: string) => readCounter(database.db, teamId, `list_contacts:${listId}`)
  expect([await count(news.id), await count(offers.id)]).toEqual([2, 2])
})

test('parallel batches over the same addresses in any order end with one contact per address', async () => {
  const { teamId, news, plan } = await givenTeam()
  const batches = Array.from({ length: 12 }, (_, batch) =>
    Array.from({ length: 300 }, (_, index): ContactInput => {
      const number = batch % 2 === 0 ? index : 299 - index
      return {
        email: `c${(number * 7 + batch * 20) % 400}@x.test`,
        values: [{ propertyId: plan.id, value: `b${batch}` }],
        lists: { ids: [news.id], mode: batch % 3 === 0 ? 'replace' : 'add' },
      }
    }),
  )
  const outcomes = (await Promise.all(batches.map((batch) => upsert(teamId, batch)))).flat()
  const created = outcomes.filter(({ isNew }) => isNew)
  expect(new Set(outcomes.map(({ id }) => id)).size).toBe(created.length)
  expect(await readCounter(database.db, teamId, CONTACT_COUNTER)).toBe(created.length)
  expect(await readCounter(database.db, teamId, `list_contacts:${news.id}`)).toBe(created.length)
  const rows = await database.db.query('select distinct email from contact where team_id = $1', [teamId])
  expect(rows).toHaveLength(created.length)
})

test('422 if the text values of one contact exceed the limit, however they were added', async () => {
  const { teamId } = await givenTeam()
  const propertyIds = await database.db.transaction(async (tx) => {
    const ids: string[] = []
    for (let no = 0; no < 120; no++) {
      ids.push(
        (await addProperty(tx, teamId, { key: `p${no}`, type: 'string', fallbackValue: null }, now)).id,
      )
    }
    return ids
  })
  const values = (from: number, to: number, value: string | null) =>
    propertyIds.slice(from, to).map((propertyId) => ({ propertyId, value }))
  const write = (email: string, from: number, to: number, value: string | null) =>
    upsert(teamId, [{ email, values: values(from, to, value) }])
  await write('a@x.test', 0, 100, 'x'.repeat(1000))
  await write('b@x.test', 0, 120, 'x'.repeat(100))
  const apiError = {
    status: 422,
    message: 'The properties of a contact must not be greater than 100000 bytes together.',
  }
  await expect(write('a@x.test', 100, 101, 'y')).rejects.toMatchObject(apiError)
  await expect(write('c@x.test', 0, 26, '😀'.repeat(1000))).rejects.toMatchObject(apiError)
  await write('a@x.test', 0, 1, null)
  await write('a@x.test', 100, 101, 'y')
})
