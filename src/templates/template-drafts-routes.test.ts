import { beforeAll, expect, test } from 'vitest'
import { shareSendwright } from '../../test/support/shared-sendwright.ts'
import { makeTemplateWorld, type TemplateWorld } from '../../test/support/templates.ts'

let world: TemplateWorld
beforeAll(async () => {
  world = await makeTemplateWorld(await shareSendwright('capture'))
})

const read = async (path: string) => (await world.team.get(path)).json
const send = async (id: string, more: object = {}) =>
  world.team.post('/emails', {
    to: 'delivered@simulator.test',
    template: { id, variables: { NAME: 'Ann' } },
    ...more,
  })
const subjectOf = async (reply: { json: { id: string } }) => (await read(`/emails/${reply.json.id}`)).subject

test('200 with a draft over a published template: emails use it only once it is published', async () => {
  const made = await world.given({ alias: 'live', text_content: 'T' })
  const path = `/templates/${made.id}`
  expect(made.has_unpublished_versions).toBe(false)
  const later = await send('live', { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
  const saved = await world.team.patch('/templates/live/draft', { subject: 'New {{NAME}}', text_content: '' })
  expect(saved.status, saved.text).toBe(200)
  expect(saved.json).toEqual({
    object: 'template_draft',
    template_id: made.id,
    revision: 1,
    base_version: 1,
    is_outdated: false,
    subject: 'New {{NAME}}',
    html_content: '<p>{{NAME}}</p>',
    text_content: '',
    reply_to: '',
    variables: [],
    warnings: [],
    sender: made.sender,
    updated_by: { type: 'key', id: world.team.keyId, name: expect.any(String) },
    created_at: expect.stringMatching(/^\d{4}-/),
    updated_at: expect.stringMatching(/^\d{4}-/),
  })
  expect(await read(`${path}/draft`)).toEqual(saved.json)
  expect(await read(path)).toEqual({ ...made, has_unpublished_versions: true })
  expect((await read('/templates?q=receipt')).data[0]).toMatchObject({ has_unpublished_versions: true })
  expect(await subjectOf(await send('live'))).toBe('Hi Ann')

  const published = await world.team.post('/templates/live/publish?revision=1')
  expect(published.status, published.text).toBe(200)
  expect(published.json).toMatchObject({
    subject: 'New {{NAME}}',
    text_content: '',
    status: 'published',
    version: 2,
    has_unpublished_versions: false,
  })
  expect((await world.team.get(`${path}/draft`)).status).toBe(404)
  expect(await subjectOf(await send('live'))).toBe('New Ann')
  expect(await subjectOf(later)).toBe('Hi Ann')
  expect((await read(`${path}/versions`)).data[0]).toMatchObject({ version: 2, subject: 'New {{NAME}}' })
})

test('200 when a draft is published over a template that is not, or discarded', async () => {
  const made = await world.given({ status: 'draft' })
  const path = `/templates/${made.id}`
  await world.team.put(`${path}/draft`, { html: '<b>x</b>', variables: [{ key: 'A' }] })
  expect((await world.team.delete(`${path}/draft`)).json).toEqual({
    object: 'template_draft',
    id: made.id,
    deleted: true,
  })
  expect((await world.team.delete(`${path}/draft`)).status).toBe(404)
  await world.team.put(`${path}/draft`, { html: '<b>x</b>', reply_to: 'a@b.test' })
  await world.team.put(`${path}/draft`, { variables: [{ key: 'A' }] })
  expect((await world.team.post(`${path}/publish`)).json).toMatchObject({
    status: 'published',
    html_content: '<b>x</b>',
    reply_to: 'a@b.test',
    variables: [{ key: 'A', type: 'string', fallback_value: null }],
    version: 2,
  })
})

test('409 when somebody else saved, published or discarded the draft, or changed the template', async () => {
  const { id } = await world.given()
  const path = `/templates/${id}`
  const save = (body: object) => world.team.put(`${path}/draft`, body)
  expect((await save({ subject: 'A', revision: 0 })).json.revision).toBe(1)
  expect((await save({ subject: 'B', revision: 0 })).json).toMatchObject({
    statusCode: 409,
    name: 'conflict',
  })
  expect((await save({ subject: 'B', revision: 1 })).json.revision).toBe(2)
  expect((await save({ subject: 'B', revision: 2 })).json.revision).toBe(2)
  expect((await world.team.post(`${path}/publish?revision=1`)).status).toBe(409)
  expect((await world.team.delete(`${path}/draft?revision=1`)).status).toBe(409)

  await world.team.patch(path, { subject: 'Live' })
  expect(await read(`${path}/draft`)).toMatchObject({ base_version: 1, is_outdated: true, subject: 'B' })
  expect((await world.team.post(`${path}/publish?revision=2`)).json.message).toMatch(/base_version/)
  expect((await save({ revision: 2, base_version: 2 })).json).toMatchObject({
    is_outdated: false,
    subject: 'B',
  })
  expect((await world.team.post(`${path}/publish?revision=3`)).json).toMatchObject({
    subject: 'B',
    version: 3,
  })
  expect((await world.team.post(`${path}/publish?revision=3`)).status).toBe(409)
})

test('200 for a program that updates and then publishes: the draft of somebody else does not undo its update', async () => {
  const { id } = await world.given()
  await world.team.put(`/templates/${id}/draft`, { subject: 'Mine' })
  expect((await world.team.patch(`/templates/${id}`, { subject: 'Theirs' })).json).toMatchObject({
    subject: 'Theirs',
    has_unpublished_versions: true,
  })
  expect((await world.team.post(`/templates/${id}/publish`)).json).toMatchObject({
    subject: 'Theirs',
    has_unpublished_versions: true,
  })
  expect(await read(`/templates/${id}/draft`)).toMatchObject({ subject: 'Mine' })
  // Publishing twice, or changing only the name, makes no draft outdated.
  const named = await world.given()
  await world.team.put(`/templates/${named.id}/draft`, { subject: 'Mine' })
  await world.team.patch(`/templates/${named.id}`, { name: 'Other', status: 'draft' })
  expect((await world.team.post(`/templates/${named.id}/publish`)).json).toMatchObject({ subject: 'Mine' })
})

test('422 for content that a template cannot have', async () => {
  const { id } = await world.given()
  const refused = async (body: object) => {
    const reply = await world.team.put(`/templates/${id}/draft`, body)
    expect(reply.status, reply.text).toBe(422)
    return Object.keys(reply.json.errors)
  }
  expect(await refused({ html_content: '' })).toEqual(['html_content', 'text_content'])
  expect(await refused({ subject: 'a\nb' })).toEqual(['subject'])
  expect(await refused({ reply_to: 'nobody' })).toEqual(['reply_to'])
  expect(await refused({ sender_id: id })).toEqual(['sender_id'])
  expect(await refused({ base_version: 2 })).toEqual(['base_version'])
  expect((await world.team.get(`/templates/${id}/draft`)).status).toBe(404)
})

test('200 with the sender of the template when that of the draft was deleted', async () => {
  const made = await world.given()
  const other = await world.givenSender()
  const path = `/templates/${made.id}`
  expect((await world.team.put(`${path}/draft`, { sender_id: other })).json.sender.id).toBe(other)
  expect((await world.team.delete(`/senders/${other}`)).status).toBe(200)
  expect((await read(`${path}/draft`)).sender).toEqual(made.sender)
  expect((await world.team.post(`${path}/publish?revision=1`)).json.sender).toEqual(made.sender)
})

test('200 when the preview renders the draft on request; a copy and a deletion take the template alone', async () => {
  const { id } = await world.given()
  await world.team.put(`/templates/${id}/draft`, { subject: 'Draft {{NAME}}' })
  const preview = async (more: object) =>
    (await world.team.post(`/templates/${id}/preview`, { variables: { NAME: 'Ann' }, ...more })).json
  expect((await preview({})).subject).toBe('Hi Ann')
  expect((await preview({ draft: true })).subject).toBe('Draft Ann')
  expect(await preview({ draft: true, html: '<i>x</i>' })).toMatchObject({
    subject: 'Draft Ann',
    html: '<i>x</i>',
  })
  expect((await world.team.post(`/templates/${id}/duplicate`)).json).toMatchObject({
    subject: 'Hi {{NAME}}',
    has_unpublished_versions: false,
  })
  expect((await world.team.delete(`/templates/${id}`)).status).toBe(200)
  expect((await world.team.get(`/templates/${id}/draft`)).status).toBe(404)
})

test('404 for the draft of another team', async () => {
  const { id } = await world.given()
  await world.team.put(`/templates/${id}/draft`, { subject: 'Mine' })
  const other = await world.service.givenSender()
  expect((await other.get(`/templates/${id}/draft`)).status).toBe(404)
  expect((await other.put(`/templates/${id}/draft`, { subject: 'Theirs' })).status).toBe(404)
  expect((await other.delete(`/templates/${id}/draft`)).status).toBe(404)
  expect(await read(`/templates/${id}/draft`)).toMatchObject({ subject: 'Mine', revision: 1 })
})
