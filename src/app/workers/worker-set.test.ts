import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { CannotStart } from '../../lib/cannot-start.ts'
import { createLog } from '../../lib/log.ts'
import { forwardLines } from './forward-lines.ts'
import type { WorkerEnd, WorkerProcess } from './launch-worker.ts'
import { WorkerSet, type WorkerSetDeps } from './worker-set.ts'

const PORTS = {
  url: 'http://127.0.0.1:8080',
  httpsPort: null,
  inboundPort: null,
  submissionPort: null,
  submissionsPort: null,
}
const WAITS = { steadyMs: 60_000, firstMs: 1, longestMs: 5 }
const POLL = { timeout: 30_000, interval: 10 }

/** Starts, and ends with the code that it reads. */
const GOOD = 'process.stdout.write("up\\n"); process.stdin.on("data", (text) => process.exit(Number(text)))'
const BAD = 'process.stderr.write("Port 25 is in use.\\n"); process.exit(1)'

/** Launches a real process that runs this program. */
function launch(number: number, program: string): WorkerProcess {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'pipe'] })
  const started = Promise.withResolvers<typeof PORTS | null>()
  const ended = Promise.withResolvers<WorkerEnd>()
  let errors = ''
  forwardLines(child.stderr, (lines) => {
    errors += lines
  })
  forwardLines(child.stdout, () => started.resolve(PORTS))
  child.stdin.on('error', () => {})
  child.once('close', (code, signal) => {
    started.resolve(null)
    ended.resolve({ code, how: signal ?? `exit code ${code}`, errors })
  })
  return {
    number,
    nodeId: `node of ${child.pid}`,
    pid: child.pid ?? -1,
    started: started.promise,
    ended: ended.promise,
    send: ({ kind }) => void (kind === 'stop' && child.stdin.write('0')),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Returns a set of workers with its log. `programOf` tells what the nth launched process runs. */
function givenWorkers(count: number, programOf: (launched: number) => string) {
  const output = new PassThrough()
  const lines: Record<string, unknown>[] = []
  forwardLines(output, (text) => {
    lines.push(
      ...text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    )
  })
  const gone: WorkerProcess[] = []
  let launched = 0
  const deps: WorkerSetDeps = {
    count,
    log: createLog('info', output),
    launch: (number) => launch(number, programOf(++launched)),
    onGone: (worker) => gone.push(worker),
    waits: WAITS,
  }
  const workers = new WorkerSet(deps)
  onTestFinished(async () => {
    workers.kill()
    await workers.stop()
  })
  return { workers, lines, gone, launched: () => launched }
}

test('started: all workers run; stopped: all have ended in order', async () => {
  const { workers, gone } = givenWorkers(3, () => GOOD)
  expect(await workers.start()).toEqual(PORTS)
  expect(workers.all().map(({ number }) => number)).toEqual([1, 2, 3])
  expect(await workers.stop()).toBe(true)
  expect(workers.all()).toEqual([])
  expect(gone).toEqual([])
})

test('not started when the first worker cannot start: its reason is thrown once, and no other is launched', async () => {
  const { workers, launched } = givenWorkers(3, () => BAD)
  await expect(workers.start()).rejects.toThrow(/^Port 25 is in use\.$/)
  expect(launched()).toBe(1)
})

test('killed: the worker is reported with its node and replaced under its number', async () => {
  const { workers, gone, lines, launched } = givenWorkers(2, () => GOOD)
  await workers.start()
  const [, second] = workers.all()
  second?.kill()
  await expect.poll(launched, POLL).toBe(3)
  expect(gone).toEqual([second])
  expect(lines).toMatchObject([
    {
      level: 'error',
      worker: 2,
      node_gone: second?.nodeId,
      process_id: second?.pid,
      how: 'SIGKILL',
      msg: 'a worker ended and is being replaced',
    },
  ])
  const replacement = workers.all().find(({ number }) => number === 2)
  expect(replacement?.pid).not.toBe(second?.pid)
  expect(await replacement?.started).toEqual(PORTS)
  expect(await workers.stop()).toBe(true)
})

test('retried for as long as another worker runs', async () => {
  const { workers, lines } = givenWorkers(2, (launched) => (launched < 3 || launched > 9 ? GOOD : BAD))
  await workers.start()
  workers.all()[1]?.kill()
  await expect.poll(() => lines.length, POLL).toBe(8)
  expect(lines[1]).toMatchObject({
    level: 'error',
    worker: 2,
    reason: 'Port 25 is in use.',
    msg: 'a worker could not start and will be retried',
  })
  await expect.poll(() => workers.all().length, POLL).toBe(2)
  expect(await workers.stop()).toBe(true)
})

/** For a process that cannot be forked. */
const fail = (): string => {
  throw new Error('spawn ENOMEM')
}

test.each([3, 2])(
  'retried when launch %i cannot be forked, while the other worker runs on',
  async (failing) => {
    const { workers, lines, gone, launched } = givenWorkers(2, (launched) =>
      launched === failing ? fail() : GOOD,
    )
    await workers.start()
    const [first] = workers.all()
    if (failing === 3) workers.all()[1]?.kill()
    await expect.poll(launched, POLL).toBe(failing + 1)
    await expect.poll(() => workers.all().length, POLL).toBe(2)
    expect(workers.all()).toContain(first)
    expect(gone).not.toContain(first)
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      worker: 2,
      reason: 'spawn ENOMEM',
      msg: 'a worker could not start and will be retried',
    })
    expect(await workers.all().find(({ number }) => number === 2)?.started).toEqual(PORTS)
    expect(await workers.stop()).toBe(true)
  },
)

test('not started when the first worker cannot be forked: the reason is told without a stack', async () => {
  const { workers } = givenWorkers(2, fail)
  await expect(workers.start()).rejects.toBeInstanceOf(CannotStart)
})

test('failed when no worker runs and one has failed to start five times', async () => {
  const { workers, launched } = givenWorkers(2, (launched) => (launched < 3 ? GOOD : BAD))
  await workers.start()
  workers.kill()
  expect((await workers.failed).message).toBe('Port 25 is in use.')
  expect(launched()).toBeGreaterThanOrEqual(2 + 5)
  await workers.stop()
})

test('not in order when a worker is killed while it stops', async () => {
  const { workers } = givenWorkers(2, (launched) =>
    launched === 1 ? GOOD : 'process.stdout.write("up\\n"); setInterval(() => {}, 1000)',
  )
  await workers.start()
  const stopped = workers.stop()
  workers.kill()
  expect(await stopped).toBe(false)
})
