import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { newId } from '../../lib/ids.ts'
import { contactRoutes } from '../contacts/contacts-routes.ts'
import { listContactsRoutes } from '../contacts/selected-contacts-routes.ts'
import { sweepTombstones } from '../contacts/sweep-tombstones-queries.ts'
import { upsertContacts } from '../contacts/upsert-contacts.ts'
import { holdLists } from './lists-queries.ts'
import { listRoutes } from './lists-routes.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const NOT_FOUND = '{"statusCode":404,"name":"not_found","message":"Not found."}'

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: [...listRoutes, ...listContactsRoutes, ...contactRoutes] })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

let counter = 0
const addList = async (owner = team, name = 'News'): Promise<string> =>
  (await owner.post('/lists', { name })).json.id
const addContact = async (listIds: string[] = [], owner = team): Promise<string> =>
  (await owner.post('/contacts', { email: `member${++counter}@x.test`, list_ids: listIds })).json.id
const listsOf = async (contactId: string, owner = team): Promise<string[]> =>
  (await owner.get(`/contacts/${contactId}`)).json.lists.map((list: { id: string }) => list.id)

/** Returns the count of a list after checking that the counter, the list's record and its members agree. */
async function countOf(listId: string, owner = team): Promise<number> {
  const page = (await owner.get(`/lists/${listId}/contacts?per_page=100`)).json
  const list = (await owner.get(`/lists/${listId}`)).json
  expect(page.data).toHaveLength(page.meta.total)
  expect(list.contact_count).toBe(page.meta.total)
  return page.meta.total
}

test('201, then read, renamed by PUT and PATCH, listed and deleted', async () => {
  const fresh = await api.givenTeam()
  const created = await fresh.post('/lists', { name: 'News' })
  expect(created.status).toBe(201)
  expect(created.json).toEqual({
    object: 'list',
    id: expect.any(String),
    name: 'News',
    contact_count: 0,
    created_at: TIME,
    updated_at: TIME,
  })
  const path = `/lists/${created.json.id}`
  expect((await fresh.get(path)).text).toBe(created.text)
  expect((await fresh.put(path, { name: 'Weekly' })).json).toMatchObject({ name: 'Weekly' })
  expect((await fresh.patch(path.toUpperCase().replace('LISTS', 'lists'), {})).json).toMatchObject({
    name: 'Weekly',
  })
  const second = await addList(fresh, 'Weekly')
  const list = (await fresh.get('/lists')).json
  expect(list).toMatchObject({ object: 'list', meta: { total: 2 } })
  expect(list.data.map((item: { id: string }) => item.id)).toEqual([second, created.json.id])
  const deleted = await fresh.delete(path)
  expect(deleted.status).toBe(200)
  expect(deleted.json).toEqual({ object: 'list', id: created.json.id, deleted: true })
  for (const reply of [
    await fresh.get(path),
    await fresh.put(path, { name: 'X' }),
    await fresh.delete(path),
    await fresh.get(`${path}/contacts`),
  ]) {
    expect(reply.text).toBe(NOT_FOUND)
  }
  expect((await fresh.get('/lists')).json.meta.total).toBe(1)
})

test.each([
  [{}, 'The name field is required.'],
  [{ name: null }, 'The name field is required.'],
  [{ name: '' }, 'The name field is required.'],
  [{ name: 1 }, 'The name field must be a string.'],
  [{ name: 'x'.repeat(256) }, 'The name field must not be greater than 255 characters.'],
])('422 for %j', async (body, message) => {
  const reply = await team.post('/lists', body)
  expect(reply.status).toBe(422)
  expect(reply.json).toMatchObject({ message, errors: { name: [message] } })
})

