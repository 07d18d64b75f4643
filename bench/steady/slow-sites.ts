import { addressOf, domainOf } from './mail-sites.ts'
import { checkAtMost, checkEquals, type Outcome, p99, type Size, type SteadyFigure } from './outcome.ts'
import { sendAndWait, type Waited } from './send-and-wait.ts'
import { createWorld, type World } from './world.ts'

const SITES = 100
/** Sites 0 to 19 are slow, sites 20 to 29 drop the connection, and the others are healthy. */
const SLOW = 20
const DROPPING = 10
const BAD = SLOW + DROPPING
const HEALTHY = new Set(Array.from({ length: SITES - BAD }, (_, index) => domainOf(BAD + index)))
const SLOW_ANSWER_MS = 30_000
/** Spread evenly over all sites, from two teams. */
const PER_SECOND = 80
const SECONDS = 240
const CONTROL_SECONDS = 60

/** Sends from both teams to all sites from `firstSite` on. Returns the waits of the healthy sites. */
function sendRound(world: World, label: string, firstSite: number, seconds: number): Promise<Waited> {
  const sitesCount = SITES - firstSite
  return sendAndWait(world, world.senders, {
    label,
    seconds,
    perSecond: (PER_SECOND * sitesCount) / SITES,
    domainAt: (number) => domainOf(firstSite + (number % sitesCount)),
    isMeasured: (recipient) => HEALTHY.has(recipient.slice(recipient.indexOf('@') + 1)),
  })
}

async function compare(size: Size): Promise<{ control: Waited; beside: Waited; again: Waited }> {
  const world = await createWorld({ sitesCount: SITES, sendersCount: 2 })
  try {
    await world.product.stop()
    await world.product.start()
    for (let site = 0; site < SLOW; site++) {
      world.sites.behave(addressOf(site), { kind: 'takes', delayMs: SLOW_ANSWER_MS })
    }
    for (let site = SLOW; site < BAD; site++) world.sites.behave(addressOf(site), { kind: 'drops' })
    const controlSeconds = Math.max(10, CONTROL_SECONDS * size.scale)
    await sendRound(world, 'warm', BAD, 5)
    const control = await sendRound(world, 'control', BAD, controlSeconds)
    const beside = await sendRound(world, 'beside', 0, Math.max(20, SECONDS * size.scale))
    // By now, the bad sites occupy all resources that they can.
    const again = await sendRound(world, 'again', 0, controlSeconds)
    return { control, beside, again }
  } finally {
    await world.close()
  }
}

export const slowSites: SteadyFigure = {
  name: 'slow-sites',
  title: 'Mail to healthy sites beside slow and broken ones',
  note:
    'Two teams together send 80 emails a second, spread over 100 sites. 20 sites reply to each command after 30 s, ' +
    'and 10 close the connection after the final dot. The time is measured from the request to RCPT TO, for the ' +
    '70 healthy sites. The control is the same mail to the healthy sites, without mail to the others, on the same ' +
    'server before.',
  async run(size): Promise<Outcome> {
    const { control, beside, again } = await compare(size)
    return {
      measured: [
        { what: 'healthy sites alone (control)', unit: 'ms', values: control.waits },
        { what: 'healthy sites beside the others', unit: 'ms', values: beside.waits },
        { what: 'the same, continued', unit: 'ms', values: again.waits },
      ],
      verdicts: [
        checkAtMost('healthy p99 ≤ 2 × control', p99(beside.waits) / p99(control.waits), 2, '×'),
        checkAtMost('healthy p99 ≤ 2 × control, continued', p99(again.waits) / p99(control.waits), 2, '×'),
        checkEquals(
          'requests refused',
          [control, beside, again].flatMap(({ failures }) => failures).length,
          0,
        ),
      ],
    }
  },
}
