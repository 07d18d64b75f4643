import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NODE, REPOSITORY, runChild } from '../../bench/support/children.ts'
import {
  type DebianPostgres,
  isDebianPostgresHere,
  startDebianPostgres,
  titleWithDebianPostgres,
} from './support/debian-postgres.ts'

/** The tests that use most statements. The others of the suite judge the same ones. */
const LAYERS = [
  'test/schema-statements.test.ts',
  'test/contract/',
  'test/engine/',
  'src/db/migrations/',
  'src/queue/',
]
const LAYERS_MS = 3_600_000

let postgres: DebianPostgres | null = null

beforeAll(async () => {
  if (isDebianPostgresHere) postgres = await startDebianPostgres()
})
afterAll(() => postgres?.stop())

test.skipIf(!isDebianPostgresHere)(
  titleWithDebianPostgres('the API and the engine run on PostgreSQL 15'),
  async () => {
    const vitest = join(REPOSITORY, 'node_modules', 'vitest', 'vitest.mjs')
    const env = { ...process.env, SENDWRIGHT_OPTIN: '', SENDWRIGHT_TEST_DATABASE_URL: postgres?.url }
    const { code, stdout } = await runChild(NODE, [vitest, 'run', ...LAYERS], {
      cwd: REPOSITORY,
      env,
      timeoutMs: LAYERS_MS,
    })
    expect(code, stdout.slice(-20_000)).toBe(0)
  },
  LAYERS_MS,
)
