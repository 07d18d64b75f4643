import { beforeAll, describe, expect, test } from 'vitest'
import type { Sender } from '../../test/support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../../test/support/shared-sendwright.ts'
import { newId } from '../lib/ids.ts'

let service: SharedSendwright
let team: Sender
let senderId: string
beforeAll(async () => {
  service = await shareSendwright('capture')
  team = await service.givenSender()
  const sender = { name: 'Shop', username: 'shop', domain_id: team.domainId }
  senderId = (await team.post('/senders', sender)).json.id
})

async function givenFolder(name = 'Receipts'): Promise<string> {
  const reply = await team.post('/template-folders', { name })
  expect(reply.status, reply.text).toBe(201)
  return reply.json.id
}

const template = (folderId: string | null, name = 'Receipt') => ({
  name,
  sender_id: senderId,
  folder_id: folderId,
  subject: 'Hi',
  text_content: 'Hi',
})

async function givenTemplate(folderId: string | null): Promise<string> {
  const reply = await team.post('/templates', template(folderId))
  expect(reply.status, reply.text).toBe(201)
  return reply.json.id
}

const folderOf = async (id: string) => (await team.get(`/templates/${id}`)).json.folder_id

test('201 on create, then 200 on read with the id in either case', async () => {
  const made = await team.post('/template-folders', { name: 'Receipts', id: newId(), team_id: newId() })
  expect(made.status).toBe(201)
  expect(made.json).toEqual({
    object: 'template_folder',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Receipts',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    updated_at: made.json.created_at,
  })
  for (const id of [made.json.id, made.json.id.toUpperCase()]) {
    expect((await team.get(`/template-folders/${id}`)).json).toEqual(made.json)
  }
})

test('200 on rename by PUT and by PATCH; nothing changes without a name', async () => {
  const id = await givenFolder()
  expect((await team.put(`/template-folders/${id}`, { name: 'A' })).json.name).toBe('A')
  expect((await team.patch(`/template-folders/${id}`, { name: 'B' })).json.name).toBe('B')
  expect((await team.put(`/template-folders/${id}`, {})).json.name).toBe('B')
})

test.each([
  [{}, 'The name field is required.'],
  [{ name: '' }, 'The name field is required.'],
  [{ name: null }, 'The name field is required.'],
  [{ name: 1 }, 'The name field must be a string.'],
  [{ name: '😀'.repeat(256) }, 'The name field must not be greater than 255 characters.'],
  [{ name: 'a\u0000' }, 'The name field must not contain the character U+0000.'],
])('422 for %j', async (body, message) => {
  const reply = await team.post('/template-folders', body)
  expect(reply.status).toBe(422)
  expect(reply.json).toMatchObject({ message, errors: { name: [message] } })
})

test('201 for 255 characters outside the Basic Multilingual Plane', async () => {
  const name = '😀'.repeat(255)
  expect((await team.post('/template-folders', { name })).json.name).toBe(name)
})

test('200 in pages, newest first, with a total that counts deletions', async () => {
  const fresh = await service.givenTeam()
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) ids.unshift((await fresh.post('/template-folders', { name })).json.id)
  await fresh.delete(`/template-folders/${ids[1]}`)
  const { json } = await fresh.get('/template-folders')
  expect(json.data.map((folder: { id: string }) => folder.id)).toEqual([ids[0], ids[2]])
  expect(json.meta).toMatchObject({ total: 2, path: 'https://api.test/template-folders' })
})

describe('DELETE /template-folders/{id}', () => {
  test('200; its templates remain in no folder, and those of other folders do not move', async () => {
    const [gone, other] = [await givenFolder(), await givenFolder()]
    const [inside, inside2, elsewhere] = [
      await givenTemplate(gone),
      await givenTemplate(gone),
      await givenTemplate(other),
    ]
    expect(await folderOf(inside)).toBe(gone)
    const reply = await team.delete(`/template-folders/${gone}`)
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ object: 'template_folder', id: gone, deleted: true })
    expect(await Promise.all([inside, inside2, elsewhere].map(folderOf))).toEqual([null, null, other])
    expect((await team.get(`/templates?folder_id=${gone}`)).json).toMatchObject({
      data: [],
      meta: { total: 0 },
    })
    expect((await team.get(`/templates?folder_id=${other}`)).json.data[0].id).toBe(elsewhere)
    for (const verb of ['get', 'delete'] as const) {
      expect((await team[verb](`/template-folders/${gone}`)).status).toBe(404)
    }
    // A change of another field does not bring the folder back.
    expect((await team.put(`/templates/${inside}`, { name: 'New' })).json.folder_id).toBeNull()
  })

  test('422 for the template, or a template in no folder, when both requests are concurrent', async () => {
    for (let round = 0; round < 10; round++) {
      const folder = await givenFolder()
      const [gone, ...made] = await Promise.all([
        team.delete(`/template-folders/${folder}`),
        ...Array.from({ length: 5 }, () => team.post('/templates', template(folder))),
      ])
      expect(gone.status).toBe(200)
      for (const reply of made) {
        if (reply.status === 201) expect(await folderOf(reply.json.id)).toBeNull()
        else expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ['folder_id']])
      }
    }
  })

  test('200 without delay for a folder of 20,000 templates', async () => {
    const folder = await givenFolder()
    await service.db.query(
      `insert into template (team_id, id, folder_id, sender_id, name, subject, text_content, status, variables, version,
         created_at, updated_at)
       select $1, gen_random_uuid(), $2, $3, 'n', 's', 't', 'draft', '[]', 1, now(), now()
       from generate_series(1, 20000)`,
      [team.id, folder, senderId],
    )
    expect((await team.delete(`/template-folders/${folder}`)).status).toBe(200)
    const { json } = await team.get('/templates?status=draft&per_page=100')
    expect(new Set(json.data.map((one: { folder_id: null }) => one.folder_id))).toEqual(new Set([null]))
    expect(json.meta.total).toBe(10_000)
    expect((await team.get(`/templates?folder_id=${folder}`)).json.data).toEqual([])
    await service.db.query("delete from template where team_id = $1 and status = 'draft'", [team.id])
  })
})

test("404 with the same bytes for another team's folder, which remains", async () => {
  const other = await service.givenTeam()
  const id = (await other.post('/template-folders', { name: 'Theirs' })).json.id
  for (const path of [id, newId(), 'x', '%00']) {
    for (const request of [
      () => team.get(`/template-folders/${path}`),
      () => team.put(`/template-folders/${path}`, { name: 'Mine' }),
      () => team.delete(`/template-folders/${path}`),
    ]) {
      expect((await request()).text).toBe('{"statusCode":404,"name":"not_found","message":"Not found."}')
    }
  }
  expect((await other.get(`/template-folders/${id}`)).json.name).toBe('Theirs')
  const message = 'The folder_id field must be the id of a template folder of this account.'
  for (const folderId of [id, newId()]) {
    const reply = await team.post('/templates', template(folderId))
    expect([reply.status, reply.json.errors]).toEqual([422, { folder_id: [message] }])
  }
})
