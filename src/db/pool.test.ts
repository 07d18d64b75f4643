import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { openDb } from './db.ts'

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
