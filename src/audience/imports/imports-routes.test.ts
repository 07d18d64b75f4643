import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { importFile, runImports, upload } from '../../../test/support/csv.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { newId } from '../../lib/ids.ts'
import { suppressionRoutes } from '../../suppressions/suppressions-routes.ts'
import { contactRoutes } from '../contacts/contacts-routes.ts'
import { listRoutes } from '../lists/lists-routes.ts'
import { propertyRoutes } from '../properties/properties-routes.ts'
import { exportRoutes } from './exports-routes.ts'
import { sweepImports } from './import-runner.ts'
import { importRoutes } from './imports-routes.ts'

let api: Api
let now = new Date('2026-03-01T10:00:00Z')
beforeAll(async () => {
  api = await startApi({
    routes: [
      ...contactRoutes,
      ...listRoutes,
      ...propertyRoutes,
      ...suppressionRoutes,
      ...importRoutes,
      ...exportRoutes,
    ],
    clock: { now: () => now },
    deps: { wakeImports: () => {} },
  })
})
afterAll(() => api.stop())

const send = (team: GivenTeam, path: string, file: Parameters<typeof upload>[3], headers = {}) =>
  upload(api.url, team, path, file, headers)

const contactOf = async (team: GivenTeam, email: string) =>
  (await team.get(`/contacts/${encodeURIComponent(email)}`)).json

const rowsOf = async (table: string, team: GivenTeam) =>
  api.db.query(`select * from ${table} where team_id = $1`, [team.id])

async function givenProperties(team: GivenTeam): Promise<void> {
  for (const [key, type] of [
    ['Plan', 'string'],
    ['age', 'number'],
    ['since', 'date'],
    ['email', 'string'],
  ]) {
    expect((await team.post('/properties', { key, type })).status).toBe(201)
  }
}

const REMEDY = 'Name its field in mapping, or set ignore_unknown to true to skip unknown columns.'

