import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { importFile, upload } from '../../../test/support/csv.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { contactRoutes } from '../contacts/contacts-routes.ts'
import { listRoutes } from '../lists/lists-routes.ts'
import { importRoutes } from './imports-routes.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({
    routes: [...contactRoutes, ...listRoutes, ...importRoutes],
    deps: { wakeImports: () => {} },
  })
})
afterAll(() => api.stop())

const contactOf = async (team: GivenTeam, email: string) =>
  (await team.get(`/contacts/${encodeURIComponent(email)}`)).json

describe('a dry run', () => {
  test('lists all errors with the cell at fault, and writes nothing', async () => {
    const team = await api.givenTeam()
    const file = 'email,unsubscribed\na@x.test,ja\nnobody,nein\nb@x.test,maybe\nc@x.test\n'
    const { json } = await importFile(api, team, '/contacts/import?dry_run=true', file)
    expect(json).toMatchObject({ dry_run: true, rows_read: 4, rows_created: 0, rows_failed: 3 })
    expect(
      json.errors.map(({ line, value }: { line: number; value: string | null }) => [line, value]),
    ).toEqual([
      [3, 'nobody'],
      [4, 'maybe'],
      [5, null],
    ])
    expect((await team.get('/contacts')).json.data).toEqual([])
  })

  test('the cell at fault is cut, and keeps whole characters', async () => {
    const team = await api.givenTeam()
    const { json } = await importFile(api, team, '/contacts/import', `email\n${'😀'.repeat(60)}x\n`)
    expect(json.errors[0].value).toBe(`${'😀'.repeat(50)}…`)
  })
})

describe('existing contacts', () => {
  test('are updated, or stay as they are with existing=skip, which adds them to the lists', async () => {
    const team = await api.givenTeam()
    const list = (await team.post('/lists', { name: 'News' })).json.id
    await team.post('/contacts', { email: 'ann@x.test', first_name: 'Ann' })
    const file = 'email,first_name\nann@x.test,Other\nbob@x.test,Bob\nBob@x.test,Other\n'
    const skipped = await importFile(api, team, `/contacts/import?existing=skip&list_ids=${list}`, file)
    expect(skipped.json).toMatchObject({
      rows_created: 1,
      rows_updated: 0,
      rows_unchanged: 2,
      rows_failed: 0,
    })
    for (const first_name of ['Ann', 'Bob'])
      expect(await contactOf(team, `${first_name}@x.test`)).toMatchObject({
        first_name,
        lists: [{ id: list }],
      })
    await importFile(api, team, '/contacts/import?existing=update', file)
    expect((await contactOf(team, 'ann@x.test')).first_name).toBe('Other')
  })
})

describe('the encoding of a file', () => {
  test('422 for a byte of another encoding in the last of 50,000 rows, and nothing of the file is left', async () => {
    const team = await api.givenTeam()
    const rows = `email,first_name\n${'ann@x.test,Jörg\n'.repeat(50_000)}`
    const file = Buffer.concat([Buffer.from(`${rows}bob@x.test,J`), Buffer.from([0xf6]), Buffer.from('rg\n')])
    const reply = await upload(api.url, team, '/contacts/import', file)
    const place = `line 50002 (byte offset ${Buffer.byteLength(rows) + 12})`
    const message = `The file is not valid UTF-8 at ${place}. Save it as UTF-8, or set encoding to the one it has, for example windows-1252.`
    expect([reply.status, reply.json.errors]).toEqual([422, { encoding: [message] }])
    for (const table of ['csv_import', 'csv_import_piece']) {
      expect(await api.db.query(`select from ${table} where team_id = $1`, [team.id])).toEqual([])
    }
    expect((await team.get('/contacts')).json.meta.total).toBe(0)
  })

  test.each([
    ['', Buffer.from('\ufeffemail,last_name\na@x.test,Müller–Ž\nx\n', 'utf16le')],
    ['', Buffer.from('\ufeffemail,last_name\na@x.test,Müller–Ž\nx\n', 'utf16le').swap16()],
    ['?encoding=windows-1252', Buffer.from('email,last_name\na@x.test,M\xfcller\x96\x8e\nx\n', 'latin1')],
  ])('202%s for a file in another encoding, whose lines count as in the file', async (query, file) => {
    const team = await api.givenTeam()
    const done = await importFile(api, team, `/contacts/import${query}`, file)
    expect(done.json).toMatchObject({ rows_created: 1, rows_failed: 1, errors: [{ line: 3 }], progress: 100 })
    expect(await contactOf(team, 'a@x.test')).toMatchObject({ last_name: 'Müller–Ž' })
  })
})
