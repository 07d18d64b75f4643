import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { holdPropertiesByKey, insertProperty } from '../audience/properties/properties-queries.ts'
import { newId } from '../lib/ids.ts'
import { openDb } from './db.ts'
import type { Db } from './db-types.ts'
import { migrate } from './migrations/migrate.ts'
import { violates } from './sqlstate.ts'

const OPTIONS = { connectionsMax: 2, timeoutMs: 30_000, name: 'test' }
const NAME = `test_${randomBytes(8).toString('hex')}`
const NOW = new Date()
const TEAM = newId(NOW.getTime())

let db: Db

async function onServer(statement: string): Promise<void> {
  const server = openDb(inject('postgresUrl'), { ...OPTIONS, connectionsMax: 1 })
  await server.query(statement).finally(() => server.close())
}

/** An operator's database with the Turkish locale, in which a lower-case I has no dot. */
beforeAll(async () => {
  await onServer(`create database ${NAME} template template0 locale_provider icu icu_locale 'tr'`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${NAME}`
  db = openDb(url.href, OPTIONS)
  await migrate(db, NOW)
})

afterAll(async () => {
  await db?.close()
  await onServer(`drop database if exists ${NAME} with (force)`)
})

const property = (key: string) => ({
  teamId: TEAM,
  id: newId(NOW.getTime()),
  key,
  type: 'string' as const,
  fallbackValue: null,
  createdAt: NOW,
  updatedAt: NOW,
})

test('a property is found by its key in either case and unique regardless of case, in any locale of the database', async () => {
  expect(await db.query(`select lower('ID') as lower`)).toEqual([{ lower: 'ıd' }])
  await db.transaction((tx) => insertProperty(tx, property('ID')))
  const found = await db.transaction((tx) => holdPropertiesByKey(tx, TEAM, ['id']))
  expect(found.map(({ key }) => key)).toEqual(['ID'])
  const second = await db
    .transaction((tx) => insertProperty(tx, property('id')))
    .catch((error: unknown) => error)
  expect(violates(second, 'property_key_unique')).toBe(true)
})

test('the alias of a template is unique regardless of case', async () => {
  const insert = (alias: string) =>
    db.query(
      `insert into template (team_id, id, sender_id, name, alias, subject, text_content, status, variables, version,
         created_at, updated_at)
       values ($1, $2, $2, 'x', $3, 'x', 'x', 'draft', '[]', 1, $4, $4)`,
      [TEAM, newId(NOW.getTime()), alias, NOW],
    )
  await insert('INVOICE')
  expect(violates(await insert('invoice').catch((error: unknown) => error), 'template_alias_unique')).toBe(
    true,
  )
})