describe('POST /contacts/import', () => {
  test('202, then contacts with fields, properties and lists; an empty cell leaves the value unchanged', async () => {
    const team = await api.givenTeam()
    await givenProperties(team)
    const list = (await team.post('/lists', { name: 'News' })).json.id
    const other = (await team.post('/lists', { name: 'Old' })).json.id
    await team.post('/contacts', {
      email: 'bob@x.test',
      first_name: 'Bob',
      user_id: 'u1',
      list_ids: [other],
      properties: { age: 7, plan: 'old' },
    })
    const file =
      '\ufeffEmail;FIRST_NAME;last_name;unsubscribed;PLAN;age;since;properties.Email\r\n' +
      'Ann@X.test;"A ""n"" n";Müller;YES;"a;b\r\nc";-1,5\r\n'.replace('-1,5', '-1.5;2026-02-03;extra') +
      'bob@x.test;;B;0;pro;;;\r\n\r\n;;;;;;;\r\n'
    const done = await importFile(api, team, `/contacts/import?list_ids=${list.toUpperCase()}`, file)
    expect(done.json).toMatchObject({
      object: 'import',
      kind: 'contacts',
      status: 'completed',
      progress: 100,
      bytes: Buffer.byteLength(file),
      bytes_done: Buffer.byteLength(file),
      rows_read: 2,
      rows_created: 1,
      rows_updated: 1,
      rows_failed: 0,
      errors: [],
      reason: null,
      finished_at: '2026-03-01 10:00:00',
    })
    expect(await contactOf(team, 'ann@x.test')).toMatchObject({
      first_name: 'A "n" n',
      last_name: 'Müller',
      unsubscribed: true,
      properties: { PLAN: 'a;b\r\nc', AGE: -1.5, SINCE: '2026-02-03 00:00:00', EMAIL: 'extra' },
      lists: [{ id: list }],
    })
    expect(await contactOf(team, 'bob@x.test')).toMatchObject({
      first_name: 'Bob',
      last_name: 'B',
      user_id: 'u1',
      unsubscribed: false,
      properties: { PLAN: 'pro', AGE: 7 },
      lists: [{ id: other }, { id: list }],
    })
    expect((await team.get('/contacts')).json.meta.total).toBe(2)
    expect((await team.get(`/lists/${list}`)).json.contact_count).toBe(2)
    expect(await rowsOf('csv_import_piece', team)).toEqual([])
  })

  test('202, with each invalid row reported by line and column, and all others imported', async () => {
    const team = await api.givenTeam()
    await givenProperties(team)
    const lines = [
      'email,first_name,unsubscribed,age,since,plan',
      'ok1@x.test,"two\nlines",,,,',
      ',x,,,,',
      'nobody,,,,,',
      `${'a'.repeat(250)}@x.test,,,,,`,
      `long@x.test,${'ä'.repeat(256)},,,,`,
      'yes@x.test,,maybe,,,',
      'age@x.test,,,ten,,',
      'date@x.test,,,,2026-02-30,',
      `plan@x.test,,,,,${'x'.repeat(1001)}`,
      'few@x.test,a',
      'many@x.test,,,,,,',
      'nul@x.test,a\0b,,,,',
      'quote@x.test,a"b,,,,',
      'ok2@x.test,,,,,',
    ]
    const file = `${lines.join('\n')}\nlost@x.test,J\ufffdrg,,,,`
    const done = await importFile(api, team, '/contacts/import', file)
    expect(
      done.json.errors.map(({ line, message }: { line: number; message: string }) => [line, message]),
    ).toEqual([
      [4, 'The email field is required.'],
      [5, 'The email field must be a valid email address.'],
      [6, 'The email field must be a valid email address.'],
      [7, 'The first_name field must not be greater than 255 characters.'],
      [8, 'The unsubscribed field must be true or false.'],
      [9, 'The age field must be a number.'],
      [10, 'The since field must be an ISO 8601 date.'],
      [11, 'The Plan field must not be greater than 1000 characters.'],
      [12, 'The row has 2 cells, the first line 6.'],
      [13, 'The row has 7 cells, the first line 6.'],
      [14, 'The first_name field must not contain U+0000.'],
      [15, 'A quote inside of a cell must be doubled, and the cell must be in quotes.'],
      [17, 'The first_name field contains U+FFFD, so a character was lost before the import.'],
    ])
    expect(done.json).toMatchObject({ status: 'completed', rows_read: 15, rows_created: 2, rows_failed: 13 })
    const path = `/contacts/imports/${done.json.id}/errors`
    const page = (await team.get(`${path}?per_page=5&page=2`)).json
    expect(page.data.map(({ line }: { line: number }) => line)).toEqual([9, 10, 11, 12, 13])
    expect(page.meta.total).toBe(13)
    const after = (await team.get(`${path}?limit=5&after=${page.data[4].id}`)).json
    expect(after.data.map(({ line }: { line: number }) => line)).toEqual([14, 15, 17])
  })

  test('202 for an address in three rows: one contact, as if the rows were consecutive requests', async () => {
    const team = await api.givenTeam()
    const file = 'email,first_name,last_name\na@x.test,1,x\nA@x.test,,y\n"a"@x.test,3,\na@X.TEST,4,\n'
    const done = await importFile(api, team, '/contacts/import', file)
    expect(done.json).toMatchObject({ rows_read: 4, rows_created: 1, rows_updated: 2, rows_failed: 1 })
    expect(await contactOf(team, 'a@x.test')).toMatchObject({ first_name: '4', last_name: 'y' })
  })

  test('202, storing the first 1,000 of 1,500 errors and counting all', async () => {
    const team = await api.givenTeam()
    const done = await importFile(api, team, '/contacts/import', `email\n${'nobody\n'.repeat(1_500)}`)
    expect(done.json).toMatchObject({ rows_failed: 1_500, status: 'completed' })
    expect(done.json.errors).toHaveLength(100)
    const list = (await team.get(`/contacts/imports/${done.json.id}/errors`)).json
    expect(list.meta.total).toBe(1_000)
  })

  test.each([
    ['email,frist_name\n', 'columns.frist_name', `The column "frist_name" is unknown. ${REMEDY}`],
    ['email,Email\n', 'columns.Email', 'The column "Email" is given twice.'],
    [
      'first_name\nx',
      'columns.email',
      'The column "email" is required. If it has another name in the file, name it in mapping.',
    ],
    ['', 'header', 'The file has no line that names its columns.'],
    ['\n\r\n', 'header', 'The file has no line that names its columns.'],
    ['"email\n', 'header', 'The first line is no CSV.'],
    [
      `email,${'x'.repeat(70_000)}`,
      'header',
      'The first line is greater than 65536 bytes, or a quote in it is not closed.',
    ],
    [
      Buffer.from('email\n', 'utf16le'),
      'encoding',
      'The first line contains U+0000. If the file is UTF-16, set encoding to utf-16le or utf-16be.',
    ],
  ])('422 for the first line %j, and nothing of it is left', async (file, field, message) => {
    const team = await api.givenTeam()
    const reply = await send(team, '/contacts/import', file)
    expect(reply.status).toBe(422)
    expect(reply.json).toMatchObject({ name: 'validation_error', message, errors: { [field]: [message] } })
    expect(await rowsOf('csv_import', team)).toEqual([])
    expect(await rowsOf('csv_import_piece', team)).toEqual([])
    expect((await team.get('/contacts/imports')).json.meta.total).toBe(0)
  })

  test('422 for the first line before the rest of the file arrives', async () => {
    const team = await api.givenTeam()
    const file = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('email,nonsense\n')),
    })
    const reply = await send(team, '/contacts/import', file)
    expect(reply.json.message).toBe(`The column "nonsense" is unknown. ${REMEDY}`)
  })

  test('202 with unknown columns ignored on request, and with a given delimiter', async () => {
    const team = await api.givenTeam()
    const file = 'x,y\temail\n1,2\ta@x.test\n'
    const done = await importFile(api, team, '/contacts/import?ignore_unknown=true&delimiter=tab', file)
    expect(done.json).toMatchObject({ rows_created: 1, rows_failed: 0 })
  })

  test.each([
    ['list_ids=x', 'The list_ids.0 field must be a valid UUID.'],
    [`list_ids=${newId()}`, 'The list_ids.0 field must be the id of a list of this account.'],
    ['delimiter=colon', 'The delimiter field must be one of comma, semicolon, tab, pipe.'],
    [
      'encoding=latin9',
      'The encoding field must be one of utf-8, utf-16le, utf-16be, windows-1252, macintosh.',
    ],
    ['ignore_unknown=perhaps', 'The ignore_unknown field must be true or false.'],
  ])('422 for ?%s', async (query, message) => {
    const team = await api.givenTeam()
    const reply = await send(team, `/contacts/import?${query}`, 'email\na@x.test\n')
    expect([reply.status, reply.json.message]).toEqual([422, message])
    expect(await rowsOf('csv_import', team)).toEqual([])
  })

  test("422 for another team's list as for an unknown one; 404 for another team's import", async () => {
    const [team, other] = [await api.givenTeam(), await api.givenTeam()]
    const list = (await other.post('/lists', { name: 'Theirs' })).json.id
    const replies = [list, newId()].map((id) => send(team, `/contacts/import?list_ids=${id}`, 'email\n'))
    const [theirs, none] = await Promise.all(replies)
    expect(theirs?.text).toBe(none?.text)
    const { id } = (await importFile(api, other, '/contacts/import', 'email\nx\n')).json
    for (const path of [`/contacts/imports/${id}`, `/contacts/imports/${id}/errors`]) {
      expect((await team.get(path)).text).toBe((await team.get(path.replace(id, newId()))).text)
      expect((await other.get(path.replace('contacts', 'suppressions'))).status).toBe(404)
      expect((await other.get(path)).status).toBe(200)
    }
    expect((await team.get('/contacts/imports')).json.data).toEqual([])
    expect((await other.get('/contacts/imports')).json.meta.total).toBe(1)
  })

  test('409 for a sixth open import, even when twenty arrive at once', async () => {
    const team = await api.givenTeam()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => send(team, '/contacts/import', 'email\na@x.test\n')),
    )
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(5)
    const refused = replies.find(({ status }) => status !== 202)
    expect(refused?.json).toEqual({
      statusCode: 409,
      name: 'conflict',
      message: 'No more than 5 imports may wait or run at once.',
    })
    await runImports(api)
    expect((await send(team, '/contacts/import', 'email\n')).status).toBe(202)
    await runImports(api)
  })

  test.each([
    [{ 'content-type': 'application/json' }, 415, 'The request body must be text/csv.'],
    [{ 'content-type': '' }, 415, 'The request body must be text/csv.'],
    [{ 'content-encoding': 'gzip' }, 415, 'Compressed request bodies are not supported.'],
    [{ 'content-type': 'text/csv; charset=latin1' }, 415, 'The request body must be UTF-8.'],
  ])('415 for %j', async (headers, status, message) => {
    const team = await api.givenTeam()
    const reply = await send(team, '/contacts/import', 'email\n', headers)
    expect([reply.status, reply.json.message]).toEqual([status, message])
  })

  test('415 for CSV on a JSON route', async () => {
    const team = await api.givenTeam()
    expect((await send(team, '/contacts', 'email\n')).status).toBe(415)
  })

  test('401 before a byte is read, 403 for a sending key', async () => {
    const team = await api.givenTeam()
    const sending = await team.givenKey({ permission: 'send' })
    expect((await upload(api.url, api.as('sw_no'), '/contacts/import', 'email\n')).status).toBe(401)
    expect((await upload(api.url, sending, '/contacts/import', 'email\n')).status).toBe(403)
  })

  test('413 for a file that announces more than 512 MiB', async () => {
    const team = await api.givenTeam()
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    socket.write(
      `POST /contacts/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${team.token}\r\nContent-Type: text/csv\r\nContent-Length: ${512 * 1024 * 1024 + 1}\r\n\r\n`,
    )
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  test('deleted: everything from an aborted upload', async () => {
    const team = await api.givenTeam()
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    const rows = 'someone@x.test\n'.repeat(100_000)
    socket.write(
      `POST /contacts/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${team.token}\r\nContent-Type: text/csv\r\nContent-Length: 9000000\r\n\r\nemail\n${rows}`,
    )
    await expect.poll(() => rowsOf('csv_import_piece', team)).not.toEqual([])
    const [seen] = (await team.get('/contacts/imports')).json.data
    expect(seen).toMatchObject({ status: 'receiving', bytes_done: 0 })
    socket.destroy()
    await expect.poll(() => rowsOf('csv_import', team)).toEqual([])
    expect(await rowsOf('csv_import_piece', team)).toEqual([])
    await runImports(api)
    expect((await team.get('/contacts')).json.meta.total).toBe(0)
  })
})

