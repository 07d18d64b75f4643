import { findFreePort } from '../test/support/ports.ts'
import { type Figure, PRODUCT, type Sample, type Scale } from './support/figure.ts'
import { makeMessageFile } from './support/message-file.ts'
import { startMeter } from './support/meter.ts'
import { CLIENTS, RUN_LIMIT_MS } from './support/names.ts'
import { startOpendkim } from './support/opendkim.ts'
import { Postfix, sendSmtpLoad } from './support/postfix.ts'
import { Product } from './support/product.ts'
import { createLoad } from './support/product-load.ts'
import { startSink } from './support/sink.ts'

const POSTFIX = 'Postfix'
const POSTFIX_SIGNED = 'Postfix, signed before by opendkim'

async function measurePostfix({ deliverCount: count }: Scale, signed: boolean): Promise<Sample> {
  const sink = await startSink()
  const opendkim = signed ? await startOpendkim() : null
  const port = await findFreePort()
  const postfix = new Postfix({ port, sinkPort: sink.port, ...(opendkim && { milterPort: opendkim.port }) })
  const message = await makeMessageFile()
  try {
    await postfix.start('hold')
    const load = {
      port,
      sessions: CLIENTS,
      messagePath: message.path,
      keepAlive: true,
      timeLimitMs: RUN_LIMIT_MS,
    }
    await sendSmtpLoad({ ...load, count })
    await postfix.stop()
    await postfix.releaseHeld()

    const startedAt = performance.now()
    await postfix.start('deliver', { wait: false })
    const meter = startMeter([postfix.pid])
    await sink.waitFor(count, RUN_LIMIT_MS)
    const seconds = (performance.now() - startedAt) / 1000
    return { values: { rate: count / seconds }, count, cost: meter.stop() }
  } finally {
    await postfix.stop()
    await opendkim?.stop()
    await sink.stop()
    postfix.remove()
    message.remove()
  }
}

async function measureProduct({ deliverCount: count }: Scale, directory?: string): Promise<Sample> {
  const sink = await startSink()
  const product = await Product.create(sink.port, directory === undefined ? {} : { directory })
  try {
    await product.start({ roles: 'api' })
    const { send } = await createLoad(product, count)
    await send(count)
    await product.stop()

    const startedAt = performance.now()
    await product.start({ roles: 'deliver,scheduler', wait: false })
    const meter = startMeter([product.pid])
    await sink.waitFor(count, RUN_LIMIT_MS)
    const seconds = (performance.now() - startedAt) / 1000
    const nodePeakMb = product.readPeakMb()
    return { values: { rate: count / seconds }, count, cost: meter.stop(), nodePeakMb }
  } finally {
    await product.remove()
    await sink.stop()
  }
}

export const deliver: Figure = {
  name: 'deliver',
  title: 'Deliver: a backlog to one sink',
  measures: { rate: 'emails/s' },
  subjects: [
    { name: POSTFIX, needsPostfix: true, measure: (scale) => measurePostfix(scale, false) },
    { name: PRODUCT, needsPostfix: true, measure: (scale) => measureProduct(scale) },
    { name: POSTFIX_SIGNED, needsPostfix: true, measure: (scale) => measurePostfix(scale, true) },
  ],
  targets: [],
  baseline: { measure: measureProduct, targets: [] },
  note:
    'The time is measured from the start of the process to the last message at the sink (smtp-sink). Postfix ' +
    'signs on acceptance, so its signatures are not part of this figure, but of end to end.',
}