describe('memberships', () => {
  test('200 replaced by list_ids in an upsert and an update; a repeated id counts once', async () => {
    const [a, b, c] = [await addList(), await addList(), await addList()]
    const email = `replace${++counter}@x.test`
    const { id } = (await team.post('/contacts', { email, list_ids: [a, b, a.toUpperCase()] })).json
    expect(await listsOf(id)).toEqual([b, a])
    await team.post('/contacts', { email, list_ids: [b, c] })
    expect(await listsOf(id)).toEqual([c, b])
    await team.post('/contacts', { email, first_name: 'A' })
    expect(await listsOf(id)).toEqual([c, b])
    await team.put(`/contacts/${id}`, { list_ids: [a] })
    expect(await listsOf(id)).toEqual([a])
    expect([await countOf(a), await countOf(b), await countOf(c)]).toEqual([1, 0, 0])
    await team.patch(`/contacts/${email}`, { list_ids: [] })
    expect(await listsOf(id)).toEqual([])
    expect(await countOf(a)).toBe(0)
  })

  test('200 added by POST /contacts/{id}/lists; existing memberships stay', async () => {
    const [a, b] = [await addList(), await addList()]
    const id = await addContact([a])
    const reply = await team.post(`/contacts/${id}/lists`, { list_ids: [b, a] })
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ object: 'contact', id, lists: [{ id: b }, { id: a }] })
    expect([await countOf(a), await countOf(b)]).toEqual([1, 1])
    const listed = (await team.get(`/contacts/${id}/lists?per_page=1`)).json
    expect(listed).toMatchObject({
      object: 'list',
      data: [{ object: 'list', id: b, contact_count: 1 }],
      has_more: true,
      meta: { total: 2, path: `https://api.test/contacts/${id}/lists` },
    })
    expect((await team.get(`/contacts/${id}/lists?limit=1&after=${b}`)).json.data).toMatchObject([{ id: a }])
  })

  test.each([
    [{}, 'list_ids', 'The list_ids field is required.'],
    [{ list_ids: 'x' }, 'list_ids', 'The list_ids field must be an array.'],
    [{ list_ids: [5] }, 'list_ids.0', 'The list_ids.0 field must be a string.'],
    [{ list_ids: [newId()] }, 'list_ids.0', 'The list_ids.0 field must be the id of a list of this account.'],
  ])('422 when %j is added', async (body, field, message) => {
    const id = await addContact()
    const reply = await team.post(`/contacts/${id}/lists`, body)
    expect(reply.status).toBe(422)
    expect(reply.json.errors).toEqual({ [field]: [message] })
  })

  test('200 when removed from a list, even twice; the contact stays', async () => {
    const [a, b] = [await addList(), await addList()]
    const id = await addContact([a, b])
    const path = `/contacts/${id}/lists/${a}`
    const reply = await team.delete(path)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ object: 'contact_list', id: a, contact: id, deleted: true })
    expect(await listsOf(id)).toEqual([b])
    expect([await countOf(a), await countOf(b)]).toEqual([0, 1])
    const again = await team.delete(path)
    expect([again.status, again.json]).toEqual([200, reply.json])
    expect(await countOf(a)).toBe(0)
    for (const none of [
      `/contacts/${newId()}/lists/${b}`,
      `/contacts/${id}/lists/${newId()}`,
      `/contacts/${id}/lists/x`,
    ]) {
      expect((await team.delete(none)).text).toBe(NOT_FOUND)
    }
    const { email } = (await team.get(`/contacts/${id}`)).json
    expect((await team.delete(`/contacts/${email.toUpperCase()}/lists/${b.toUpperCase()}`)).status).toBe(200)
  })

  test('counters are exact after parallel changes', async () => {
    const fresh = await api.givenTeam()
    const lists = [await addList(fresh), await addList(fresh), await addList(fresh)]
    const contacts = [await addContact([], fresh), await addContact([], fresh), await addContact([], fresh)]
    const replies = await Promise.all(
      Array.from({ length: 90 }, (_, index) => {
        const list = lists[index % 3] as string
        const contact = contacts[Math.floor(index / 3) % 3] as string
        if (index % 4 === 0) return fresh.delete(`/contacts/${contact}/lists/${list}`)
        if (index % 4 === 1) return fresh.put(`/contacts/${contact}`, { list_ids: [list] })
        if (index % 4 === 2) return fresh.post(`/contacts/${contact}/lists`, { list_ids: lists })
        return fresh.put(`/contacts/${contact}`, { list_ids: [...lists].reverse() })
      }),
    )
    for (const { status } of replies) expect([200, 404]).toContain(status)
    const counts = await Promise.all(lists.map((id) => countOf(id, fresh)))
    const shown = (await Promise.all(contacts.map((id) => listsOf(id, fresh)))).flat()
    expect(counts).toEqual(lists.map((id) => shown.filter((each) => each === id).length))
  })
})