describe('POST /suppressions/import', () => {
  test('202, then entries with their reasons; existing ones stay unchanged', async () => {
    const team = await api.givenTeam()
    await team.post('/suppressions', { email: 'old@x.test' })
    const file =
      'reason,email\nbounce,Ann@X.test\nCOMPLAINT,bob@x.test\nbounce,old@x.test\nrude,c@x.test\n,d@x.test\n'
    const done = await importFile(api, team, '/suppressions/import', file)
    expect(done.json).toMatchObject({
      kind: 'suppressions',
      rows_read: 5,
      rows_created: 3,
      rows_updated: 0,
      rows_unchanged: 1,
      rows_failed: 1,
    })
    expect(done.json.errors[0]).toMatchObject({
      line: 5,
      message: 'The reason field must be one of manual, bounce, complaint.',
    })
    const { data, meta } = (await team.get('/suppressions')).json
    const reasons = data.map((one: { email: string; reason: string }) => [one.email, one.reason])
    expect(Object.fromEntries(reasons)).toEqual({
      'ann@x.test': 'bounce',
      'bob@x.test': 'complaint',
      'old@x.test': 'manual',
      'd@x.test': null,
    })
    expect(meta.total).toBe(4)
    expect((await team.get('/suppressions?reason=bounce')).json.meta.total).toBe(1)
  })

  test('202 with `manual` if the file has no reason column; 422 for a column of contacts', async () => {
    const team = await api.givenTeam()
    await importFile(api, team, '/suppressions/import', 'email\na@x.test\n')
    expect((await team.get('/suppressions/a@x.test')).json.reason).toBe('manual')
    const reply = await send(team, '/suppressions/import', 'email,first_name\n')
    expect(reply.status).toBe(422)
  })
})

