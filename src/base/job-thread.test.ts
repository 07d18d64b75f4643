import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createJobThread } from './job-thread.ts'

/** A thread whose jobs are run by the body of a function of `job`. */
function threadOf(work: string, idleMs = 10_000) {
  const source = `import { parentPort } from 'node:worker_threads'
    const run = (job) => { ${work} }
    parentPort.on('message', (job) => {
      try { parentPort.postMessage({ result: run(job) }) }
      catch (error) { parentPort.postMessage({ error: error.message }) }
    })`
  return createJobThread<unknown, unknown>({
    entry: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    limits: {},
    idleMs,
    restoreError: (error) => new Error(String(error)),
  })
}

test('each job gets its own result or error', async () => {
  const run = threadOf("if (job === 'bad') throw new Error('no'); return job")
  const [one, bad, two] = await Promise.allSettled([run('one'), run('bad'), run('two')])
  expect([one, two]).toMatchObject([{ value: 'one' }, { value: 'two' }])
  expect(bad).toMatchObject({ reason: { message: 'no' } })
})

test('a thread that dies fails its job; the next job has a new one', async () => {
  const run = threadOf("if (job === 'die') process.exit(3); return job")
  const [dead, next] = await Promise.allSettled([run('die'), run('next')])
  expect(dead.status).toBe('rejected')
  expect(next).toMatchObject({ value: 'next' })
})

test('a job that comes while an idle thread is ending has a new one', async () => {
  const run = threadOf('return job', 0)
  for (let number = 0; number < 5; number++) {
    expect(await run(number)).toBe(number)
    // Fires behind the timer that ends the thread, which was set before it for the same time.
    await pause(1)
  }
})
