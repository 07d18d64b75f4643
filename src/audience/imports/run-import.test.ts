import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { runImports, upload } from '../../../test/support/csv.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import type { Db } from '../../db/db-types.ts'
import { createLog } from '../../lib/log.ts'
import { suppressionRoutes } from '../../suppressions/suppressions-routes.ts'
import { contactRoutes } from '../contacts/contacts-routes.ts'
import { listRoutes } from '../lists/lists-routes.ts'
import { propertyRoutes } from '../properties/properties-routes.ts'
import { importRoutes } from './imports-routes.ts'
import { type ImportDeps, runNextImport } from './run-import.ts'

let api: Api
let now = new Date('2026-03-01T10:00:00Z')
const clock = { now: () => now }
const log = createLog('silent')
beforeAll(async () => {
  api = await startApi({
    routes: [...contactRoutes, ...importRoutes, ...listRoutes, ...propertyRoutes, ...suppressionRoutes],
    clock,
    deps: { wakeImports: () => {} },
  })
})
afterAll(() => api.stop())

/** More batches than the processes that die complete, and more rows than make a table grown. */
const ROWS = 5_000
/** Every hundredth row is invalid, and one in fifty repeats an address. */
const rowOf = (index: number) =>
  index % 100 === 0
    ? 'wrong'
    : `p${index % 50 === 1 ? index - 1 + (index % 100 === 1 ? 5 : 2) : index}@x.test`
const FILE = `email\n${Array.from({ length: ROWS }, (_, index) => `${rowOf(index)}\n`).join('')}`
const ADDRESSES = new Set(
  FILE.split('\n')
    .slice(1)
    .filter((row) => row.includes('@')),
)
const FAILED = ROWS / 100

const NEVER = new AbortController().signal
const run = (db: Db, stop = NEVER) => runNextImport({ db, clock, log } satisfies ImportDeps, stop)

async function givenImport(file = FILE, query = ''): Promise<{ team: GivenTeam; id: string }> {
  const team = await api.givenTeam()
  const reply = await upload(api.url, team, `/contacts/import${query}`, file)
  expect(reply.status).toBe(202)
  return { team, id: reply.json.id }
}

async function expectWhole(team: GivenTeam, id: string): Promise<void> {
  const done = (await team.get(`/contacts/imports/${id}`)).json
  expect(done).toMatchObject({
    status: 'completed',
    progress: 100,
    rows_read: ROWS,
    rows_created: ADDRESSES.size,
    rows_updated: ROWS - FAILED - ADDRESSES.size,
    rows_failed: FAILED,
  })
  const contacts = await api.db.query('select email from contact where team_id = $1', [team.id])
  expect(contacts.map(({ email }) => email).sort()).toEqual([...ADDRESSES].sort())
  expect((await team.get('/contacts')).json.meta.total).toBe(ADDRESSES.size)
  const errors = await api.db.query('select line from csv_import_error where import_id = $1 order by line', [
    id,
  ])
  expect(errors.map(({ line }) => line)).toEqual(
    Array.from({ length: FAILED }, (_, index) => 2 + 100 * index),
  )
  expect(await api.db.query('select 1 from csv_import_piece where import_id = $1', [id])).toEqual([])
}

const DEAD = new Error('The process is dead.')

/**
 * Returns the database of a process that is killed: `life` transactions succeed, the first of which opens the rows,
 * then all fail.
 */
function mortal(life: number, { dies }: { dies: 'before its commit' | 'after its commit' }): Db {
  let left = life
  return {
    ...api.db,
    async transaction(work) {
      if (left <= 0) throw DEAD
      left--
      const isLast = left === 0
      const result = await api.db.transaction(async (tx) => {
        const done = await work(tx)
        if (isLast && dies === 'before its commit') throw DEAD
        return done
      })
      if (isLast) throw DEAD
      return result
    },
    query: (sql, values, options) => (left <= 0 ? Promise.reject(DEAD) : api.db.query(sql, values, options)),
  }
}

test.each(['before its commit', 'after its commit'] as const)(
  'completed with every row once, after two processes die in the middle, each %s',
  async (dies) => {
    const { team, id } = await givenImport()
    for (const life of [3, 2]) {
      await expect(run(mortal(life, { dies }))).rejects.toBe(DEAD)
      expect(await run(api.db), 'nobody else may have it before its lease runs out').toBe(false)
      now = new Date(now.getTime() + 31_000)
    }
    await runImports(api)
    await expectWhole(team, id)
  },
)

