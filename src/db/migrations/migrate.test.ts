import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { findIdempotencyKeys } from '../../emails/idempotency/idempotency-queries.ts'
import { newId } from '../../lib/ids.ts'
import { countSuppressions, listSuppressions } from '../../suppressions/list-suppressions-queries.ts'
import { deleteSuppressions } from '../../suppressions/suppressions-queries.ts'
import { openDb } from '../db.ts'
import type { Db } from '../db-types.ts'
import { migrate } from './migrate.ts'

const OPTIONS = { connectionsMax: 2, timeoutMs: 30_000, name: 'test' }
const NAME = `test_${randomBytes(8).toString('hex')}`
/** A time before migration 0002 existed. */
const WRITTEN_AT = new Date('2026-11-01T00:00:00Z')
const TEAM = newId(WRITTEN_AT.getTime())

let db: Db
let applied: string[]

async function onServer(statement: string): Promise<void> {
  const server = openDb(inject('postgresUrl'), { ...OPTIONS, connectionsMax: 1 })
  await server.query(statement).finally(() => server.close())
}

async function textOf(migration: string): Promise<string> {
  return readFile(join(import.meta.dirname, migration), 'utf8')
}

/** Creates an installation that has only the first migration. */
async function makeFirstState(): Promise<void> {
  const client = await db.connect()
  await client.query('create table migration (name text primary key, applied_at timestamptz not null)')
  await client.query(await textOf('0001-foundation.sql'))
  await client.query(`insert into migration values ('0001-foundation.sql', now())`)
  await client.end()
  for (const [email, reason] of [
    ['b@x.test', 'bounce'],
    ['a_@x.test', 'bounce'],
    ['a@x.test', 'manual'],
    ['aa@x.test', null],
  ]) {
    await db.query(
      `insert into suppression (team_id, id, email, reason, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
      [TEAM, newId(WRITTEN_AT.getTime()), email, reason, WRITTEN_AT],
    )
  }
  await db.query(`insert into counter (team_id, name, value) values ($1, 'suppressions', 4)`, [TEAM])
  await db.query(
    `insert into idempotency (team_id, key, request_hash, email_ids, created_at) values ($1, 'k', '\\x00', $2, $3)`,
    [TEAM, [TEAM], WRITTEN_AT],
  )
}

beforeAll(async () => {
  await onServer(`create database ${NAME} template template0`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${NAME}`
  db = openDb(url.href, OPTIONS)
  await makeFirstState()
  applied = await migrate(db, WRITTEN_AT)
})

afterAll(async () => {
  await db?.close()
  await onServer(`drop database if exists ${NAME} with (force)`)
})

test('the first migration does not change: later changes are in later migrations', async () => {
  const hash = createHash('sha256').update(await textOf('0001-foundation.sql'))
  expect(hash.digest('hex')).toBe('589adb8b811e363630e60a997273a5bc55a3735ab13e5b1b96b97b6ce4743243')
})

describe('an installation with only the first migration', () => {
  const range = { size: 10, offset: 0, after: null, before: null }

  test('migrates once', async () => {
    expect(applied).not.toContain('0001-foundation.sql')
    expect(applied).toContain('0002-audience.sql')
    expect(await migrate(db, WRITTEN_AT)).toEqual([])
  })

  test('migrates suppressions, which are counted by reason even after deletion', async () => {
    const totals = async () =>
      Promise.all((['bounce', 'manual'] as const).map((reason) => countSuppressions(db, TEAM, { reason })))
    expect(await totals()).toEqual([2, 1])
    expect(await countSuppressions(db, TEAM, {})).toBe(4)
    await db.transaction((tx) => deleteSuppressions(tx, TEAM, { emails: ['b@x.test'] }))
    expect(await totals()).toEqual([1, 1])
  })

  test('migrates suppressions, which are found by the start of their address, in byte order', async () => {
    const { rows } = await listSuppressions(db, TEAM, { prefix: 'a' }, range)
    expect(rows.map(({ email }) => email)).toEqual(['a@x.test', 'a_@x.test', 'aa@x.test'])
    const [column] = await db.query<{ collation: string }>(
      `select collation_name as collation from information_schema.columns
       where table_name = 'suppression' and column_name = 'email'`,
    )
    expect(column?.collation).toBe('C')
  })

  test('migrates earlier Idempotency-Keys, which remain valid', async () => {
    const [kept] = await findIdempotencyKeys(db, [{ teamId: TEAM, key: 'k' }], WRITTEN_AT)
    expect(kept?.answer).toEqual({ emailIds: [TEAM], refused: [] })
  })
})
