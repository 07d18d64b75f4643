import { beforeAll, describe, expect, test } from 'vitest'
import { shareSendwright } from '../../test/support/shared-sendwright.ts'
import { makeTemplateWorld, type TemplateWorld } from '../../test/support/templates.ts'
import { newId } from '../lib/ids.ts'

let world: TemplateWorld
beforeAll(async () => {
  world = await makeTemplateWorld(await shareSendwright('capture'))
})

describe('GET /templates', () => {
  test('200 in pages without content, filtered by folder, status and the start of the name', async () => {
    const owner = await world.service.givenSender()
    const sender = await world.givenSender({}, owner)
    const folder = (await owner.post('/template-folders', { name: 'F' })).json.id
    const make = async (fields: object) =>
      (await owner.post('/templates', { ...world.template(), sender_id: sender, ...fields })).json.id
    const a = await make({ name: 'Älpha 50%', folder_id: folder })
    const b = await make({ name: 'älpine', status: 'draft', folder_id: folder })
    const c = await make({ name: 'Beta_1' })
    const list = async (query: string) => {
      const { json } = await owner.get(`/templates${query}`)
      const ids = json.data.map((one: { id: string }) => one.id)
      expect(json.meta.total).toBe(ids.length)
      return ids
    }
    expect(await list('')).toEqual([c, b, a])
    expect(await list(`?folder_id=${folder.toUpperCase()}`)).toEqual([b, a])
    expect(await list('?status=draft')).toEqual([b])
    expect(await list(`?status=published&folder_id=${folder}`)).toEqual([a])
    expect(await list(`?q=${encodeURIComponent('äLP')}`)).toEqual([b, a])
    expect(await list('?q=beta_')).toEqual([c])
    expect(await list('?q=beta%25')).toEqual([])
    expect(await list('?q=lpha')).toEqual([])
    const { data } = (await owner.get('/templates?limit=1')).json
    expect(Object.keys(data[0])).not.toContain('html_content')
    expect(data[0]).toMatchObject({ object: 'template', id: c, sender: { id: sender }, reply_to: '' })
    expect((await owner.get('/templates?status=live')).status).toBe(422)
  })
})

describe('PUT and PATCH /templates/{id}', () => {
  test('200; only the given fields change, and only rendered ones increase the version', async () => {
    const made = await world.given({ alias: 'changing', reply_to: 'a@b.test', variables: [{ key: 'NAME' }] })
    const same = await world.team.put(`/templates/${made.id}`, {})
    expect({ ...same.json, updated_at: made.updated_at }).toEqual(made)
    const named = await world.team.patch('/templates/CHANGING', { name: 'New', variables: made.variables })
    expect(named.json).toMatchObject({ name: 'New', version: 1, reply_to: 'a@b.test' })
    const texts = await world.team.put(`/templates/${made.id}`, {
      text_content: 'T',
      html_content: null,
      reply_to: '',
    })
    expect(texts.json).toMatchObject({ text_content: 'T', html_content: '', reply_to: '', version: 2 })
    const html = await world.team.patch(`/templates/${made.id}`, { html: '<p>H</p>', text: null })
    expect(html.json).toMatchObject({ html_content: '<p>H</p>', text_content: '', version: 3 })
    const variables = await world.team.patch(`/templates/${made.id}`, { variables: [] })
    expect(variables.json).toMatchObject({ variables: [], version: 4, alias: 'changing' })
    expect((await world.team.patch(`/templates/${made.id}`, { alias: null })).json.alias).toBeNull()
    expect((await world.team.get('/templates/changing')).status).toBe(404)
  })

  test('200 when the status changes in either direction', async () => {
    const { id } = await world.given({ status: 'draft' })
    const get = async () => (await world.team.get(`/templates/${id}`)).json
    expect(await get()).toMatchObject({ status: 'draft', published_at: null })
    await world.team.put(`/templates/${id}`, { status: 'published' })
    expect(await get()).toMatchObject({ status: 'published', published_at: expect.any(String) })
    await world.team.patch(`/templates/${id}`, { status: 'draft' })
    expect((await get()).status).toBe('draft')
    const published = await world.team.post(`/templates/${id}/publish`)
    expect([published.status, published.json.status]).toEqual([200, 'published'])
    expect((await world.team.post(`/templates/${id}/publish`)).status).toBe(200)
  })

  test('422 for a change that removes all content or names an unknown record; nothing changes', async () => {
    const { id } = await world.given()
    for (const [changes, field] of [
      [{ html_content: '' }, 'html_content'],
      [{ sender_id: newId() }, 'sender_id'],
      [{ folder_id: newId() }, 'folder_id'],
      [{ from: 'x@nowhere.test' }, 'from'],
      [{ name: '' }, 'name'],
      [{ subject: '' }, 'subject'],
    ] as const) {
      const reply = await world.team.put(`/templates/${id}`, { ...changes, text_content: '' })
      expect([reply.status, Object.keys(reply.json.errors)[0]]).toEqual([422, field])
    }
    expect((await world.team.get(`/templates/${id}`)).json.version).toBe(1)
  })

  test('200 for each of many concurrent changes; the version counts every one', async () => {
    const { id } = await world.given()
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => world.team.put(`/templates/${id}`, { subject: `S${i}` })),
    )
    expect((await world.team.get(`/templates/${id}`)).json.version).toBe(11)
  })
})