test('completed with every row once, although a process presumed dead resumes in the middle of a batch', async () => {
  const { team, id } = await givenImport()
  let batches = 0
  const asleep: Db = {
    ...api.db,
    async transaction(work) {
      // In its second batch, after it has read the columns, it pauses until another process has ended the import.
      if (++batches === 3) {
        now = new Date(now.getTime() + 31_000)
        await runImports(api)
      }
      return api.db.transaction(work)
    },
  }
  expect(await run(asleep)).toBe(true)
  expect(batches).toBe(3)
  await expectWhole(team, id)
})

test('completed by another process from where the first one stopped', async () => {
  const { team, id } = await givenImport()
  const stopping = new AbortController()
  const stopped: Db = {
    ...api.db,
    transaction(work) {
      stopping.abort()
      return api.db.transaction(work)
    },
  }
  await run(stopped, stopping.signal)
  const { json } = await team.get(`/contacts/imports/${id}`)
  expect(json).toMatchObject({ status: 'running', finished_at: null })
  expect(json.rows_read).toBeGreaterThan(0)
  expect(json.rows_read).toBeLessThan(ROWS)
  await runImports(api)
  await expectWhole(team, id)
})

test('one import of a team at a time, in order; imports of other teams run meanwhile', async () => {
  const { team } = await givenImport('email\na@x.test\n')
  await upload(api.url, team, '/contacts/import', 'email\nb@x.test\n')
  const { team: other } = await givenImport('email\nc@x.test\n')
  const seen: string[] = []
  const watching: Db = {
    ...api.db,
    async transaction(work) {
      // While the first runs, another process can claim only imports of other teams.
      if (seen.length === 0) {
        seen.push('first')
        await Promise.all([run(api.db), run(api.db), run(api.db)])
        seen.push(
          ...(
            await api.db.query('select email from contact where team_id = any($1)', [[team.id, other.id]])
          ).map(({ email }) => String(email)),
        )
      }
      return api.db.transaction(work)
    },
  }
  await run(watching)
  expect(seen).toEqual(['first', 'c@x.test'])
  await runImports(api)
  expect((await team.get('/contacts')).json.meta.total).toBe(2)
})

test('completed with one contact per address while requests write the same addresses', async () => {
  const addresses = Array.from({ length: 300 }, (_, index) => `same${index}@x.test`)
  const file = `email,first_name\n${addresses
    .map((email) => `${email},File\n`)
    .join('')
    .repeat(10)}`
  const { team, id } = await givenImport(file)
  const requests = addresses
    .toReversed()
    .map((email) => team.post('/contacts', { email, last_name: 'Request' }))
  await Promise.all([runImports(api), ...requests])
  expect((await Promise.all(requests)).filter(({ status }) => status >= 300)).toEqual([])
  expect((await team.get(`/contacts/imports/${id}`)).json).toMatchObject({
    status: 'completed',
    rows_failed: 0,
  })
  const contacts = await api.db.query('select first_name, last_name from contact where team_id = $1', [
    team.id,
  ])
  expect(contacts).toEqual(addresses.map(() => ({ firstName: 'File', lastName: 'Request' })))
  expect((await team.get('/contacts')).json.meta.total).toBe(300)
})

test('failed, with the rows so far, if its list or a property is deleted meanwhile', async () => {
  const team = await api.givenTeam()
  const list = (await team.post('/lists', { name: 'Gone' })).json.id
  const property = (await team.post('/properties', { key: 'plan', type: 'string' })).json.id
  const first = await upload(api.url, team, `/contacts/import?list_ids=${list}`, 'email\na@x.test\n')
  const second = await upload(api.url, team, '/contacts/import', 'email,plan\na@x.test,pro\n')
  await team.delete(`/lists/${list}`)
  await team.delete(`/properties/${property}`)
  await runImports(api)
  expect((await team.get(`/contacts/imports/${first.json.id}`)).json).toMatchObject({
    status: 'failed',
    reason: 'A list that contacts are added to was deleted.',
    rows_read: 0,
  })
  expect((await team.get(`/contacts/imports/${second.json.id}`)).json).toMatchObject({
    status: 'failed',
    reason: 'The property of the column "plan" was deleted.',
  })
})

