import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { makeDirectory, removeDirectory } from '../support/children.ts'
import { fillBacklog } from './backlog.ts'
import { domainOf, nowMs } from './mail-sites.ts'
import {
  checkAtMost,
  checkEquals,
  type Outcome,
  p99,
  percentile,
  type Size,
  type SteadyFigure,
  type Verdict,
} from './outcome.ts'
import { waitUntil } from './waits.ts'
import { createWorld, type World } from './world.ts'

const COUNT = 10_000
const SITES = 20
const HOUR_MS = 3_600_000
/** The time from the end of filling to the scheduled second. */
const AHEAD_MS = 15_000
const STEP_MS = 8000
const DRAIN_LIMIT_MS = 300_000

/** A step of the clock, reverted after STEP_MS. `atMs` is in milliseconds from the scheduled second. */
interface Step {
  what: string
  offsetMs: number
  atMs: number
}
const STEPS: readonly Step[] = [
  { what: 'an hour back before the scheduled time, for 8 s', offsetMs: -HOUR_MS, atMs: -10_000 },
  { what: 'an hour back during sending, for 8 s', offsetMs: -HOUR_MS, atMs: 1500 },
  { what: 'an hour ahead during sending, for 8 s', offsetMs: HOUR_MS, atMs: 1500 },
]

interface Sent {
  /** Milliseconds from the scheduled second to RCPT TO. */
  begun: number[]
  missing: number
  twice: number
}

function countSent(world: World, label: string, count: number, dueMs: number): Sent {
  const mine = world.sites.arrivals.filter(({ recipient }) => recipient.startsWith(`${label}-`))
  const firstAttempts = [...world.sites.firstAttempts].filter(([recipient]) =>
    recipient.startsWith(`${label}-`),
  )
  return {
    begun: firstAttempts.map(([, at]) => at - dueMs),
    missing: count - firstAttempts.length,
    twice: mine.length - firstAttempts.length,
  }
}

/** Sends `count` emails scheduled for one second, with or without a step of the clock. */
async function sendScheduled(
  world: World,
  label: string,
  count: number,
  setClock: (ms: number) => void,
  step: Step | null,
): Promise<Sent> {
  const [team] = world.teams
  if (team === undefined) throw new Error('there is no team')
  const aheadMs = AHEAD_MS + count / 2
  const dueAt = new Date(Math.ceil((nowMs() + aheadMs) / 1000) * 1000)
  await fillBacklog(
    world.openDatabase(),
    count,
    (number) => ({ team, recipient: `${label}-${number}@${domainOf(number % SITES)}` }),
    dueAt,
  )
  if (nowMs() > dueAt.getTime() - 12_000)
    throw new Error('filling took too long: the scheduled time is too close')
  if (step !== null) {
    await pause(dueAt.getTime() + step.atMs - nowMs())
    setClock(step.offsetMs)
    await pause(STEP_MS)
    setClock(0)
  }
  const isAll = () => countSent(world, label, count, 0).missing === 0
  await pause(Math.max(0, dueAt.getTime() - nowMs()))
  await waitUntil(isAll, DRAIN_LIMIT_MS)
  // Leaves time for emails that would be sent a second time.
  await pause(5000)
  return countSent(world, label, count, dueAt.getTime())
}

/** Sends the same emails without a schedule, timed from the moment when workers are notified of them. */
async function sendNow(world: World, count: number): Promise<Sent> {
  const [team] = world.teams
  if (team === undefined) throw new Error('there is no team')
  const db = world.openDatabase()
  await world.product.stop()
  await world.product.start({ roles: 'api' })
  await fillBacklog(world.openDatabase(), count, (number) => ({
    team,
    recipient: `now-${number}@${domainOf(number % SITES)}`,
  }))
  await db.close()
  await world.product.stop()
  await world.product.start()
  const startedMs = nowMs()
  await waitUntil(() => countSent(world, 'now', count, 0).missing === 0, DRAIN_LIMIT_MS)
  return countSent(world, 'now', count, startedMs)
}

function checkSent(what: string, { begun, missing, twice }: Sent, control: Sent): Verdict[] {
  const bound = Math.max(60_000, 1.2 * p99(control.begun)) + (what === '' ? 0 : STEP_MS)
  return [
    checkEquals(`never sent${what}`, missing, 0),
    checkEquals(`sent early${what}`, begun.filter((ms) => ms < 0).length, 0),
    checkEquals(`sent twice${what}`, twice, 0),
    checkAtMost(
      `99 % attempted within 60 s or at the drain rate${what}`,
      percentile(begun, 0.99),
      bound,
      'ms',
    ),
  ]
}

async function measure(size: Size): Promise<Outcome> {
  const count = Math.max(500, Math.round(COUNT * size.scale))
  const directory = makeDirectory('clock')
  const clockPath = join(directory, 'offset')
  const setClock = (ms: number) => writeFileSync(clockPath, `${ms}`)
  setClock(0)
  const preload = pathToFileURL(join(import.meta.dirname, 'stepped-clock.ts')).href
  const world = await createWorld({
    sitesCount: SITES,
    sendersCount: 1,
    environment: { NODE_OPTIONS: `--import=${preload}`, BENCH_CLOCK_FILE: clockPath },
  })
  try {
    const control = await sendNow(world, count)
    size.progress(`control: 99 % attempted after ${p99(control.begun).toFixed(0)} ms`)
    const plain = await sendScheduled(world, 'plain', count, setClock, null)
    const measured = [
      { what: 'without a schedule (control)', unit: 'ms', values: control.begun },
      { what: 'scheduled', unit: 'ms', values: plain.begun },
    ]
    const verdicts = checkSent('', plain, control)
    for (const [index, step] of STEPS.entries()) {
      const stepped = await sendScheduled(world, `step${index}`, count, setClock, step)
      measured.push({ what: `scheduled; the clock ${step.what}`, unit: 'ms', values: stepped.begun })
      verdicts.push(...checkSent(`; the clock ${step.what}`, stepped, control))
    }
    return { measured, verdicts }
  } finally {
    await world.close()
    removeDirectory(directory)
  }
}

export const scheduled: SteadyFigure = {
  name: 'scheduled',
  title: 'Ten thousand emails scheduled for one second',
  note:
    'One team, 20 sites. The time is measured from the scheduled second to RCPT TO. The control is the same mail, ' +
    "due at once, on a server that starts with it. Only the server's clock (its Date) is stepped, not that of the " +
    'measurement. If the clock is an hour ahead before the scheduled time, mail is sent early by design, because ' +
    'a server has no other clock.',
  run: measure,
}
