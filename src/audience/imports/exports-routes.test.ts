import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { runImports, upload } from '../../../test/support/csv.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { newId } from '../../lib/ids.ts'
import { suppressionRoutes } from '../../suppressions/suppressions-routes.ts'
import { contactRoutes } from '../contacts/contacts-routes.ts'
import { listRoutes } from '../lists/lists-routes.ts'
import { propertyRoutes } from '../properties/properties-routes.ts'
import { segmentRoutes } from '../segments/segments-routes.ts'
import { exportRoutes } from './exports-routes.ts'
import { importRoutes } from './imports-routes.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({
    routes: [
      ...contactRoutes,
      ...listRoutes,
      ...propertyRoutes,
      ...segmentRoutes,
      ...suppressionRoutes,
      ...importRoutes,
      ...exportRoutes,
    ],
    deps: { wakeImports: () => {} },
  })
})
afterAll(() => api.stop())

const cellsOf = (text: string) => parse(text, { record_delimiter: '\r\n' }) as string[][]
const emailsOf = async (team: GivenTeam, path: string) =>
  cellsOf((await team.get(path)).text)
    .slice(1)
    .map(([email]) => email)

const NASTY = [
  '=1+1',
  '+49 30',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '\r\n=1',
  '＝1',
  "'=1",
  "''@x",
  "'plain'",
  'a;=1',
  'say "=1"',
  ' spaced ',
  'ä😀',
]

test('200 with a file that imports unchanged: neutralized formulas, quotes, line breaks, properties', async () => {
  const [team, other] = [await api.givenTeam(), await api.givenTeam()]
  for (const one of [team, other]) {
    for (const [key, type] of [
      ['Plan', 'string'],
      ['n', 'number'],
      ['day', 'date'],
      ['EMAIL', 'string'],
      ['id', 'string'],
    ]) {
      await one.post('/properties', { key, type })
    }
  }
  for (const [index, text] of NASTY.entries()) {
    const reply = await team.post('/contacts', {
      email: index === 0 ? '=cmd@x.test' : `+p${index}@x.test`,
      first_name: text,
      last_name: text,
      user_id: text,
      time_zone: index % 2 === 0 ? 'America/New_York' : null,
      unsubscribed: index % 2 === 0,
      properties: { plan: text, n: -index - 0.5, day: '2026-02-03T04:05:06.789Z', email: text, id: 'x' },
    })
    expect(reply.status, reply.text).toBe(201)
  }
  const file = await team.get('/contacts/export')
  expect(file.status).toBe(200)
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition')).toMatch(
    /^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const [header, ...rows] = cellsOf(file.text)
  expect(header).toEqual([
    'email',
    'first_name',
    'last_name',
    'user_id',
    'time_zone',
    'unsubscribed',
    'day',
    'properties.EMAIL',
    'properties.id',
    'n',
    'Plan',
    'created_at',
  ])
  const texts = rows.flatMap((cells) => cells.filter((_cell, index) => header?.[index] !== 'n'))
  expect(texts.filter((text) => /^[=+\-@\t\r\n＝＋－＠]/.test(text))).toEqual([])
  const received = await upload(api.url, other, '/contacts/import', file.text)
  expect(received.status, received.text).toBe(202)
  await runImports(api)
  const again = await other.get('/contacts/export')
  const byEmail = (text: string) =>
    cellsOf(text)
      .map((cells) => cells.slice(0, -1))
      .sort()
  expect(byEmail(again.text)).toEqual(byEmail(file.text))
  const pick = async (from: GivenTeam) =>
    (await from.get('/contacts?per_page=100')).json.data
      .map(({ email, first_name, user_id, time_zone, properties }: Record<string, unknown>) =>
        JSON.stringify({ email, first_name, user_id, time_zone, properties }),
      )
      .sort()
  expect(await pick(other)).toEqual(await pick(team))
})

