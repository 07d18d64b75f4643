import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from './support/database.ts'
import { type Described, findTypeErrors } from './support/statements/check-rows.ts'
import { Describer } from './support/statements/describe-statement.ts'
import { evaluate } from './support/statements/evaluate.ts'
import { EXAMPLES } from './support/statements/examples.ts'
import { findStatements, type StatementCall } from './support/statements/find-statements.ts'

const ROOT = join(import.meta.dirname, '..')
/** Files with commands and schema changes, which PostgreSQL cannot describe, or that forward statements of others. */
const LEFT_OUT = [
  'src/db/{backup,partitions}/*.ts',
  'src/db/{db,listen,own-connection,page,query-patiently,release-client,send-statement,share-db}.ts',
  'src/db/migrations/migrate.ts',
  // Queries name servers, not the database.
  'src/delivery/tls/dane.ts',
  'src/operator/restore/*.ts',
  'src/privacy/retention/retention-round.ts',
]
const FILES = globSync('src/**/*.ts', { cwd: ROOT, exclude: [...LEFT_OUT, '**/*.test.ts'] })

let database: TestDatabase
let describer: Describer
let directory: string

beforeAll(async () => {
  database = await createDatabase()
  describer = new Describer(database.url)
  await describer.connect()
  directory = mkdtempSync(join(tmpdir(), 'sendwright-statements-'))
})
afterAll(async () => {
  await describer.end()
  await database.drop()
  rmSync(directory, { recursive: true, force: true })
})

async function describeAll(call: StatementCall): Promise<Described> {
  const name = `${relative(ROOT, call.file)} ${call.within}`
  const results = []
  for (const example of EXAMPLES[name] ?? EXAMPLES[call.within] ?? [{}]) {
    const sql = evaluate(call.sql, call.scope, example)
    if (typeof sql !== 'string') throw new Error('the statement is not a string')
    results.push(await describer.describe(sql))
  }
  return { call, results }
}

test('every statement matches the schema, and its asserted rows match the result', async () => {
  const calls = FILES.flatMap((file) => findStatements(join(ROOT, file)))
  const described: Described[] = []
  const wrong: string[] = []
  for (const call of calls) {
    try {
      described.push(await describeAll(call))
    } catch (error) {
      wrong.push(`${relative(ROOT, call.file)}:${call.line} ${call.within}: ${(error as Error).message}`)
    }
  }
  expect(wrong).toEqual([])
  expect(described.filter(({ call }) => call.rowType !== null).length).toBeGreaterThan(300)
  expect(await findTypeErrors(ROOT, directory, described)).toEqual([])
}, 120_000)
