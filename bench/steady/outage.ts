import { setTimeout as pause } from 'node:timers/promises'
import { notify } from '../../src/db/listen.ts'
import { fillBacklog } from './backlog.ts'
import { addressOf, domainOf, nowMs } from './mail-sites.ts'
import { checkAtMost, checkEquals, type Outcome, p99, type Size, type SteadyFigure } from './outcome.ts'
import { sendAndWait, type Waited } from './send-and-wait.ts'
import { waitUntil } from './waits.ts'
import { createWorld, type World } from './world.ts'

const WAITING_COUNT = 10_000
const OUTAGE_SECONDS = 1800
const CONTROL_SECONDS = 120
const DRAIN_LIMIT_SECONDS = 600
const OTHERS_PER_SECOND = 20
/** Healthy sites; site 0 is the one that is down. */
const OTHER_SITES = 10
const DEFAULT_SCHEDULE_SECONDS = [60, 300, 900, 1800, 3600, 7200, 14_400]

interface Outage {
  control: number[]
  others: number[]
  connectionsPerMinute: number
  drainSeconds: number
  statuses: Record<string, number>
  failures: number
}

function sendToOthers(world: World, label: string, seconds: number): Promise<Waited> {
  return sendAndWait(world, world.senders.slice(1), {
    label,
    seconds,
    perSecond: OTHERS_PER_SECOND,
    domainAt: (number) => domainOf(1 + (number % OTHER_SITES)),
  })
}

async function measureOutage(size: Size): Promise<Outage> {
  const count = Math.max(200, Math.round(WAITING_COUNT * size.scale))
  const outageSeconds = Math.max(90, OUTAGE_SECONDS * size.scale)
  const schedule = DEFAULT_SCHEDULE_SECONDS.map(
    (seconds) => `${Math.max(1, Math.round(seconds * size.scale))}s`,
  )
  const world = await createWorld({
    sitesCount: 1 + OTHER_SITES,
    sendersCount: 2,
    ...(size.scale < 1 && { environment: { SENDWRIGHT_RETRY_SCHEDULE: schedule.join(',') } }),
  })
  try {
    const [team] = world.teams
    if (team === undefined) throw new Error('there is no team')
    await world.product.stop()
    await world.product.start()
    await sendToOthers(world, 'warm', 5)
    const control = await sendToOthers(world, 'control', Math.max(10, CONTROL_SECONDS * size.scale))
    world.sites.behave(addressOf(0), { kind: 'down' })
    const brokenMs = nowMs()
    const sending = sendToOthers(world, 'others', outageSeconds)
    const db = world.openDatabase()
    await fillBacklog(db, count, (number) => ({ team, recipient: `w-${number}@${domainOf(0)}` }))
    await notify(db, 'sendwright_due')
    await pause(brokenMs + outageSeconds * 1000 - nowMs())
    world.sites.behave(addressOf(0), { kind: 'takes', delayMs: 0 })
    const repairedMs = nowMs()
    const others = await sending
    const countTaken = () => world.sites.arrivals.filter(({ recipient }) => recipient.startsWith('w-')).length
    await waitUntil(() => countTaken() >= count, (DRAIN_LIMIT_SECONDS + 60) * 1000)
    const drainSeconds = (nowMs() - repairedMs) / 1000
    // The last deliveries are settled a moment later.
    await pause(2000)
    const connections = (world.sites.connections.get(addressOf(0)) ?? []).filter(
      (at) => at > brokenMs && at < repairedMs,
    )
    const rows = await db.query<{ status: string; count: number }>(
      "select status, count(*)::int4 as count from delivery where address like 'w-%' group by status",
    )
    return {
      control: control.waits,
      others: others.waits,
      connectionsPerMinute: connections.length / (outageSeconds / 60),
      drainSeconds,
      statuses: Object.fromEntries(rows.map((row) => [row.status, row.count])),
      failures: control.failures.length + others.failures.length,
    }
  } finally {
    await world.close()
  }
}

export const outage: SteadyFigure = {
  name: 'outage',
  title: 'A destination that is down for half an hour',
  note:
    'At full size the benchmark takes 30 minutes. A smaller scale shortens the outage and the retry schedule ' +
    'alike, but not the probes of a dead site. The site accepts connections and closes them before it sends ' +
    'anything. Others: 20 emails a second to ten healthy sites from another team, measured from the request to ' +
    'RCPT TO. The control is the same mail before the outage.',
  async run(size): Promise<Outcome> {
    const result = await measureOutage(size)
    const delivered = result.statuses.delivered ?? 0
    const all = Object.values(result.statuses).reduce((sum, count) => sum + count, 0)
    return {
      measured: [
        { what: 'others before (control)', unit: 'ms', values: result.control },
        { what: 'others during the outage', unit: 'ms', values: result.others },
        { what: 'time to drain after its return', unit: 's', values: [result.drainSeconds] },
      ],
      verdicts: [
        checkEquals('not delivered in the end (lost, bounced, waiting)', all - delivered, 0),
        checkAtMost('connections to it per minute ≤ 2', result.connectionsPerMinute, 2, ''),
        checkAtMost('drained within 10 minutes of its return', result.drainSeconds, DRAIN_LIMIT_SECONDS, 's'),
        checkAtMost("others' p99 ≤ 1.5 × control", p99(result.others) / p99(result.control), 1.5, '×'),
        checkEquals('requests refused', result.failures, 0),
      ],
    }
  },
}
