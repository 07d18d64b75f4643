import { findFreePort } from './support/children.ts'
import { type Figure, PRODUCT, type Sample, type Scale } from './support/figure.ts'
import { makeMessageFile } from './support/message-file.ts'
import { startMeter } from './support/meter.ts'
import { CLIENTS, RECIPIENT_DOMAIN, RUN_LIMIT_MS, WARM_UP_COUNT } from './support/names.ts'
import { startOpendkim } from './support/opendkim.ts'
import { Postfix, sendSmtpLoad } from './support/postfix.ts'
import { Product } from './support/product.ts'
import { sendLoad } from './support/send-load.ts'
import { type Sink, startSink } from './support/sink.ts'

const POSTFIX = 'Postfix'
const POSTFIX_SIGNING = 'Postfix + opendkim'

/** Warms up, then measures from the first request until the last message reaches the sink. */
async function measureThrough(
  sink: Sink,
  pids: number[],
  count: number,
  send: (count: number) => Promise<unknown>,
): Promise<Sample> {
  await send(WARM_UP_COUNT)
  await sink.waitFor(WARM_UP_COUNT, RUN_LIMIT_MS)
  const meter = startMeter(pids)
  const startedAt = performance.now()
  await Promise.all([send(count), sink.waitFor(WARM_UP_COUNT + count, RUN_LIMIT_MS)])
  const seconds = (performance.now() - startedAt) / 1000
  return { values: { rate: count / seconds }, count, cost: meter.stop() }
}

async function measurePostfix({ endToEndCount }: Scale, signing: boolean): Promise<Sample> {
  const sink = await startSink()
  const opendkim = signing ? await startOpendkim() : null
  const port = await findFreePort()
  const postfix = new Postfix({ port, sinkPort: sink.port, ...(opendkim && { milterPort: opendkim.port }) })
  const message = await makeMessageFile()
  try {
    await postfix.start('deliver')
    const pids = [postfix.pid, ...(opendkim === null ? [] : [opendkim.pid])]
    const load = {
      port,
      sessions: CLIENTS,
      messagePath: message.path,
      keepAlive: true,
      timeLimitMs: RUN_LIMIT_MS,
    }
    return await measureThrough(sink, pids, endToEndCount, (count) => sendSmtpLoad({ ...load, count }))
  } finally {
    await postfix.stop()
    await opendkim?.stop()
    await sink.stop()
    postfix.remove()
    message.remove()
  }
}

async function measureProduct({ endToEndCount }: Scale): Promise<Sample> {
  const sink = await startSink()
  const product = await Product.create(sink.port)
  try {
    await product.start()
    const senders = await product.createSenders(endToEndCount + WARM_UP_COUNT)
    const order = { port: product.port, connections: CLIENTS, senders, recipientDomain: RECIPIENT_DOMAIN }
    const send = (count: number) => sendLoad({ ...order, count, timeLimitMs: RUN_LIMIT_MS })
    const sample = await measureThrough(sink, product.pids, endToEndCount, send)
    return { ...sample, nodePeakMb: product.readPeakMb() }
  } finally {
    await product.remove()
    await sink.stop()
  }
}

export const endToEnd: Figure = {
  name: 'end-to-end',
  title: `End to end: ${CLIENTS} clients in, one sink out, both at once`,
  measures: { rate: 'emails/s' },
  subjects: [
    { name: POSTFIX, needsPostfix: true, measure: (scale) => measurePostfix(scale, false) },
    { name: PRODUCT, needsPostfix: true, measure: measureProduct },
    { name: POSTFIX_SIGNING, needsPostfix: true, measure: (scale) => measurePostfix(scale, true) },
  ],
  targets: [
    { what: `end to end ≥ 3.5 × ${POSTFIX}`, measure: 'rate', peer: POSTFIX, bound: { least: 3.5 } },
    {
      what: `end to end ≥ 4 × ${POSTFIX_SIGNING}`,
      measure: 'rate',
      peer: POSTFIX_SIGNING,
      bound: { least: 4 },
    },
  ],
  note: 'Sendwright signs every email with RSA-2048 and Ed25519 in both comparisons, opendkim with RSA-2048.',
}