describe('a deleted list', () => {
  test('is removed from its contacts at once, and its memberships are deleted by the sweep', async () => {
    const fresh = await api.givenTeam()
    const [gone, kept] = [await addList(fresh), await addList(fresh)]
    const ids = []
    for (let index = 0; index < 5; index++) ids.push(await addContact([gone, kept], fresh))
    expect((await fresh.delete(`/lists/${gone}`)).status).toBe(200)
    expect(await listsOf(ids[0] as string, fresh)).toEqual([kept])
    expect((await fresh.get(`/contacts/${ids[0]}/lists`)).json.meta.total).toBe(1)
    expect((await fresh.get(`/contacts?list_id=${gone}`)).json.data).toEqual([])
    expect((await fresh.post(`/contacts/${ids[0]}/lists`, { list_ids: [gone] })).status).toBe(422)
    expect((await fresh.delete(`/contacts/${ids[0]}/lists/${gone}`)).status).toBe(404)
    // A contact that changes or is deleted before the sweep no longer belongs to the list.
    await fresh.put(`/contacts/${ids[1]}`, { list_ids: [] })
    await fresh.delete(`/contacts/${ids[2]}`)

    while (await sweepTombstones(api.db, 2));
    expect(await api.db.query('select 1 from list_member where list_id = $1', [gone])).toEqual([])
    expect(await api.db.query('select 1 from counter where name = $1', [`list_contacts:${gone}`])).toEqual([])
    expect(await countOf(kept, fresh)).toBe(3)
  })

  test('leaves no memberships behind that were added during the deletion', async () => {
    const fresh = await api.givenTeam()
    const listId = await addList(fresh)
    const [deleted, ...replies] = await Promise.all([
      fresh.delete(`/lists/${listId}`),
      ...Array.from({ length: 20 }, (_, index) =>
        fresh.post('/contacts', { email: `d${index}@x.test`, list_ids: [listId] }),
      ),
    ])
    expect(deleted.status).toBe(200)
    for (const { status } of replies) expect([201, 422]).toContain(status)
    while (await sweepTombstones(api.db, 100));
    expect(await api.db.query('select 1 from list_member where list_id = $1', [listId])).toEqual([])
    expect(await api.db.query('select 1 from counter where name = $1', [`list_contacts:${listId}`])).toEqual(
      [],
    )
    expect(await api.db.query('select 1 from leftover')).toEqual([])
  })

  test('waits for transactions that add a contact, so that the sweep deletes those memberships too', async () => {
    const fresh = await api.givenTeam()
    const listId = await addList(fresh)
    let isDeleted = false
    const isWaiting = async () =>
      (
        await api.db.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length > 0
    const deleting = await api.db.transaction(async (tx) => {
      await holdLists(tx, fresh.id, [listId])
      const reply = fresh.delete(`/lists/${listId}`).finally(() => {
        isDeleted = true
      })
      await expect.poll(async () => isDeleted || (await isWaiting())).toBe(true)
      while (await sweepTombstones(api.db, 100));
      const lists = { ids: [listId], mode: 'add' as const }
      await upsertContacts(tx, fresh.id, [{ email: 'late@x.test', lists }], new Date())
      return { reply }
    })
    expect((await deleting.reply).status).toBe(200)
    while (await sweepTombstones(api.db, 100));
    expect(await api.db.query('select 1 from list_member where list_id = $1', [listId])).toEqual([])
  })

  test.each(['scheduled', 'sending'])('409 while a campaign is %s; 200 for any other', async (status) => {
    const listId = await addList()
    const id = newId()
    await api.db.query(
      `with c as (
         insert into campaign (team_id, id, name, status, scheduled_at, created_at, updated_at)
         values ($1, $2, 'c', $4, now(), now(), now())
       )
       insert into campaign_audience (team_id, campaign_id, is_excluded, kind, used_id, position)
       values ($1, $2, false, 'list', $3, 0)`,
      [team.id, id, listId, status],
    )
    const reply = await team.delete(`/lists/${listId}`)
    expect(reply.status).toBe(409)
    expect(reply.json).toEqual({
      statusCode: 409,
      name: 'conflict',
      message: 'This list is used by active campaigns and cannot be deleted.',
    })
    await api.db.query(`update campaign set status = 'sent' where team_id = $1 and id = $2`, [team.id, id])
    expect((await team.delete(`/lists/${listId}`)).status).toBe(200)
  })

  test('409 while an automation that names it is active', async () => {
    const listId = await addList()
    const id = newId()
    await api.db.query(
      `insert into automation (team_id, id, name, status, graph, settings, created_at, updated_at)
       values ($1, $2, 'a', 'active', '{}', '{}', now(), now())`,
      [team.id, id],
    )
    await api.db.query(
      `insert into automation_use (team_id, kind, used_id, automation_id) values ($1, 'list', $2, $3)`,
      [team.id, listId, id],
    )
    const reply = await team.delete(`/lists/${listId}`)
    expect(reply.status).toBe(409)
    expect(reply.json.message).toBe('This list is used by active automations and cannot be deleted.')
    await api.db.query(`update automation set status = 'paused' where team_id = $1 and id = $2`, [
      team.id,
      id,
    ])
    expect((await team.delete(`/lists/${listId}`)).status).toBe(200)
  })
})

test('404, byte for byte the same, for another team’s list and an unknown one; it stays', async () => {
  const other = await api.givenTeam()
  const listId = await addList(other)
  await addContact([listId], other)
  const before = (await other.get(`/lists/${listId}`)).text
  const mine = await addContact()
  for (const id of [listId, newId(), 'no-id']) {
    expect((await team.get(`/lists/${id}`)).text).toBe(NOT_FOUND)
    expect((await team.put(`/lists/${id}`, { name: 'X' })).text).toBe(NOT_FOUND)
    expect((await team.patch(`/lists/${id}`, { name: 'X' })).text).toBe(NOT_FOUND)
    expect((await team.delete(`/lists/${id}`)).text).toBe(NOT_FOUND)
    expect((await team.get(`/lists/${id}/contacts`)).text).toBe(NOT_FOUND)
    expect((await team.delete(`/contacts/${mine}/lists/${id}`)).text).toBe(NOT_FOUND)
  }
  const [foreign, none] = [
    await team.get(`/contacts?list_id=${listId}`),
    await team.get(`/contacts?list_id=${newId()}`),
  ]
  expect(foreign.json.data).toEqual([])
  const withoutId = (text: string) => text.replaceAll(/list_id=[-0-9a-f]+/g, 'list_id=')
  expect(withoutId(foreign.text)).toBe(withoutId(none.text))
  expect((await other.get(`/lists/${listId}`)).text).toBe(before)
})

test('403 for a sending key', async () => {
  const key = await team.givenKey({ permission: 'send' })
  expect((await key.get('/lists')).status).toBe(403)
  expect((await key.post('/lists', { name: 'x' })).status).toBe(403)
})

test('200 with all lists of a single contact, and the newest 100 in a page of contacts', async () => {
  const fresh = await api.givenTeam()
  const listIds: string[] = []
  for (let no = 0; no < 101; no++) listIds.push(await addList(fresh))
  const id = await addContact(listIds, fresh)
  expect(await listsOf(id, fresh)).toEqual(listIds.toReversed())
  const [shown] = (await fresh.get('/contacts')).json.data
  expect(shown.lists.map((list: { id: string }) => list.id)).toEqual(listIds.toReversed().slice(0, 100))
})
