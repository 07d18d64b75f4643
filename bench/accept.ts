import { findFreePort } from '../test/support/ports.ts'
import { FASTIFY, withFastify } from './support/fastify.ts'
import { BASELINE, type Figure, PRODUCT, type Sample, type Scale, type Subject } from './support/figure.ts'
import { measureAccept } from './support/measure-accept.ts'
import { makeMessageFile } from './support/message-file.ts'
import { startMeter } from './support/meter.ts'
import { CLIENTS, RUN_LIMIT_MS, WARM_UP_COUNT } from './support/names.ts'
import { type AfterAccept, Postfix, sendSmtpLoad } from './support/postfix.ts'
import { Product } from './support/product.ts'

const POSTFIX = 'Postfix'

function measureFastify({ acceptCount }: Scale): Promise<Sample> {
  const senders = [{ key: 'a'.repeat(48), from: 'Bench Shop <orders@team-1.bench.test>' }]
  return withFastify((port, pid) => measureAccept({ port, senders }, [pid], acceptCount))
}

/** Nothing listens on the sink's port: this measurement delivers no messages. */
async function measurePostfix(scale: Scale, afterAccept: AfterAccept, keepAlive: boolean): Promise<Sample> {
  const port = await findFreePort()
  const postfix = new Postfix({ port, sinkPort: 1 })
  const message = await makeMessageFile()
  try {
    await postfix.start(afterAccept)
    const load = { port, sessions: CLIENTS, messagePath: message.path, keepAlive, timeLimitMs: RUN_LIMIT_MS }
    await sendSmtpLoad({ ...load, count: WARM_UP_COUNT })
    const meter = startMeter([postfix.pid])
    const count = scale.acceptCount / 2
    const seconds = await sendSmtpLoad({ ...load, count })
    return { values: { rate: count / seconds }, count, cost: meter.stop() }
  } finally {
    await postfix.stop()
    postfix.remove()
    message.remove()
  }
}

async function measureProduct({ acceptCount }: Scale, directory?: string): Promise<Sample> {
  const product = await Product.create(1, directory === undefined ? {} : { directory })
  try {
    await product.start({ roles: 'api' })
    const senders = await product.createSenders(acceptCount + WARM_UP_COUNT)
    const sample = await measureAccept({ port: product.port, senders }, product.pids, acceptCount)
    return { ...sample, nodePeakMb: product.readPeakMb() }
  } finally {
    await product.remove()
  }
}

function postfixSubject(name: string, afterAccept: AfterAccept, keepAlive: boolean): Subject {
  return { name, needsPostfix: true, measure: (scale) => measurePostfix(scale, afterAccept, keepAlive) }
}

export const accept: Figure = {
  name: 'accept',
  title: `Accept: ${CLIENTS} clients, one email of 10 KB per request`,
  measures: { rate: 'emails/s' },
  subjects: [
    { name: FASTIFY, measure: measureFastify },
    { name: PRODUCT, measure: measureProduct },
    postfixSubject(POSTFIX, 'hold', true),
    postfixSubject(`${POSTFIX}, a connection each`, 'hold', false),
    postfixSubject(`${POSTFIX}, queue manager at work`, 'defer', true),
  ],
  targets: [
    { what: `accept ≥ 3 × ${POSTFIX}`, measure: 'rate', peer: POSTFIX, bound: { least: 3 } },
    { what: `accept ≥ 0.35 × ${FASTIFY}`, measure: 'rate', peer: FASTIFY, bound: { least: 0.35 } },
  ],
  baseline: {
    measure: measureProduct,
    targets: [{ what: `accept ≥ 1.5 × ${BASELINE}`, measure: 'rate', peer: BASELINE, bound: { least: 1.5 } }],
  },
  note:
    'Sendwright runs with `--roles api`, and Postfix holds what it accepts, so nothing is delivered. smtp-source ' +
    'keeps its connections (`-d`), except in the row "a connection each". In the row "queue manager at work", ' +
    'messages continue to the deferred queue, as when the destination is down. Fastify parses the request and ' +
    'stores nothing.',
}