test('deleted: imports that ended 30 days ago, with their errors, and abandoned uploads', async () => {
  const team = await api.givenTeam()
  const { id } = (await importFile(api, team, '/contacts/import', 'email\nx\n')).json
  await api.db.query(
    `insert into csv_import (team_id, id, kind, status, options, bytes, position, line, rows_read, rows_created,
       rows_updated, rows_failed, leased_by, leased_until, created_at, updated_at)
     values ($1, $2, 'contacts', 'receiving', '{}', 0, 0, 1, 0, 0, 0, 0, $2, $3, $3, $3)`,
    [team.id, newId(), now],
  )
  const before = now
  const sweep = async (at: number) => {
    now = new Date(at)
    await sweepImports({ db: api.db, clock: { now: () => now } }, 1_000)
  }
  await sweep(before.getTime() + 1)
  expect((await rowsOf('csv_import', team)).map((row) => row.id)).toEqual([id])
  await sweep(before.getTime() + 29 * 86_400_000)
  expect((await team.get(`/contacts/imports/${id}`)).status).toBe(200)
  await sweep(before.getTime() + 31 * 86_400_000)
  now = before
  expect((await team.get(`/contacts/imports/${id}`)).status).toBe(404)
  expect(await rowsOf('csv_import_error', team)).toEqual([])
})
