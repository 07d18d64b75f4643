import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { NODE, runChild } from '../support/children.ts'
import type { TraceLine } from './trace.ts'

const RECORDER = new URL('recorder.ts', import.meta.url).href
const DB = new URL('../../src/db/db.ts', import.meta.url).href

test('long statements of the product are recorded, whether they succeed or fail', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'recorder-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const [program, trace] = [join(directory, 'program.mjs'), join(directory, 'trace')]
  writeFileSync(
    program,
    `import { openDb } from '${DB}'
    const db = openDb(process.argv[2], { connectionsMax: 1, timeoutMs: 20_000, name: 'test' })
    await db.query('select pg_sleep($1)', [0.02])
    await db.query('select pg_sleep($1), 1 / (random() * 0)::int', [0.02]).catch(() => {})
    await db.close()
    `,
  )
  const args = ['--import', RECORDER, program, inject('postgresUrl')]
  const { code, stderr } = await runChild(NODE, args, { env: { ...process.env, BENCH_TRACE_FILE: trace } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = readFileSync(trace, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceLine)
  const statements = lines.filter(({ kind, what }) => kind === 'sql' && what.includes('pg_sleep'))
  // The planner would divide by a constant zero at once, without the pause.
  const failing = 'select pg_sleep($1), 1 / (random() * 0)::int'
  expect(statements.map(({ what }) => what)).toEqual(['select pg_sleep($1)', failing])
  expect(statements[0]?.ms).toBeGreaterThanOrEqual(20)
})
