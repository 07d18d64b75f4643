import { fillBacklog } from './backlog.ts'
import { domainOf, nowMs } from './mail-sites.ts'
import {
  checkAtMost,
  checkBeside,
  checkEquals,
  type Measured,
  type Outcome,
  p99,
  type Size,
  type SteadyFigure,
} from './outcome.ts'
import { sendAndWait, type Waited } from './send-and-wait.ts'
import { waitUntil } from './waits.ts'
import { createWorld } from './world.ts'

const BULK_COUNT = 100_000
/** Transactional mail is sent for one second per so many bulk emails, more than a server delivers in that time. */
const COUNT_PER_SECOND = 4000
const PER_SECOND = 4
const CONTROL_SECONDS = 60
const WARM_SECONDS = 5
const WAIT_MAX_MS = 150
const DRAIN_LIMIT_MS = 600_000
/** Destinations of the bulk mail. */
const SITES = 20

interface Result {
  control: Waited
  beside: Waited
  /** Bulk emails not yet attempted when the last transactional email was. */
  bulkLeft: number
  drainSeconds: number
}

/** Measures a team's transactional mail beside its own bulk mail, then alone. `isSameSite`: all mail goes to one site. */
async function measureBesideBulk(size: Size, count: number, isSameSite: boolean): Promise<Result> {
  const world = await createWorld({ sitesCount: SITES + 1, sendersCount: 1 })
  try {
    const [team] = world.teams
    if (team === undefined) throw new Error('there is no team')
    await fillBacklog(world.openDatabase(), count, (number) => ({
      team,
      recipient: `bulk-${number}@${domainOf(isSameSite ? 0 : number % SITES)}`,
      isBulk: true,
    }))
    await world.product.stop()
    await world.product.start()
    const startedMs = nowMs()
    const send = (label: string, seconds: number) =>
      sendAndWait(world, world.senders, {
        label,
        seconds,
        perSecond: PER_SECOND,
        domainAt: () => domainOf(isSameSite ? 0 : SITES),
      })
    const { firstAttempts } = world.sites
    // The first requests of a process compile its code, in the control as here.
    const warm = await send('warm', WARM_SECONDS)
    const beside = await send('urgent', Math.max(5, count / COUNT_PER_SECOND))
    const ownCount = warm.waits.length + beside.waits.length
    const bulkLeft = count - (firstAttempts.size - ownCount)
    size.progress(`${bulkLeft} of ${count} bulk emails left after the last transactional one`)
    await waitUntil(() => firstAttempts.size >= count + ownCount, DRAIN_LIMIT_MS)
    const drainSeconds = (nowMs() - startedMs) / 1000
    const control = await send('control', Math.max(5, CONTROL_SECONDS * size.scale))
    return { control, beside, bulkLeft, drainSeconds }
  } finally {
    await world.close()
  }
}

export const classes: SteadyFigure = {
  name: 'classes',
  title: "A team's transactional mail beside its own bulk mail",
  note:
    'A team has 100,000 bulk emails due when the server starts, and sends four transactional emails a second over HTTP. ' +
    "The time is measured from the request to RCPT TO at the recipient's server. The control is the same mail on the " +
    'same server after the bulk mail is delivered.',
  async run(size): Promise<Outcome> {
    const count = Math.max(5000, Math.round(BULK_COUNT * size.scale))
    const measured: Measured[] = []
    const verdicts = []
    for (const isSameSite of [false, true]) {
      const where = isSameSite ? 'the same site' : 'another site'
      const { control, beside, bulkLeft, drainSeconds } = await measureBesideBulk(size, count, isSameSite)
      measured.push(
        { what: `transactional to ${where}, alone (control)`, unit: 'ms', values: control.waits },
        { what: `transactional to ${where}, beside bulk`, unit: 'ms', values: beside.waits },
        { what: `bulk, ${where}, drained in`, unit: 's', values: [drainSeconds] },
      )
      verdicts.push(
        checkAtMost(`to ${where}: p99 ≤ ${WAIT_MAX_MS} ms`, p99(beside.waits), WAIT_MAX_MS, 'ms'),
        checkBeside(`to ${where}`, beside.waits, control.waits),
        checkEquals(`to ${where}: refused`, beside.failures.length + control.failures.length, 0),
        checkEquals(`to ${where}: bulk mail was under way to the end`, Number(bulkLeft > 0), 1),
      )
    }
    return { measured, verdicts }
  },
}
