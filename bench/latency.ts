import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '../test/support/ports.ts'
import { FASTIFY, withFastify } from './support/fastify.ts'
import { BASELINE, type Figure, PRODUCT, type Sample, type Scale } from './support/figure.ts'
import { composeMessage, makeDraft } from './support/message.ts'
import { startMeter } from './support/meter.ts'
import { DOMAIN, RECIPIENT_DOMAIN } from './support/names.ts'
import { Postfix } from './support/postfix.ts'
import { Product } from './support/product.ts'
import { pickPercentile } from './support/report.ts'
import { startHttpTimingClient, startTimingClient, type Timing } from './support/timing-client.ts'
import { startTimingSink, type TimingSink } from './support/timing-sink.ts'

const POSTFIX = 'Postfix'
const WARM_UP_COUNT = 20
const MESSAGE_LIMIT_MS = 30_000
/** The pause between two emails, so that the server is idle when the next one arrives. */
const GAP_MS = 50

/** Sends emails one after another. Without a sink, none is delivered. */
async function measureOneByOne(
  sink: TimingSink | null,
  pids: number[],
  count: number,
  send: (number: number) => Promise<Timing>,
): Promise<Sample> {
  const sendOne = async (number: number): Promise<{ acceptedMs: number; deliveredMs: number }> => {
    const arrival = sink?.nextMessage(MESSAGE_LIMIT_MS)
    const [{ startedAt, acceptedAt }, arrivedAt = Number.NaN] = await Promise.all([send(number), arrival])
    await pause(GAP_MS)
    return { acceptedMs: acceptedAt - startedAt, deliveredMs: arrivedAt - startedAt }
  }
  for (let number = 0; number < WARM_UP_COUNT; number++) await sendOne(number)
  // Sampling memory would block this process, which measures the time, for some milliseconds.
  const meter = startMeter(pids, { memory: false })
  const accepted: number[] = []
  const delivered: number[] = []
  for (let number = 0; number < count; number++) {
    const { acceptedMs, deliveredMs } = await sendOne(WARM_UP_COUNT + number)
    accepted.push(acceptedMs)
    delivered.push(deliveredMs)
  }
  const cost = meter.stop()
  for (const waits of [accepted, delivered]) waits.sort((a, b) => a - b)
  const values = {
    'accepted p50': pickPercentile(accepted, 0.5),
    'accepted p99': pickPercentile(accepted, 0.99),
    p50: pickPercentile(delivered, 0.5),
    p99: pickPercentile(delivered, 0.99),
  }
  return { values, count, cost }
}

function measureFastify({ latencyCount }: Scale): Promise<Sample> {
  return withFastify(async (port, pid) => {
    const client = await startHttpTimingClient(port, '/emails', 'any')
    const from = `orders@${DOMAIN}`
    const send = (number: number) => client.send(JSON.stringify({ from, ...makeDraft(number) }))
    const sample = await measureOneByOne(null, [pid], latencyCount, send)
    client.close()
    return sample
  })
}

async function measureProduct({ latencyCount }: Scale, directory?: string): Promise<Sample> {
  const sink = await startTimingSink()
  const product = await Product.create(sink.port, directory === undefined ? {} : { directory })
  try {
    await product.start()
    const [sender] = await product.createSenders(1)
    if (sender === undefined) throw new Error('no sender was made')
    const client = await startHttpTimingClient(product.port, '/emails', sender.key)
    const send = (number: number): Promise<Timing> => {
      const to = `customer-${number}@${RECIPIENT_DOMAIN}`
      return client.send(JSON.stringify({ from: sender.from, to, ...makeDraft(number) }))
    }
    const sample = await measureOneByOne(sink, product.pids, latencyCount, send)
    client.close()
    return { ...sample, nodePeakMb: product.readPeakMb() }
  } finally {
    await product.remove()
    sink.stop()
  }
}

async function measurePostfix({ latencyCount }: Scale): Promise<Sample> {
  const sink = await startTimingSink()
  const port = await findFreePort()
  const postfix = new Postfix({ port, sinkPort: sink.port })
  try {
    await postfix.start('deliver')
    const client = await startTimingClient(port)
    const message = await composeMessage(makeDraft(0), `orders@${DOMAIN}`, `customer@${RECIPIENT_DOMAIN}`)
    const sample = await measureOneByOne(sink, [postfix.pid], latencyCount, () => client.send(message))
    client.close()
    return sample
  } finally {
    await postfix.stop()
    postfix.remove()
    sink.stop()
  }
}

export const latency: Figure = {
  name: 'latency',
  title:
    'Latency: one email on an idle server, from the request to its acceptance, and to the final 250 at the sink',
  measures: { 'accepted p50': 'ms', 'accepted p99': 'ms', p50: 'ms', p99: 'ms' },
  subjects: [
    { name: POSTFIX, needsPostfix: true, measure: measurePostfix },
    { name: FASTIFY, measure: measureFastify },
    { name: PRODUCT, measure: measureProduct },
  ],
  targets: [
    { what: 'idle latency p50 ≤ 6 ms', measure: 'p50', peer: null, bound: { most: 6 } },
    { what: 'idle latency p99 ≤ 15 ms', measure: 'p99', peer: null, bound: { most: 15 } },
  ],
  baseline: {
    measure: measureProduct,
    targets: [
      { what: `idle latency p50 ≤ 0.7 × ${BASELINE}`, measure: 'p50', peer: BASELINE, bound: { most: 0.7 } },
    ],
  },
  note:
    'Emails are sent one after another with a pause of 50 ms, over a persistent connection to the server under ' +
    'test. Accepted: until the 202, or the 250 of Postfix. Postfix does not sign. Fastify parses the request and stores ' +
    'nothing: most of its time is the wake-up of two idle processes.',
}
