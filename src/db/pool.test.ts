import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openDb } from './db.ts'
import { inSchema, settingsOf, splitUrl } from './pool.ts'

/** Longer than idle connections usually stay open. */
const LONG_MS = 120_000

test.each([
  { connectionsMin: 1, left: 1 },
  { connectionsMin: 0, left: 0 },
])(
  'of three idle connections, $left stay open when the least is $connectionsMin',
  async ({ connectionsMin, left }) => {
    const db = openDb(inject('postgresUrl'), {
      connectionsMax: 3,
      connectionsMin,
      timeoutMs: 20_000,
      name: 'test',
    })
    onTestFinished(() => db.close())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await Promise.all(Array.from({ length: 3 }, () => db.query('select 1')))
    expect(db.use()).toEqual({ busy: 0, idle: 3, waiting: 0 })
    vi.advanceTimersByTime(LONG_MS)
    expect(db.use()).toEqual({ busy: 0, idle: left, waiting: 0 })
  },
)

const OPTIONS = { connectionsMax: 1, timeoutMs: 1000, name: 'test' }

test('unchanged: a URL with the default schema', () => {
  const url = 'postgres://us:p%40ss@db.test/mail?host=/run/postgresql'
  expect(inSchema(url, 'public')).toBe(url)
  expect(splitUrl(url)).toEqual({ url, options: '', schema: null })
})

test.each([
  ['postgres://us:p%40ss@db.test/mail', 'postgres://us:p%40ss@db.test/mail', ''],
  ['postgres:///mail?host=%2Frun&port=5433', 'postgres:///mail?host=%2Frun&port=5433', ''],
  ['postgres://db.test/mail?options=-c%20work_mem%3D8MB', 'postgres://db.test/mail', '-c work_mem=8MB '],
  [
    'postgres://db.test/mail?options=-c+a%3Db&sslmode=require',
    'postgres://db.test/mail?sslmode=require',
    '-c a=b ',
  ],
])('%s in a schema: its own options and ours stay', (url, rest, own) => {
  const address = inSchema(url, 'cell_a')
  expect(splitUrl(address)).toEqual({
    url: rest,
    options: `${own}-c search_path=cell_a`,
    schema: 'cell_a',
  })
  const { connectionString, options, application_name } = settingsOf(address, OPTIONS)
  expect(connectionString).toBe(rest)
  expect(options).toMatch(/^-c jit=off .* -c search_path=cell_a$/)
  expect(application_name).toBe('test cell_a')
})
