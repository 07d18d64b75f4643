import { expect, inject, onTestFinished, type TestContext, test } from 'vitest'
import { startDatabaseProxy } from '../../test/support/database-proxy.ts'
import { newId } from '../lib/ids.ts'
import { openDb } from './db.ts'
import { DatabaseUnavailable, type Db, type DbOptions } from './db-types.ts'
import { together } from './transactions.ts'

// Most of these tests wait for timeouts, each with pools and locks of its own, so they run at the same time. The test that
// blocks the process runs alone: it would delay the others past their timeouts.

test.concurrent('unavailable for a statement that the server ends, and available for other callers', async ({
  expect,
  onTestFinished,
}) => {
  const db = openDb(inject('postgresUrl'), {
    connectionsMax: 2,
    timeoutMs: 5000,
    statementTimeoutMs: 100,
    name: 'test',
  })
  onTestFinished(() => db.close())
  await expect(db.query('select pg_sleep(10)')).rejects.toThrow(DatabaseUnavailable)
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
})

test.concurrent('unavailable immediately for every caller after a statement without a response', async ({
  expect,
  onTestFinished,
}) => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 2, timeoutMs: 100, name: 'test' })
  onTestFinished(() => db.close())
  await expect(db.query('select pg_sleep(60)')).rejects.toThrow(DatabaseUnavailable)
  await expect(db.query('select 1')).rejects.toThrow(DatabaseUnavailable)
})

/** Counts the server's connections named `name`. */
async function countConnections(observer: Db, name: string): Promise<number> {
  const [row] = await observer.query<{ count: number }>(
    'select count(*)::int4 as count from pg_stat_activity where application_name = $1',
    [name],
  )
  return row?.count ?? 0
}

/** Opens a pool, and a separate connection that observes the server. */
function openObserved(
  options: Partial<DbOptions>,
  onTestFinished: TestContext['onTestFinished'],
): { db: Db; observer: Db; name: string } {
  const name = `observed-${newId()}`
  const db = openDb(inject('postgresUrl'), { connectionsMax: 2, timeoutMs: 500, ...options, name })
  const observer = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 20_000, name: 'test' })
  onTestFinished(async () => {
    await db.close()
    await observer.close()
  })
  return { db, observer, name }
}

test.concurrent('no more connections than its limit while statements that timed out still run on the server', async ({
  expect,
  onTestFinished,
}) => {
  const { db, observer, name } = openObserved({}, onTestFinished)
  const slow = 'select pg_sleep(3)'
  const counts: number[] = []
  for (let round = 0; round < 4; round++) {
    const crowd = Array.from({ length: 6 }, () => db.query(slow).catch((error: unknown) => error))
    for (const outcome of await Promise.all(crowd)) expect(outcome).toBeInstanceOf(DatabaseUnavailable)
    // The next batch is not rejected from memory: a probe has timed out before it.
    await expect
      .poll(() => db.query(slow).catch((error: Error) => String(error.cause)))
      .not.toContain('a moment ago')
    counts.push(await countConnections(observer, name))
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(2)
  await expect.poll(() => db.query('select 1 as one').catch(() => null)).toEqual([{ one: 1 }])
})

test.concurrent('available for others once the server answers one statement, even though another has timed out', async ({
  expect,
  onTestFinished,
}) => {
  const { db, observer } = openObserved({ connectionsMax: 3, timeoutMs: 1000 }, onTestFinished)
  const lock = 'select pg_advisory_xact_lock(7002)'
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const holding = observer.transaction(async (tx) => {
    await tx.query(lock)
    locked()
    await mayEnd
  })
  await isLocked
  const other = db.transaction(async (tx) => {
    await tx.query('set local lock_timeout = 0')
    return tx.query(lock, [], { timeoutMs: 20_000 })
  })
  await expect(db.query('select pg_sleep(3)')).rejects.toThrow(DatabaseUnavailable)
  end()
  await Promise.all([holding, other])
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
})

test.concurrent('available for others while many wait for a lock that is held for a long time', async ({
  expect,
  onTestFinished,
}) => {
  const { db, observer } = openObserved({ connectionsMax: 3, timeoutMs: 1500 }, onTestFinished)
  const lock = 'select pg_advisory_xact_lock(7003)'
  await observer.transaction(async (tx) => {
    await tx.query(lock)
    for (let round = 0; round < 3; round++) {
      const crowd = Array.from({ length: 3 }, () => db.query(lock).catch((error: unknown) => error))
      for (const outcome of await Promise.all(crowd)) expect(outcome).toBeInstanceOf(DatabaseUnavailable)
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
    }
  })
})

test.concurrent('one caller probes an unavailable database, and its success admits all others', async ({
  expect,
  onTestFinished,
}) => {
  // Long enough that a busy machine opens three connections within it.
  const { db, observer, name } = openObserved({ connectionsMax: 4, timeoutMs: 2000 }, onTestFinished)
  await expect(db.query('select pg_sleep(5)')).rejects.toThrow(DatabaseUnavailable)
  const query = () =>
    db.query('select 1').then(
      () => 'answered',
      (error: Error) => String(error.cause),
    )
  await expect.poll(query).toBe('answered')
  expect(await Promise.all(Array.from({ length: 20 }, query))).toEqual(Array(20).fill('answered'))
  expect(await countConnections(observer, name)).toBeLessThanOrEqual(4)
})

test.concurrent('a statement ends on the server soon after its connection was closed', async ({
  expect,
  onTestFinished,
}) => {
  const { db, observer, name } = openObserved({}, onTestFinished)
  await expect(db.query('select pg_sleep(50)')).rejects.toThrow(DatabaseUnavailable)
  expect(await countConnections(observer, name)).toBe(1)
  await expect.poll(() => countConnections(observer, name)).toBe(0)
})

test.concurrent('a statement has the time of a slow one that was sent before it', async ({
  expect,
  onTestFinished,
}) => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 1_000, name: 'test' })
  onTestFinished(() => db.close())
  const results = await db.transaction((tx) =>
    together([
      tx.query('select 1 as slow from pg_sleep(1.5)', [], { timeoutMs: 60_000 }),
      tx.query('select 1 as one'),
    ]),
  )
  expect(results).toEqual([[{ slow: 1 }], [{ one: 1 }]])
})