test('completed with the properties of the upload, also if their keys change meanwhile', async () => {
  const team = await api.givenTeam()
  const add = async (key: string) => (await team.post('/properties', { key, type: 'string' })).json.id
  const ids = [await add('plan'), await add('color')]
  const file = 'email,Plan,properties.color\na@x.test,pro,red\n'
  const { json } = await upload(api.url, team, '/contacts/import', file)
  for (const [index, key] of ['tariff', 'plan'].entries()) {
    expect((await team.patch(`/properties/${ids[index]}`, { key })).status).toBe(200)
  }
  await runImports(api)
  const done = (await team.get(`/contacts/imports/${json.id}`)).json
  expect(done).toMatchObject({ status: 'completed', rows_created: 1 })
  const contact = (await team.get('/contacts/a@x.test')).json
  expect(contact.properties).toEqual({ TARIFF: 'pro', PLAN: 'red' })
})

test('completed for an upload that an earlier version received, without the ids of its properties', async () => {
  const team = await api.givenTeam()
  await team.post('/properties', { key: 'plan', type: 'string' })
  const { json } = await upload(api.url, team, '/contacts/import', 'id,Email,PLAN\nx,a@x.test,pro\n')
  await api.db.query("update csv_import set options = options - 'propertyIds' where id = $1", [json.id])
  await runImports(api)
  expect((await team.get('/contacts/a@x.test')).json.properties).toEqual({ PLAN: 'pro' })
})

test('failed, with the reason, if a contact would exceed its limit', async () => {
  const team = await api.givenTeam()
  const keys = Array.from({ length: 26 }, (_, index) => `p${index}`)
  for (const key of keys) await team.post('/properties', { key, type: 'string' })
  const row = ['a@x.test', ...keys.map(() => '😀'.repeat(1000))].join(',')
  const { json } = await upload(api.url, team, '/contacts/import', `email,${keys.join(',')}\n${row}\n`)
  await runImports(api)
  expect((await team.get(`/contacts/imports/${json.id}`)).json).toMatchObject({
    status: 'failed',
    reason: 'The properties of a contact must not be greater than 100000 bytes together.',
    rows_created: 0,
  })
})

test('fewer rows in each transaction, the more lists each contact is added to', async () => {
  const team = await api.givenTeam()
  const lists = await Promise.all(
    Array.from({ length: 40 }, async (_, no) => (await team.post('/lists', { name: `List ${no}` })).json.id),
  )
  const file = `email\n${Array.from({ length: 200 }, (_, no) => `person${no}@x.test\n`).join('')}`
  await upload(api.url, team, `/contacts/import?list_ids=${lists.join(',')}`, file)
  await runImports(api)
  const counts = await api.db.query<{ count: number }>(
    'select count(*)::int4 as count from contact where team_id = $1 group by xmin::text',
    [team.id],
  )
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(200)
  expect(Math.max(...counts.map(({ count }) => count))).toBeLessThanOrEqual(75)
})

test('failed rows for a boolean cell with the name of an inherited member', async () => {
  const { team, id } = await givenImport('email,unsubscribed\na@x.test,constructor\nb@x.test,__proto__\n')
  await runImports(api)
  expect((await team.get(`/contacts/imports/${id}`)).json).toMatchObject({ rows_failed: 2, rows_created: 0 })
})

test('failed, with the rows before the fault, if the file is not CSV', async () => {
  const { team, id } = await givenImport(`email\ngood@x.test\n${'"x"y\n'.repeat(1_001)}after@x.test\n`)
  await runImports(api)
  expect((await team.get(`/contacts/imports/${id}`)).json).toMatchObject({
    status: 'failed',
    reason: 'More than 1000 lines are no CSV; the last is line 1003.',
    rows_created: 1,
  })
})

test('completed with lines of any length and pieces that end anywhere', async () => {
  // The end of a piece of 1 MiB is in the long row, and another one is in the short rows.
  const big = 'x'.repeat(3_000_000)
  const file = `email,first_name\na@x.test,"Ann"\nbig@x.test,"${big}"\n${'b@x.test,Bob\n'.repeat(30_000)}c@x.test,${big}`
  const { team, id } = await givenImport(file)
  await runImports(api)
  const { json } = await team.get(`/contacts/imports/${id}`)
  expect(json).toMatchObject({ status: 'completed', rows_created: 2, rows_read: 30_003, rows_failed: 2 })
  expect(json.errors.map(({ line }: { line: number }) => line)).toEqual([3, 30_004])
})
