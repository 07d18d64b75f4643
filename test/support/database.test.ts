import { expect, test } from 'vitest'
import { createDatabase } from './database.ts'

test('a created database is migrated, empty and separate from others', async () => {
  const [one, other] = [await createDatabase(), await createDatabase()]
  await one.db.query("insert into counter (team_id, name, value) values (gen_random_uuid(), 'x', 1)")
  expect(await one.db.query('select value from counter')).toEqual([{ value: 1 }])
  expect(await other.db.query('select value from counter')).toEqual([])
  await one.drop()
  await other.drop()
})