test('201 for a duplicate: a separate draft without the alias, with its name cut to the limit', async () => {
  const name = '😀'.repeat(255)
  const original = await world.given({ name, alias: 'original', variables: [{ key: 'NAME' }] })
  const reply = await world.team.post('/templates/original/duplicate')
  expect(reply.status).toBe(201)
  const { json: copy } = reply
  expect(copy).toMatchObject({
    name: `Copy of ${'😀'.repeat(247)}`,
    alias: null,
    status: 'draft',
    published_at: null,
    subject: original.subject,
    html_content: original.html_content,
    variables: original.variables,
    sender: original.sender,
  })
  expect(copy.id).not.toBe(original.id)
  await world.team.put(`/templates/${copy.id}`, { subject: 'Other' })
  expect((await world.team.get('/templates/original')).json).toEqual(original)
})

describe('POST /templates/{id}/preview', () => {
  test('200 for a draft, by id and by alias, with values and fallbacks', async () => {
    const { id } = await world.given({
      alias: 'sample',
      status: 'draft',
      text_content: '{{TOTAL}} {{{NAME}}} {{ not a key }}',
      variables: [{ key: 'TOTAL', type: 'number', fallback_value: 7 }],
    })
    const expected = {
      object: 'template_preview',
      template_id: id,
      subject: 'Hi <Ann> Bob',
      html: '<p>&lt;Ann&gt;\nBob</p>',
      text: '7 <Ann>\nBob {{ not a key }}',
      missing: [],
      warnings: [{ part: 'text', line: 1, column: 22, message: expect.stringContaining('{{not_a_key}}') }],
    }
    for (const path of [id, 'Sample']) {
      const reply = await world.team.post(`/templates/${path}/preview`, {
        variables: { NAME: '<Ann>\nBob', unknown: 1 },
      })
      expect([reply.status, reply.json]).toEqual([200, expected])
    }
    await world.team.put(`/templates/${id}`, { html_content: '', subject: 'S' })
    const changed = await world.team.post(`/templates/${id}/preview`, { variables: { NAME: 'x' } })
    expect(changed.json).toMatchObject({ subject: 'S', html: null, text: '7 x {{ not a key }}' })
  })

  test('422 for values that are missing or of the wrong type, and without a body', async () => {
    const { id } = await world.given({ variables: [{ key: 'N', type: 'number' }], text_content: '{{N}}' })
    const errorsOf = async (body?: object) =>
      (await world.team.post(`/templates/${id}/preview`, body)).json.errors
    const missing = {
      'variables.NAME': ['The template variable NAME is required.'],
      'variables.N': ['The template variable N is required.'],
    }
    expect(await errorsOf()).toEqual(missing)
    expect(await errorsOf({})).toEqual(missing)
    expect(await errorsOf({ variables: { NAME: 'x', N: 'y' } })).toEqual({
      'variables.N': ['The variables.N field must be a number.'],
    })
    for (const value of [null, true, {}, []]) {
      expect(await errorsOf({ variables: { NAME: value } })).toEqual({
        'variables.NAME': ['The variables.NAME field must be a string or a number.'],
      })
    }
    expect(await errorsOf({ variables: { NAME: 'a\u0000', N: 1 } })).toEqual({
      'variables.NAME': ['The variables.NAME field must not contain the character U+0000.'],
    })
  })
})