test('200 with a file that imports unchanged, whatever the texts', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const unit = fc.constantFrom(...`'";,=+-@\t\r\n\u2028＝a `, '\r\n', 'ä', '😀')
  const texts = fc.sample(fc.string({ unit, minLength: 1, maxLength: 12 }), { seed, numRuns: 35 })
  const [team, other] = [await api.givenTeam(), await api.givenTeam()]
  for (const one of [team, other]) await one.post('/properties', { key: 'plan', type: 'string' })
  for (const [index, text] of [...texts, 'a\rb', 'a\nb', '\r', '\n=1', ';=1'].entries()) {
    const names = { first_name: text, last_name: texts[index + 1] ?? 'x', properties: { plan: text } }
    const reply = await team.post('/contacts', { email: `p${index}@x.test`, ...names })
    expect(reply.status, `seed ${seed}: ${reply.text}`).toBe(201)
  }
  await upload(api.url, other, '/contacts/import', (await team.get('/contacts/export')).text)
  await runImports(api)
  const contactsOf = async (from: GivenTeam) =>
    (await from.get('/contacts?per_page=100')).json.data
      .map(({ email, first_name, last_name, properties }: Record<string, unknown>) =>
        JSON.stringify([email, first_name, last_name, properties]),
      )
      .sort()
  const found = await contactsOf(other)
  expect(found).toHaveLength(40)
  expect(found, `seed ${seed}`).toEqual(await contactsOf(team))
})

test('200 with the filters of the lists applied, and without data of other teams', async () => {
  const [team, other] = [await api.givenTeam(), await api.givenTeam()]
  const list = (await team.post('/lists', { name: 'News' })).json.id
  await team.post('/contacts', { email: 'a@x.test', list_ids: [list] })
  await team.post('/contacts', { email: 'b@x.test', unsubscribed: true })
  await other.post('/contacts', { email: 'theirs@x.test' })
  const filters = {
    match_type: 'all',
    filters: {
      groups: [
        { match_type: 'all', conditions: [{ field: 'email', operator: 'equals', value: 'b@x.test' }] },
      ],
    },
  }
  const segment = await team.post('/segments', { name: 'B', ...filters })
  expect(segment.status, segment.text).toBe(201)
  expect(await emailsOf(team, '/contacts/export')).toEqual(['b@x.test', 'a@x.test'])
  expect(await emailsOf(team, `/contacts/export?list_id=${list}`)).toEqual(['a@x.test'])
  expect(await emailsOf(team, `/contacts/export?segment_id=${segment.json.id}`)).toEqual(['b@x.test'])
  expect(await emailsOf(team, '/contacts/export?unsubscribed=true')).toEqual(['b@x.test'])
  expect(await emailsOf(team, `/contacts/export?list_id=${newId()}`)).toEqual([])
  expect((await other.get(`/contacts/export?list_id=${list}`)).text).toBe(
    (await other.get(`/contacts/export?list_id=${newId()}`)).text,
  )
  expect((await team.get('/contacts/export?unsubscribed=perhaps')).status).toBe(422)
  await team.post('/suppressions/batch/add', { emails: ['+s@x.test', 't@x.test'] })
  await team.patch('/suppressions/t@x.test', { reason: null })
  expect((await team.get('/suppressions/export')).text).toMatch(
    /^email,reason,source_email_id,created_at\r\nt@x\.test,,,\S+Z\r\n'\+s@x\.test,manual,,\S+Z\r\n$/,
  )
  expect(await emailsOf(team, '/suppressions/export?reason=manual')).toEqual(["'+s@x.test"])
  expect(await emailsOf(team, '/suppressions/export?q=T')).toEqual(['t@x.test'])
})

test('200 with every row of many pages once; the same file imports completely', async () => {
  const [team, other] = [await api.givenTeam(), await api.givenTeam()]
  const emails = Array.from({ length: 1_234 }, (_, index) => `m${index}@x.test`)
  await upload(api.url, team, '/suppressions/import', `email\n${emails.join('\n')}`)
  await upload(api.url, team, '/contacts/import', `email\n${emails.join('\n')}`)
  await runImports(api)
  for (const kind of ['contacts', 'suppressions']) {
    expect((await emailsOf(team, `/${kind}/export`)).sort()).toEqual(emails.toSorted())
    await upload(api.url, other, `/${kind}/import`, (await team.get(`/${kind}/export`)).text)
    await runImports(api)
    expect((await other.get(`/${kind}`)).json.meta.total).toBe(1_234)
  }
})

test('200 without a body for HEAD; reading ends when the client disconnects', async () => {
  const team = await api.givenTeam()
  const head = await fetch(`${api.url}/contacts/export`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${team.token}` },
  })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
})
