import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createJobThread, type JobTurn } from './job-thread.ts'

/** A thread that runs a function body of `job` for each job. */
function threadOf(work: string, idleMs = 10_000) {
  const source = `import { parentPort } from 'node:worker_threads'
    const run = (job) => { ${work} }
    parentPort.on('message', (job) => {
      try { parentPort.postMessage({ result: run(job) }) }
      catch (error) { parentPort.postMessage({ error: error.message }) }
    })`
  const runJob = createJobThread<unknown, unknown>({
    entry: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    limits: {},
    idleMs,
    restoreError: (error) => new Error(String(error)),
  })
  return (job: unknown, turn: Partial<JobTurn> = {}) => runJob(job, { teamId: 'a', isLarge: false, ...turn })
}

test('each job gets its own result or error', async () => {
  const run = threadOf("if (job === 'bad') throw new Error('no'); return job")
  const [one, bad, two] = await Promise.allSettled([run('one'), run('bad'), run('two')])
  expect([one, two]).toMatchObject([{ value: 'one' }, { value: 'two' }])
  expect(bad).toMatchObject({ reason: { message: 'no' } })
})

test('a thread that dies fails its job; the next job gets a new one', async () => {
  const run = threadOf("if (job === 'die') process.exit(3); return job")
  const [dead, next] = await Promise.allSettled([run('die'), run('next')])
  expect(dead.status).toBe('rejected')
  expect(next).toMatchObject({ value: 'next' })
})

test('a job that arrives while an idle thread is ending gets a new one', async () => {
  const run = threadOf('return job', 0)
  for (let number = 0; number < 5; number++) {
    expect(await run(number)).toBe(number)
    // Fires after the timer that ends the thread, which was set earlier for the same time.
    await pause(1)
  }
})

test('a large job has its own thread, so the next job starts with a clean one', async () => {
  const run = threadOf('globalThis.count = (globalThis.count ?? 0) + 1; return globalThis.count')
  const runAll = (...jobs: boolean[]) => Promise.all(jobs.map((isLarge) => run(null, { isLarge })))
  expect(await runAll(false, false, true)).toEqual([1, 2, 3])
  expect(await runAll(true, true)).toEqual([1, 1])
  expect(await runAll(false, false)).toEqual([1, 2])
})

test('large jobs of two threads never run at the same time', async () => {
  const busy = 'const from = Date.now(); while (Date.now() - from < 200); return { from, to: Date.now() }'
  const threads = [threadOf(busy), threadOf(busy)]
  const spans = (await Promise.all(threads.map((run) => run(null, { isLarge: true })))) as Span[]
  const [first, second] = spans.sort((a, b) => a.from - b.from) as [Span, Span]
  expect(second.from).toBeGreaterThanOrEqual(first.to)
})

interface Span {
  from: number
  to: number
}

test('a team with one job does not wait for all the jobs of another', async () => {
  const run = threadOf('return job')
  const done: unknown[] = []
  const jobs = [1, 2, 3, 4].map((job) => ({ job, teamId: 'many' }))
  await Promise.all(
    [...jobs, { job: 'one', teamId: 'few' }].map(async ({ job, teamId }) => {
      done.push(await run(job, { teamId }))
    }),
  )
  expect(done).toEqual([1, 2, 'one', 3, 4])
})
