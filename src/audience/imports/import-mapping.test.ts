import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { importFile, upload } from '../../../test/support/csv.ts'
import { suppressionRoutes } from '../../suppressions/suppressions-routes.ts'
import { contactRoutes } from '../contacts/contacts-routes.ts'
import { propertyRoutes } from '../properties/properties-routes.ts'
import { importRoutes } from './imports-routes.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({
    routes: [...contactRoutes, ...propertyRoutes, ...suppressionRoutes, ...importRoutes],
    deps: { wakeImports: () => {} },
  })
})
afterAll(() => api.stop())

test('202 with columns of other names, mapped by the request', async () => {
  const ann = await api.givenTeam()
  await ann.post('/properties', { key: 'PLAN', type: 'string' })
  const mapping = {
    'e-mail Address ': 'email',
    VORNAME: 'first_name',
    Tarif: 'properties.PLAN',
    Notes: null,
  }
  const path = `/contacts/import?mapping=${encodeURIComponent(JSON.stringify(mapping))}`
  const file = 'Notes;E-Mail Address;Vorname;Tarif;last_name\nx;ann@x.test;Änn;pro;Smith\n'
  expect((await importFile(api, ann, path, file)).json).toMatchObject({ rows_created: 1, progress: 100 })
  expect((await ann.get('/contacts/ann@x.test')).json).toMatchObject({
    first_name: 'Änn',
    last_name: 'Smith',
    properties: { PLAN: 'pro' },
  })
  const gone = encodeURIComponent('{"Adresse":"email","Warum":"reason"}')
  const left = await importFile(
    api,
    ann,
    `/suppressions/import?mapping=${gone}`,
    'Warum,Adresse\nbounce,gone@x.test\n',
  )
  expect(left.json).toMatchObject({ rows_created: 1 })
})

test('202 with column names of several lines, which a mapping names with any white space', async () => {
  const ann = await api.givenTeam()
  const mapping = { 'E-mail address': 'email', ' first\nname ': 'first_name' }
  const path = `/contacts/import?mapping=${encodeURIComponent(JSON.stringify(mapping))}`
  const file = '"E-mail\r\naddress","First  \n\n name",last_name\r\nann@x.test,Ann,Smith\r\nnobody,,\r\n'
  const done = await importFile(api, ann, path, file)
  expect(done.json).toMatchObject({ rows_created: 1, errors: [{ line: 6 }] })
  expect((await ann.get('/contacts/ann@x.test')).json).toMatchObject({
    first_name: 'Ann',
    last_name: 'Smith',
  })
})

test.each([
  ['x', 'mapping', /JSON object/],
  ['[]', 'mapping', /JSON object/],
  ['{"email":1}', 'mapping', /JSON object/],
  ['{"Nowhere":"email"}', 'mapping', /^The file has no column "nowhere"\.$/],
  ['{"Name":"email"}', 'columns.email', /given twice/],
  ['{"email":"properties.PLAN","Name":"plan"}', 'columns.plan', /given twice/],
  ['{"Name":"nothing"}', 'columns.nothing', /unknown/],
  ['{"email":null,"Name":null}', 'columns.email', /required/],
])('422 for the mapping %s: %s', async (mapping, field, message) => {
  const ann = await api.givenTeam()
  await ann.post('/properties', { key: 'plan', type: 'string' })
  const path = `/contacts/import?mapping=${encodeURIComponent(mapping)}`
  const reply = await upload(api.url, ann, path, 'email,Name\na@x.test,A\n')
  expect([reply.status, reply.json.errors]).toEqual([422, { [field]: [expect.stringMatching(message)] }])
  expect((await ann.get('/contacts/imports')).json.data).toEqual([])
})

test('202 with time zones of contacts, and a problem for a row with one that does not exist', async () => {
  const team = await api.givenTeam()
  const file = 'email,time_zone\nann@x.test, asia/tokyo \nbob@x.test,CET-ish\nann2@x.test,\n'
  const message = 'The time_zone field must be an IANA time zone, such as Europe/Berlin.'
  const { json } = await importFile(api, team, '/contacts/import', file)
  expect(json).toMatchObject({ rows_created: 2, errors: [{ line: 3, message }] })
  expect((await team.get('/contacts/ann@x.test')).json.time_zone).toBe('Asia/Tokyo')
})