test.concurrent('usable again after a statement that timed out', async ({ expect, onTestFinished }) => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 200, name: 'test' })
  onTestFinished(() => db.close())
  await expect(db.query('select pg_sleep(60)')).rejects.toThrow(DatabaseUnavailable)
  await expect.poll(() => db.query('select 1 as one').catch(() => null)).toEqual([{ one: 1 }])
})

test.concurrent('rejected when a statement failed and its error was caught: nothing is committed', async ({
  expect,
  onTestFinished,
}) => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 5000, name: 'test' })
  onTestFinished(() => db.close())
  const careless = db.transaction(async (tx) => {
    await tx.query('select 1 / 0').catch(() => null)
    return 'done'
  })
  await expect(careless).rejects.toThrow('A statement failed')
  expect(await db.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }])
})

test.concurrent('an unknown outcome when a COMMIT is not answered', async ({ expect, onTestFinished }) => {
  const proxy = await startDatabaseProxy(inject('postgresUrl'))
  const db = openDb(proxy.url, { connectionsMax: 1, timeoutMs: 500, name: 'test' })
  onTestFinished(async () => {
    proxy.stop()
    await db.close()
  })
  await db.query('select 1')
  proxy.hang('commits')
  const unanswered = db.transaction((tx) => tx.query('select 1'))
  await expect(unanswered).rejects.toMatchObject({ name: 'DatabaseUnavailable', commitUnknown: true })
})

test.concurrent('a known outcome when the server ends a write that was sent with the COMMIT', async ({
  expect,
  onTestFinished,
}) => {
  const db = openDb(inject('postgresUrl'), {
    connectionsMax: 1,
    timeoutMs: 5000,
    statementTimeoutMs: 100,
    name: 'test',
  })
  onTestFinished(() => db.close())
  const ended = db.transaction(async (tx) => {
    tx.writeLast('slow', [1], async (last) => {
      await last.query('select pg_sleep(10)')
    })
  })
  await expect(ended).rejects.toMatchObject({ name: 'DatabaseUnavailable', commitUnknown: false })
})

/** Holds the event loop for `ms`, without work, when what has begun has reached the server. */
async function hold(ms: number): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('available after this process was blocked for longer than the timeout, because the response had arrived', async () => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 1500, name: 'test' })
  onTestFinished(() => db.close())
  await db.query('select 1')
  const query = db.query('select 2 as two')
  const inTransaction = db.transaction((tx) => tx.query('select 3 as three'))
  await hold(2000)
  expect(await query).toEqual([{ two: 2 }])
  expect(await inTransaction).toEqual([{ three: 3 }])
})

test('available after this process was blocked while a connection was being opened', async () => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 1500, name: 'test' })
  onTestFinished(() => db.close())
  const query = db.query('select 1 as one')
  await hold(2000)
  expect(await query).toEqual([{ one: 1 }])
})
