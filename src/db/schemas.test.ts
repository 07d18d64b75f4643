import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { rowsOf } from '../../test/support/foreign.ts'
import { givenTeamRow } from '../../test/support/old-weeks.ts'
import { openDb } from './db.ts'
import type { Db } from './db-types.ts'
import { LOCKS, lockAlone } from './locks.ts'
import { migrate, readBirth, requireSchema } from './migrations/migrate.ts'
import { connectForLong, runAlone } from './own-connection.ts'
import { inSchema } from './pool.ts'

/** Two schemas of one database: `public`, and one with the name of the role, which PostgreSQL searches first by default. */
const OPTIONS = { connectionsMax: 2, timeoutMs: 30_000, name: 'test' }
const NAME = `test_schemas_${randomBytes(8).toString('hex')}`
const url = new URL(inject('postgresUrl'))
url.pathname = `/${NAME}`

let role: string
let first: Db
let second: Db

async function onServer(statement: string): Promise<void> {
  const server = openDb(inject('postgresUrl'), { ...OPTIONS, connectionsMax: 1 })
  await server.query(statement).finally(() => server.close())
}

beforeAll(async () => {
  await onServer(`create database ${NAME} template template0`)
  first = openDb(url.href, OPTIONS)
  const [row] = await first.query<{ role: string }>('select current_user::text as role')
  role = row?.role ?? ''
  second = openDb(inSchema(url.href, role), OPTIONS)
  await second.query(`create schema ${role}`)
  await migrate(second, new Date())
})
afterAll(async () => {
  await Promise.all([first.close(), second.close()])
  await onServer(`drop database ${NAME} with (force)`)
})

/** Opens a connection whose URL has an option for the server. */
function openWith(option: string): Db {
  const changed = new URL(url)
  changed.searchParams.set('options', `-c ${option}`)
  const db = openDb(changed.href, OPTIONS)
  onTestFinished(() => db.close())
  return db
}

const PATH = `select current_setting('search_path') as path, to_regclass('team')::text as team`

test('every connection has the search path of its installation, by default only public', async () => {
  const alone = await first.connect()
  const long = await connectForLong(url.href, 'test')
  const none = { path: 'public', team: null }
  expect(await first.query(PATH)).toEqual([none])
  expect((await alone.query(PATH)).rows).toEqual([none])
  expect((await long.query(PATH)).rows).toEqual([none])
  await Promise.all([alone.end(), long.end()])
  expect(await second.query(PATH)).toEqual([{ path: role, team: 'team' }])
})

test.each(['work_mem=8MB', 'search_path=pg_catalog', 'search_path="$user",public'])(
  'the URL may set %s',
  async (option) => {
    const [name = '', value] = option.split('=')
    expect(await openWith(option).query('select current_setting($1) as value', [name])).toEqual([{ value }])
  },
)

test('no start where connections find the schema of the role instead of public', async () => {
  const lost = openWith('search_path="$user",public')
  await expect(requireSchema(lost, 'public')).rejects.toThrow(
    `the schema with the name of their role (${role})`,
  )
  await requireSchema(second, 'public')
})

test('no start on an empty schema while the tables are in the schema of the role', async () => {
  await expect(requireSchema(first, 'public')).rejects.toThrow(`are in the schema "${role}"`)
  await requireSchema(openWith(`search_path=${role}`), 'public')
  await first.query('create table migration ()')
  await requireSchema(first, 'public')
  await first.query('drop table migration')
})

test('the locks of two schemas are two locks', async () => {
  const taken: string[] = []
  await runAlone(first, 'packing', OPTIONS.timeoutMs, async () => {
    taken.push('first')
    await runAlone(first, 'packing', OPTIONS.timeoutMs, async () => void taken.push('first again'))
    await runAlone(second, 'packing', OPTIONS.timeoutMs, async () => void taken.push('second'))
  })
  expect(taken).toEqual(['first', 'second'])
})

test('a start does not wait for a round of retention, and no lock for another', async () => {
  await runAlone(first, 'retention', OPTIONS.timeoutMs, () =>
    first.transaction((tx) => lockAlone(tx, 'firstTeam')),
  )
  expect(new Set(Object.values(LOCKS)).size).toBe(Object.keys(LOCKS).length)
})

test('what tests read of a team is in the schema of its installation', async () => {
  const teamId = await givenTeamRow(second)
  expect(await rowsOf(second, teamId)).toEqual([expect.stringContaining(teamId)])
})

test('the same tables in two schemas are two installations, whose journals differ', async () => {
  const birth = await readBirth(second)
  await first.query(`create table migration as table ${role}.migration`)
  expect(birth).toBe(`${role} ${await readBirth(first)}`)
})
