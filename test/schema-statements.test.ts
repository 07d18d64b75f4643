import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { splitStatements } from '../src/db/migrations/split-statements.ts'
import { createDatabase, type TestDatabase } from './support/database.ts'
import { type Described, findTypeErrors } from './support/statements/check-rows.ts'
import { Describer } from './support/statements/describe-statement.ts'
import { evaluate } from './support/statements/evaluate.ts'
import { EXAMPLES } from './support/statements/examples.ts'
import { findStatements, type StatementCall } from './support/statements/find-statements.ts'
import { CHAIN_FAULT, findFaults, findMigrationFaults } from './support/statements/statement-rules.ts'

const ROOT = join(import.meta.dirname, '..')
/**
 * Files with commands and schema changes, which PostgreSQL cannot describe, or that forward statements of others. The rules
 * apply to their statements only if the text is constant.
 */
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

const placeOf = ({ file, line, within }: StatementCall) => `${relative(ROOT, file)}:${line} ${within}`

/** Returns the statement of a call, or those that it can compose. */
function evaluateAll(call: StatementCall): string[] {
  const name = `${relative(ROOT, call.file)} ${call.within}`
  return (EXAMPLES[name] ?? EXAMPLES[call.within] ?? [{}]).map((example) => {
    const sql = evaluate(call.sql, call.scope, example)
    if (typeof sql !== 'string') throw new Error('the statement is not a string')
    return sql
  })
}

/** Returns no statement if its text depends on names that are known only at run time. */
function evaluateConstant(call: StatementCall): string[] {
  try {
    return evaluateAll(call)
  } catch {
    return []
  }
}

const callsIn = (files: readonly string[]) => files.flatMap((file) => findStatements(join(ROOT, file)))

async function describeAll(call: StatementCall): Promise<Described> {
  const results = []
  for (const sql of evaluateAll(call)) results.push(await describer.describe(sql))
  return { call, results }
}

test('every statement matches the schema, and its asserted rows match the result', async () => {
  const calls = callsIn(FILES)
  const described: Described[] = []
  const wrong: string[] = []
  for (const call of calls) {
    try {
      described.push(await describeAll(call))
    } catch (error) {
      wrong.push(`${placeOf(call)}: ${(error as Error).message}`)
    }
  }
  expect(wrong).toEqual([])
  expect(described.filter(({ call }) => call.rowType !== null).length).toBeGreaterThan(300)
  expect(await findTypeErrors(ROOT, directory, described)).toEqual([])
}, 120_000)

/** Rooms whose statements run for each email, event, webhook or request, or for batches of them. */
const HOT = [
  'src/access/rate-windows-queries.ts',
  'src/audience/unsubscribes/*.ts',
  'src/automations/**/*.ts',
  'src/bodies/**/*.ts',
  'src/campaigns/{rows,sending}/*.ts',
  'src/delivery/**/*.ts',
  'src/emails/**/*.ts',
  'src/events/*.ts',
  'src/inbound/**/*.ts',
  'src/metrics/counting/*.ts',
  'src/privacy/retention/*.ts',
  'src/queue/*.ts',
  'src/request-log/*.ts',
  'src/suppressions/*.ts',
  'src/teams/usage-queries.ts',
  'src/tracking/**/*.ts',
  'src/webhooks/**/*.ts',
]

/** Functions of these rooms whose statements run only now and then, by themselves. */
const COLD = new Set([
  // They delete what is left of records that were deleted, or that nothing uses.
  'deleteReporters',
  'deleteUnusedVersions',
  'sweepAutomations',
  'sweepCampaigns',
  // They compare thousands of contacts with a segment. Both changes need the same answer, which would be too large to send.
  'compareMembers',
  'readSegmentMembers',
])

test('every statement is fit for Citus', async () => {
  const hot = new Set(globSync(HOT, { cwd: ROOT }))
  const known = {
    mutableFunctions: await describer.findMutableFunctions(),
    timeColumns: await describer.findTimeColumns(),
  }
  const faults: string[] = []
  const spared = new Set<string>()
  const check = (call: StatementCall, statements: readonly string[]) => {
    const context = { isHot: hot.has(relative(ROOT, call.file)), ...known }
    for (const fault of statements.flatMap((sql) => findFaults(sql, context))) {
      if (fault === CHAIN_FAULT && COLD.has(call.within)) spared.add(call.within)
      else faults.push(`${placeOf(call)}: ${fault}`)
    }
  }
  for (const call of callsIn(FILES)) check(call, evaluateAll(call))
  const others = callsIn(globSync(LEFT_OUT, { cwd: ROOT, exclude: ['**/*.test.ts'] }))
  const constant = others.flatMap((call) => evaluateConstant(call).map((sql) => ({ call, sql })))
  expect(constant.length).toBeGreaterThan(20)
  for (const { call, sql } of constant) check(call, [sql])
  expect(faults).toEqual([])
  expect(spared).toEqual(COLD)
})

test('new migrations set no storage, and add no column with a check', () => {
  const FIRST_RULED = '0050'
  const folder = join(ROOT, 'src/db/migrations')
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql') && name >= FIRST_RULED)
  const faults = files.flatMap((name) =>
    splitStatements(readFileSync(join(folder, name), 'utf8')).flatMap((sql) =>
      findMigrationFaults(sql).map((fault) => `${name}: ${fault}`),
    ),
  )
  expect(faults).toEqual([])
})
