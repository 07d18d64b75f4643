import { setTimeout as pause } from 'node:timers/promises'
import { familyOf, signalAll } from '../../test/journeys/support/children.ts'
import { createCaller } from '../support/caller.ts'
import { Product } from '../support/product.ts'
import { checkAtMost, type Measured, type Outcome, type Size, type SteadyFigure } from './outcome.ts'

const ROUNDS = 10
const FROZEN_MS = 5000
const SILENT_DOMAIN = 'silent.destination.test'
/** Nothing listens on this port: no mail is sent. */
const NO_SINK_PORT = 9

/** Durations of one kind in milliseconds, and their upper bound. */
interface Series {
  what: string
  mostMs: number
  values: number[]
}

const SERIES = {
  start: { what: 'second start of the data directory until ready', mostMs: 6000 },
  killed: { what: 'PostgreSQL killed, until the API returns 200', mostMs: 2000 },
  refused: { what: 'PostgreSQL frozen, until the API returns 503', mostMs: 2000 },
  back: { what: 'PostgreSQL resumed, until the API returns 200', mostMs: 5000 },
  silent: { what: 'validation of an address whose DNS does not respond', mostMs: 4000 },
} as const

interface Scene {
  product: Product
  key: string
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const sinceMs = performance.now()
  await work()
  return performance.now() - sinceMs
}

async function readStatus({ product, key }: Scene): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${product.port}/domains`, {
    headers: { authorization: `Bearer ${key}` },
  })
  await reply.arrayBuffer()
  return reply.status
}

async function untilAnswered(scene: Scene): Promise<void> {
  while ((await readStatus(scene)) !== 200) await pause(10)
}

function databasePid({ product }: Scene): number {
  const pid = product.pids.find((one) => one !== product.pid)
  if (pid === undefined) throw new Error('the product has no PostgreSQL')
  return pid
}

async function validateSilent({ product, key }: Scene): Promise<void> {
  const [call, body] = [createCaller(product.port, key), { email: `ann@${SILENT_DOMAIN}` }]
  const { verdict } = await call<{ verdict: string }>({ method: 'POST', path: '/emails/validate', body })
  if (verdict !== 'unknown') throw new Error(`the verdict is ${verdict}`)
}

/**
 * Suspends PostgreSQL and measures requests meanwhile, then resumes it and measures the time to a successful request.
 */
async function freeze(scene: Scene): Promise<{ refusedMs: number[]; backMs: number }> {
  const family = familyOf(databasePid(scene))
  signalAll(family, 'SIGSTOP')
  const refusedMs: number[] = []
  try {
    const endMs = performance.now() + FROZEN_MS
    while (performance.now() < endMs) {
      refusedMs.push(await timeMs(() => readStatus(scene)))
      await pause(50)
    }
  } finally {
    signalAll(family, 'SIGCONT')
  }
  return { refusedMs, backMs: await timeMs(() => untilAnswered(scene)) }
}

async function runRound(scene: Scene, series: Record<keyof typeof SERIES, number[]>): Promise<void> {
  await scene.product.stop()
  series.start.push(await timeMs(() => scene.product.start()))
  await untilAnswered(scene)
  process.kill(databasePid(scene), 'SIGKILL')
  series.killed.push(await timeMs(() => untilAnswered(scene)))
  const { refusedMs, backMs } = await freeze(scene)
  series.refused.push(...refusedMs)
  series.back.push(backMs)
  series.silent.push(await timeMs(() => validateSilent(scene)))
}

async function measure({ scale, progress }: Size): Promise<Outcome> {
  const product = await Product.create(NO_SINK_PORT, { zone: { [SILENT_DOMAIN]: { fail: 'timeout' } } })
  const values: Record<keyof typeof SERIES, number[]> = {
    start: [],
    killed: [],
    refused: [],
    back: [],
    silent: [],
  }
  try {
    await product.start()
    const [sender] = await product.createSenders(1)
    const scene = { product, key: sender?.key ?? '' }
    const rounds = Math.max(1, Math.round(ROUNDS * scale))
    for (let round = 1; round <= rounds; round++) {
      await runRound(scene, values)
      progress(`round ${round} of ${rounds}`)
    }
  } finally {
    await product.remove()
  }
  const series: Series[] = Object.entries(SERIES).map(([name, one]) => ({
    ...one,
    values: values[name as keyof typeof SERIES],
  }))
  return {
    measured: series.map(({ what, values: ms }): Measured => ({ what, unit: 'ms', values: ms })),
    verdicts: series.map(({ what, mostMs, values: ms }) =>
      checkAtMost(`${what}: ${mostMs / 1000} s at most`, Math.max(...ms), mostMs, 'ms'),
    ),
  }
}

export const recovery: SteadyFigure = {
  name: 'recovery',
  title: 'Time to recovery',
  note:
    'One idle server with its embedded PostgreSQL. Tests assert that it recovers; how fast also depends on the ' +
    'machine and is measured here.',
  run: measure,
}
