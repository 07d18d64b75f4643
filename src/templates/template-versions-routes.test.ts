import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSendwright, type TestSendwright } from '../../test/support/sendwright.ts'
import { makeTemplateWorld, type TemplateWorld } from '../../test/support/templates.ts'

let service: TestSendwright
let world: TemplateWorld
beforeAll(async () => {
  // A test deletes the versions of all teams, so no other file shares this service.
  service = await startTestSendwright({ roles: ['api'], environment: { SENDWRIGHT_DELIVERY: 'capture' } })
  world = await makeTemplateWorld(service)
})
afterAll(() => service?.stop())

const read = async (path: string) => (await world.team.get(path)).json
const numbersOf = ({ data }: { data: { version: number }[] }) => data.map(({ version }) => version)

test('200 with a version for each change that affects rendering, and none for others', async () => {
  const made = await world.given({ alias: 'kept', variables: [{ key: 'NAME', fallback_value: 'you' }] })
  const change = (fields: object) => world.team.patch(`/templates/${made.id}`, fields)
  await change({ name: 'Other', status: 'draft', alias: 'kept-2' })
  await change({ subject: 'Hello {{NAME}}' })
  await change({ reply_to: 'help@acme.test' })
  const sender = await world.givenSender()
  await change({ sender_id: sender })
  await change({ sender_id: sender, html_content: null, text_content: 'Hi {{NAME}}', variables: [] })
  const list = await read('/templates/kept-2/versions')
  expect(numbersOf(list)).toEqual([5, 4, 3, 2, 1])
  expect(list.meta.total).toBe(5)
  expect(list.data[0]).toEqual({
    object: 'template_version',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    template_id: made.id,
    version: 5,
    is_current: true,
    subject: 'Hello {{NAME}}',
    created_by: { type: 'key', id: world.team.keyId, name: expect.any(String) },
    created_at: expect.stringMatching(/^\d{4}-/),
  })
  expect(await read(`/templates/${made.id}/versions/1`)).toEqual({
    ...list.data[4],
    html_content: '<p>{{NAME}}</p>',
    text_content: '',
    reply_to: '',
    variables: [{ key: 'NAME', type: 'string', fallback_value: 'you' }],
    sender: made.sender,
  })
  expect(await read('/templates/kept-2/versions/5')).toMatchObject({
    html_content: '',
    text_content: 'Hi {{NAME}}',
    reply_to: 'help@acme.test',
    variables: [],
    sender: { id: sender },
  })
  const page = await read(`/templates/${made.id}/versions?limit=2&after=${list.data[1].id}`)
  expect([numbersOf(page), page.has_more]).toEqual([[3, 2], true])
})

test('200 when an old version is restored as a new one; the status does not change', async () => {
  const made = await world.given({ text_content: 'T', reply_to: 'a@b.test', status: 'draft' })
  const other = await world.givenSender()
  await world.team.put(`/templates/${made.id}`, {
    subject: 'B',
    text_content: null,
    reply_to: '',
    sender_id: other,
  })
  await world.team.post(`/templates/${made.id}/publish`)
  const restored = await world.team.post(`/templates/${made.id}/versions/1/restore`)
  expect(restored.status, restored.text).toBe(200)
  const { status: _, published_at: __, updated_at: ___, version: ____, ...content } = made
  expect(restored.json).toMatchObject({ ...content, status: 'published', version: 3 })
  expect(await read(`/templates/${made.id}/versions/3`)).toMatchObject({
    is_current: true,
    text_content: 'T',
  })
  const again = await world.team.post(`/templates/${made.id}/versions/1/restore`)
  expect([again.status, again.json.version]).toEqual([200, 3])
})

test('200 when a version whose sender was deleted is restored with the current sender', async () => {
  const made = await world.given()
  const gone = await world.givenSender()
  await world.team.put(`/templates/${made.id}`, { sender_id: gone, subject: 'B' })
  await world.team.put(`/templates/${made.id}`, { sender_id: world.senderId, subject: 'C' })
  expect((await world.team.delete(`/senders/${gone}`)).status).toBe(200)
  expect((await read(`/templates/${made.id}/versions/2`)).sender).toBeNull()
  const { json } = await world.team.post(`/templates/${made.id}/versions/2/restore`)
  expect(json).toMatchObject({ subject: 'B', sender: { id: world.senderId }, version: 4 })
})

test('200 with the newest 100 versions; older ones are deleted', async () => {
  const { id } = await world.given()
  for (let n = 2; n <= 103; n++) await world.team.put(`/templates/${id}`, { subject: `S${n}` })
  const { meta } = await read(`/templates/${id}/versions?limit=1`)
  expect(meta.total).toBe(100)
  expect((await world.team.get(`/templates/${id}/versions/3`)).status).toBe(404)
  expect((await read(`/templates/${id}/versions/4`)).subject).toBe('S4')
})

test('200 with the state before the first change when no version was stored', async () => {
  const { id } = await world.given()
  await world.service.db.query('delete from template_version where team_id = $1 and template_id = $2', [
    world.team.id,
    id,
  ])
  await world.team.put(`/templates/${id}`, { subject: 'New' })
  const { data } = await read(`/templates/${id}/versions`)
  expect(data).toMatchObject([
    { version: 2, subject: 'New' },
    { version: 1, subject: 'Hi {{NAME}}', created_by: null },
  ])
})

test('404 for invalid numbers, unknown versions and deleted templates', async () => {
  const { id } = await world.given()
  for (const version of ['0', '2', '-1', 'x', '01', '99999999999']) {
    expect((await world.team.get(`/templates/${id}/versions/${version}`)).status, version).toBe(404)
    expect((await world.team.post(`/templates/${id}/versions/${version}/restore`)).status).toBe(404)
  }
  await world.team.delete(`/templates/${id}`)
  expect((await world.team.get(`/templates/${id}/versions`)).status).toBe(404)
  const left = await world.service.db.query('select 1 from template_version where template_id = $1', [id])
  expect(left).toEqual([])
})

test('200 with the current content of a template that predates the table of versions', async () => {
  const made = await world.given({ reply_to: 'a@b.test', variables: [{ key: 'NAME' }] })
  await world.team.put(`/templates/${made.id}`, { subject: 'Now' })
  await world.service.db.query('delete from template_version')
  const file = join(import.meta.dirname, '../db/migrations/0018-template-versions.sql')
  const migration = readFileSync(file, 'utf8')
  await world.service.db.query(migration.slice(migration.indexOf('insert into')))
  const [only] = (await read(`/templates/${made.id}/versions`)).data
  expect(only).toMatchObject({ version: 2, subject: 'Now', created_by: null, is_current: true })
  await world.team.put(`/templates/${made.id}`, { subject: 'Later' })
  expect(numbersOf(await read(`/templates/${made.id}/versions`))).toEqual([3, 2])
  expect((await world.team.post(`/templates/${made.id}/versions/2/restore`)).json).toMatchObject({
    subject: 'Now',
    reply_to: 'a@b.test',
    variables: made.variables,
  })
})
