import { type Cost, startMeter } from '../support/meter.ts'
import { domainOf, nowMs } from './mail-sites.ts'
import { checkAtMost, checkEquals, type Outcome, p99, type Size, type SteadyFigure } from './outcome.ts'
import { sendAndWait, type Waited } from './send-and-wait.ts'
import { waitUntil } from './waits.ts'
import { createWorld, type World } from './world.ts'

const LARGE_COUNT = 8
/** The largest message that is accepted (ACC-18). */
const MESSAGE_BYTES = 37_500_000
const SMALL_PER_SECOND = 100
const SECONDS = 60
const SITES = 16
const LIMIT_MB = 1536
const LINE = `${'QUJD'.repeat(19)}\r\n`

function makeRawMessage(from: string, to: string): string {
  const head = [
    `From: ${from}`,
    `To: ${to}`,
    'Subject: A large one',
    'MIME-Version: 1.0',
    'Content-Type: application/pdf; name="a.pdf"',
    'Content-Disposition: attachment; filename="a.pdf"',
    'Content-Transfer-Encoding: base64',
  ].join('\r\n')
  // The Date, Message-ID and signatures that the server adds must fit too.
  const lines = Math.floor((MESSAGE_BYTES - head.length - 4096) / LINE.length)
  return `${head}\r\n\r\n${LINE.repeat(lines)}`
}

/** Sends from two teams, because one team may not send this many requests a minute. */
function sendSmall(world: World, label: string, seconds: number): Promise<Waited> {
  return sendAndWait(world, world.senders, {
    label,
    seconds,
    perSecond: SMALL_PER_SECOND,
    domainAt: (number) => domainOf(number % SITES),
  })
}

/** Sends the large messages concurrently, from the two teams in turn. Returns the statuses. */
async function sendLarge(world: World, count: number): Promise<number[]> {
  const bodies = Array.from({ length: count }, (_, index) => {
    const { key, from } = world.senders[index % world.senders.length] as World['senders'][number]
    const to = `large-${index}@${domainOf(index % SITES)}`
    return {
      key,
      body: JSON.stringify({ envelope_from: from, envelope_to: to, raw_message: makeRawMessage(from, to) }),
    }
  })
  return Promise.all(
    bodies.map(async ({ key, body }) => {
      const reply = await fetch(`http://127.0.0.1:${world.product.port}/emails/mime`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      })
      await reply.text()
      return reply.status
    }),
  )
}

interface Result {
  control: Waited
  beside: Waited
  statuses: number[]
  largeSeconds: number
  cost: Cost
  nodePeakMb: number
}

async function measure(size: Size): Promise<Result> {
  const world = await createWorld({ sitesCount: SITES, sendersCount: 2 })
  try {
    await world.product.stop()
    await world.product.start()
    await sendSmall(world, 'warm', 5)
    const seconds = Math.max(10, SECONDS * size.scale)
    const control = await sendSmall(world, 'control', seconds)
    const meter = startMeter(world.product.pids)
    const startedMs = nowMs()
    const small = sendSmall(world, 'beside', seconds)
    const statuses = await sendLarge(world, LARGE_COUNT)
    const accepted = statuses.filter((status) => status === 202).length
    const countTaken = () =>
      world.sites.arrivals.filter(({ recipient }) => recipient.startsWith('large-')).length
    await waitUntil(() => countTaken() >= accepted, 300_000)
    const largeSeconds = (nowMs() - startedMs) / 1000
    const beside = await small
    return {
      control,
      beside,
      statuses,
      largeSeconds,
      cost: meter.stop(),
      nodePeakMb: world.product.readPeakMb(),
    }
  } finally {
    await world.close()
  }
}

export const largeBesideSmall: SteadyFigure = {
  name: 'large-beside-small',
  title: 'Eight concurrent raw messages of 37.5 MB beside small mail',
  note:
    'Eight concurrent POST /emails/mime from two teams to eight sites, beside 100 small emails a second. Memory ' +
    'is that of all processes, including PostgreSQL, with shared pages counted once (PSS), sampled twice a ' +
    'second; for the Node process alone it is its peak (VmHWM). The control is the small mail alone, before the ' +
    'large messages.',
  async run(size): Promise<Outcome> {
    const { control, beside, statuses, largeSeconds, cost, nodePeakMb } = await measure(size)
    const slowest = Math.max(...beside.requests)
    size.progress(
      `answers to the large ones: ${statuses.join(', ')}; the slowest small request took ${slowest.toFixed(0)} ms`,
    )
    if (beside.failures[0] !== undefined)
      size.progress(`the first small message refused: ${beside.failures[0]}`)
    return {
      measured: [
        { what: 'small alone (control), to RCPT TO', unit: 'ms', values: control.waits },
        { what: 'small beside large, to RCPT TO', unit: 'ms', values: beside.waits },
        { what: 'small beside large, the request', unit: 'ms', values: beside.requests },
        { what: 'all large messages accepted and delivered in', unit: 's', values: [largeSeconds] },
        { what: 'memory of all processes, peak', unit: 'MB', values: [cost.peakMb] },
        { what: 'memory of the Node process, peak', unit: 'MB', values: [nodePeakMb] },
      ],
      verdicts: [
        checkEquals(
          'large messages accepted',
          statuses.filter((status) => status === 202).length,
          LARGE_COUNT,
        ),
        checkAtMost('memory with PostgreSQL ≤ 1.5 GB', Math.max(cost.peakMb, nodePeakMb), LIMIT_MB, 'MB'),
        checkAtMost('small p99 ≤ 1 s', p99(beside.waits), 1000, 'ms'),
        checkEquals('small messages refused', control.failures.length + beside.failures.length, 0),
      ],
    }
  },
}
