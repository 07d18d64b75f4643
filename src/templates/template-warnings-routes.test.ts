import { beforeAll, expect, test } from 'vitest'
import { shareSendwright } from '../../test/support/shared-sendwright.ts'
import { makeTemplateWorld, type TemplateWorld } from '../../test/support/templates.ts'

let world: TemplateWorld
beforeAll(async () => {
  world = await makeTemplateWorld(await shareSendwright('capture'))
})

const IF = '{{#if A}}'
const placesOf = ({ json }: { json: { warnings: { part: string; line: number; column: number }[] } }) =>
  json.warnings.map(({ part, line, column }) => `${part} ${line}:${column}`)

test('201, 200: a text that only looks like a placeholder is stored unchanged, with a warning in each response', async () => {
  const content = { subject: 'For {{user.name}}', html_content: `<p>\n${IF}</p>` }
  const made = await world.team.post('/templates', { ...world.template(), ...content, alias: 'faulty' })
  expect(made.status).toBe(201)
  expect(made.json.warnings[0]).toEqual({
    part: 'subject',
    line: 1,
    column: 5,
    message: expect.stringMatching(/^\{\{user\.name\}\} is not a placeholder.*\{\{user_name\}\}\.$/),
  })
  const both = ['subject 1:5', 'html 2:1']
  expect(placesOf(made)).toEqual(both)
  expect(placesOf(await world.team.get('/templates/faulty'))).toEqual(both)
  expect(placesOf(await world.team.post('/templates/faulty/publish'))).toEqual(both)
  const mended = await world.team.put('/templates/faulty', { subject: 'For {{NAME}}' })
  expect([mended.status, placesOf(mended)]).toEqual([200, ['html 2:1']])
  expect(mended.json.html_content).toBe(content.html_content)

  const draft = await world.team.put('/templates/faulty/draft', { html_content: 'x', text_content: IF })
  expect([draft.status, placesOf(draft)]).toEqual([200, ['text 1:1']])
  expect(placesOf(await world.team.get('/templates/faulty/draft'))).toEqual(['text 1:1'])
})

test('200: a preview has the warnings of the content that it renders', async () => {
  const { id } = await world.given({ subject: 'x', html_content: IF })
  const values = { allow_missing: true }
  const stored = await world.team.post(`/templates/${id}/preview`, values)
  expect([stored.status, placesOf(stored), stored.json.html]).toEqual([200, ['html 1:1'], IF])
  const changed = await world.team.post(`/templates/${id}/preview`, {
    ...values,
    html_content: 'x',
    text_content: IF,
  })
  expect(placesOf(changed)).toEqual(['text 1:1'])
  expect(placesOf(await world.team.post('/templates/preview', { html_content: IF }))).toEqual(['html 1:1'])
})

test('a placeholder with a fallback needs no value, and is no warning', async () => {
  const made = await world.given({ html_content: 'Hello {{{NAME|<b>friend</b>}}}', text_content: null })
  expect(made.warnings).toEqual([])
  const send = async (variables: object) => {
    const from = { from: undefined, subject: 'x', html: undefined, text: undefined }
    const id = await world.team.send({ ...from, template: { id: made.id, variables } })
    return (await world.team.get(`/emails/${id}`)).json.html
  }
  expect(await send({})).toContain('Hello <b>friend</b>')
  expect(await send({ NAME: 'Ann' })).toContain('Hello Ann')
})