describe('DELETE /templates/{id}', () => {
  const campaign = (templateId: string, status: string) =>
    world.service.db.query(
      `insert into campaign (team_id, id, name, template_id, status, scheduled_at, created_at, updated_at)
       values ($1, $2, 'c', $3, $4, now(), now(), now())`,
      [world.team.id, newId(), templateId, status],
    )

  test('200 by alias, then 404; the alias is free again', async () => {
    const { id } = await world.given({ alias: 'going' })
    expect((await world.team.delete('/templates/going')).json).toEqual({
      object: 'template',
      id,
      deleted: true,
    })
    expect((await world.team.get(`/templates/${id}`)).status).toBe(404)
    expect((await world.team.delete(`/templates/${id}`)).status).toBe(404)
    await world.given({ alias: 'going' })
  })

  test.each(['scheduled', 'sending'])('409 while a %s campaign uses it', async (status) => {
    const { id } = await world.given()
    await campaign(id, status)
    const reply = await world.team.delete(`/templates/${id}`)
    expect([reply.status, reply.json.message]).toEqual([
      409,
      'This template is used by active campaigns and cannot be deleted.',
    ])
    expect((await world.team.get(`/templates/${id}`)).status).toBe(200)
  })

  test('200 when only inactive campaigns use it; they lose it', async () => {
    const { id } = await world.given()
    for (const status of ['draft', 'sent', 'canceled']) await campaign(id, status)
    expect((await world.team.delete(`/templates/${id}`)).status).toBe(200)
    expect(await world.service.db.query('select id from campaign where template_id = $1', [id])).toEqual([])
  })

  test('409 while an active automation uses it, 200 once the automation is paused', async () => {
    const { id } = await world.given()
    const automationId = newId()
    await world.service.db.query(
      `insert into automation (team_id, id, name, status, graph, settings, created_at, updated_at)
       values ($1, $2, 'a', 'active', '{}', '{}', now(), now())`,
      [world.team.id, automationId],
    )
    await world.service.db.query("insert into automation_use values ($1, 'template', $2, $3)", [
      world.team.id,
      id,
      automationId,
    ])
    const reply = await world.team.delete(`/templates/${id}`)
    expect([reply.status, reply.json.message]).toEqual([
      409,
      'This template is used by active automations and cannot be deleted.',
    ])
    await world.service.db.query("update automation set status = 'paused' where id = $1", [automationId])
    expect((await world.team.delete(`/templates/${id}`)).status).toBe(200)
  })

  test('409 for deletion of the sender of a template, even when both requests are concurrent', async () => {
    for (let round = 0; round < 5; round++) {
      const sender = await world.givenSender()
      const [gone, made] = await Promise.all([
        world.team.delete(`/senders/${sender}`),
        world.team.post('/templates', world.template({ sender_id: sender })),
      ])
      expect([gone.status, made.status]).toEqual(made.status === 201 ? [409, 201] : [200, 422])
      if (made.status === 201) expect((await world.team.get(`/templates/${made.json.id}`)).status).toBe(200)
    }
  })
})

test("404 with the same bytes for another team's template, by id and by alias, which remains", async () => {
  const { id } = await world.given({ alias: 'mine' })
  const other = await world.service.givenTeam()
  for (const path of [id, 'mine', newId(), 'x', '%00', 'a%20b']) {
    for (const request of [
      () => other.get(`/templates/${path}`),
      () => other.put(`/templates/${path}`, { name: 'Mine' }),
      () => other.patch(`/templates/${path}`, { status: 'draft' }),
      () => other.post(`/templates/${path}/publish`),
      () => other.post(`/templates/${path}/duplicate`),
      () => other.post(`/templates/${path}/preview`, { variables: {} }),
      () => other.delete(`/templates/${path}`),
    ]) {
      expect((await request()).text).toBe('{"statusCode":404,"name":"not_found","message":"Not found."}')
    }
  }
  expect((await world.team.get('/templates/mine')).json).toMatchObject({
    name: 'Receipt',
    status: 'published',
  })
  expect((await other.get('/templates')).json).toMatchObject({ data: [], meta: { total: 0 } })
})
