import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '../test/support/ports.ts'
import { BASELINE, type Figure, PRODUCT, type Sample, type Scale } from './support/figure.ts'
import { composeMessage, makeDraft } from './support/message.ts'
import { startMeter } from './support/meter.ts'
import { DOMAIN, RECIPIENT_DOMAIN } from './support/names.ts'
import { Postfix } from './support/postfix.ts'
import { Product } from './support/product.ts'
import { startTimingClient } from './support/timing-client.ts'
import { startTimingSink, type TimingSink } from './support/timing-sink.ts'

const POSTFIX = 'Postfix'
const WARM_UP_COUNT = 20
const MESSAGE_LIMIT_MS = 30_000
/** The pause between two emails, so that the server is idle when the next one arrives. */
const GAP_MS = 50

function pickPercentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Sends emails one after another. `sendOne` resolves with the latency of one email. */
async function measureOneByOne(
  sink: TimingSink,
  pids: number[],
  count: number,
  send: (number: number) => Promise<number>,
): Promise<Sample> {
  const sendOne = async (number: number): Promise<number> => {
    const arrival = sink.nextMessage(MESSAGE_LIMIT_MS)
    const [startedAt, arrivedAt] = await Promise.all([send(number), arrival])
    await pause(GAP_MS)
    return arrivedAt - startedAt
  }
  for (let number = 0; number < WARM_UP_COUNT; number++) await sendOne(number)
  // Sampling memory would block this process, which measures the time, for some milliseconds.
  const meter = startMeter(pids, { memory: false })
  const waits: number[] = []
  for (let number = 0; number < count; number++) waits.push(await sendOne(WARM_UP_COUNT + number))
  const cost = meter.stop()
  waits.sort((a, b) => a - b)
  return { values: { p50: pickPercentile(waits, 0.5), p99: pickPercentile(waits, 0.99) }, count, cost }
}

async function measureProduct({ latencyCount }: Scale, directory?: string): Promise<Sample> {
  const sink = await startTimingSink()
  const product = await Product.create(sink.port, directory === undefined ? {} : { directory })
  try {
    await product.start()
    const [sender] = await product.createSenders(1)
    if (sender === undefined) throw new Error('no sender was made')
    const url = `http://127.0.0.1:${product.port}/emails`
    const headers = { authorization: `Bearer ${sender.key}`, 'content-type': 'application/json' }
    const send = async (number: number): Promise<number> => {
      const to = `customer-${number}@${RECIPIENT_DOMAIN}`
      const body = JSON.stringify({ from: sender.from, to, ...makeDraft(number) })
      const startedAt = performance.now()
      const reply = await fetch(url, { method: 'POST', headers, body })
      const answer = await reply.text()
      if (reply.status !== 202) throw new Error(`POST /emails: ${reply.status} ${answer}`)
      return startedAt
    }
    const sample = await measureOneByOne(sink, product.pids, latencyCount, send)
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
  title: 'Latency: one email on an idle server, from the request to the final 250 at the sink',
  measures: { p50: 'ms', p99: 'ms' },
  subjects: [
    { name: POSTFIX, needsPostfix: true, measure: measurePostfix },
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
    'test. Postfix does not sign.',
}
