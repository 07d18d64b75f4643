import { beforeAll, expect, test } from 'vitest'
import { shareSendwright } from '../../test/support/shared-sendwright.ts'
import { makeTemplateWorld, type TemplateWorld } from '../../test/support/templates.ts'
import { newId } from '../lib/ids.ts'

let world: TemplateWorld
beforeAll(async () => {
  world = await makeTemplateWorld(await shareSendwright('capture'))
})

test('200 with fields of the body in place of the stored ones; nothing is stored', async () => {
  const made = await world.given({ text_content: 'T {{NAME}}' })
  const preview = async (body: object) =>
    (await world.team.post(`/templates/${made.id}/preview`, { variables: { NAME: 'A&B' }, ...body })).json
  expect(await preview({ subject: 'New {{NAME}}' })).toEqual({
    object: 'template_preview',
    template_id: made.id,
    subject: 'New A&B',
    html: '<p>A&amp;B</p>',
    text: 'T A&B',
    missing: [],
    warnings: [],
  })
  expect(await preview({ html: '<b>{{{NAME}}}</b>', text_content: null })).toMatchObject({
    html: '<b>A&B</b>',
    text: null,
  })
  const definitions = [{ key: 'TOTAL', type: 'number', fallback_value: 3 }]
  expect(
    await preview({ html_content: '', text: '{{TOTAL}}', variable_definitions: definitions }),
  ).toMatchObject({
    html: null,
    text: '3',
  })
  expect((await world.team.get(`/templates/${made.id}`)).json).toEqual(made)
})

test('200 with missing variables listed and their placeholders left when allow_missing is set', async () => {
  const body = {
    subject: '{{A}} {{ B }}',
    html_content: '{{{C}}}<i>{{A}}</i>{{D}}',
    variables: { A: '<1>' },
    variable_definitions: [{ key: 'D', fallback_value: 'd' }],
  }
  const reply = await world.team.post('/templates/preview', { ...body, allow_missing: true })
  expect([reply.status, reply.json]).toEqual([
    200,
    {
      object: 'template_preview',
      template_id: null,
      subject: '<1> {{B}}',
      html: '{{C}}<i>&lt;1&gt;</i>d',
      text: null,
      missing: ['B', 'C'],
      warnings: [],
    },
  ])
  expect((await world.team.post('/templates/preview', body)).json.errors).toEqual({
    'variables.B': ['The template variable B is required.'],
    'variables.C': ['The template variable C is required.'],
  })
  expect((await world.team.post('/templates/preview', {})).json).toMatchObject({ subject: '', html: null })
})

test('422 by field for content that could not be stored', async () => {
  const reply = await world.team.post('/templates/preview', {
    subject: 'a\r\nb',
    text: '{{A}}'.repeat(10_001),
    variable_definitions: [{ key: 'N' }, { key: 'N', type: 'number', fallback_value: 'x' }],
    allow_missing: true,
  })
  expect([reply.status, Object.keys(reply.json.errors).sort()]).toEqual([
    422,
    ['subject', 'text_content', 'variable_definitions.1.fallback_value', 'variable_definitions.1.key'],
  ])
  const wrong = {
    variable_definitions: [{ key: 'N', type: 'number' }],
    subject: '{{N}}',
    allow_missing: true,
  }
  expect(
    (await world.team.post('/templates/preview', { ...wrong, variables: { N: 'x' } })).json.errors,
  ).toEqual({
    'variables.N': ['The variables.N field must be a number.'],
  })
})

test('404 for an unknown template, even with content in the body', async () => {
  const reply = await world.team.post(`/templates/${newId()}/preview`, { subject: 'x' })
  expect(reply.status).toBe(404)
})
