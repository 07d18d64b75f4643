import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NODE, REPOSITORY, runChild } from '../../bench/support/children.ts'
import { titleOf } from '../support/absent-programs.ts'
import { findFreePort } from '../support/ports.ts'

/** The oldest supported version, as Debian 12 packages it. */
const BIN = '/usr/lib/postgresql/15/bin'
const isHere = existsSync(join(BIN, 'initdb')) && process.getuid?.() === 0
/** The tests that use most statements. The others of the suite judge the same ones. */
const LAYERS = [
  'test/schema-statements.test.ts',
  'test/contract/',
  'test/engine/',
  'src/db/migrations/',
  'src/queue/',
]
const LAYERS_MS = 3_600_000

let folder: string
let port: number

/** PostgreSQL does not run as root. */
function runAsPostgres(program: string, args: readonly string[]) {
  return runChild('runuser', ['-u', 'postgres', '--', join(BIN, program), ...args], { cwd: folder })
}

beforeAll(async () => {
  if (!isHere) return
  folder = mkdtempSync(join(tmpdir(), 'sendwright-postgresql-15-'))
  await runChild('chown', ['postgres', folder])
  port = await findFreePort()
  const settings = [
    '-c listen_addresses=127.0.0.1',
    `-c unix_socket_directories=${folder}`,
    `-p ${port}`,
    '-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=400',
  ].join(' ')
  const data = ['-D', join(folder, 'data')]
  await runAsPostgres('initdb', [...data, '-A', 'trust', '-U', 'postgres', '--locale=C.UTF-8', '-E', 'UTF8'])
  const started = await runAsPostgres('pg_ctl', [
    ...data,
    '-l',
    join(folder, 'log'),
    '-o',
    settings,
    '-w',
    'start',
  ])
  expect(started.code, started.stdout).toBe(0)
})
afterAll(async () => {
  if (!isHere) return
  await runAsPostgres('pg_ctl', ['-D', join(folder, 'data'), '-m', 'immediate', '-w', 'stop'])
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!isHere)(
  titleOf('the API and the engine run on PostgreSQL 15', !isHere, 'PostgreSQL 15 for root', 'postgresql-15'),
  async () => {
    const vitest = join(REPOSITORY, 'node_modules', 'vitest', 'vitest.mjs')
    const env = {
      ...process.env,
      SENDWRIGHT_OPTIN: '',
      SENDWRIGHT_TEST_DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
    }
    const { code, stdout } = await runChild(NODE, [vitest, 'run', ...LAYERS], {
      cwd: REPOSITORY,
      env,
      timeoutMs: LAYERS_MS,
    })
    expect(code, stdout.slice(-20_000)).toBe(0)
  },
  LAYERS_MS,
)
