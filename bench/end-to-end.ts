import { measureHaraka, measureNodemailer, measurePostfix, measureSignatures } from './end-to-end-peers.ts'
import {
  BASELINE,
  CPU_PER_EMAIL,
  type Figure,
  PRODUCT,
  type Sample,
  type Scale,
  type Target,
} from './support/figure.ts'
import { installHaraka } from './support/haraka.ts'
import { measureThrough } from './support/measure-through.ts'
import { CLIENTS, WARM_UP_COUNT } from './support/names.ts'
import { Product } from './support/product.ts'
import { createLoad } from './support/product-load.ts'
import { startSink } from './support/sink.ts'

const POSTFIX = 'Postfix'
const POSTFIX_SIGNING = 'Postfix + opendkim'
const SIGNATURES = 'RSA-2048 signatures, all processors'

async function measureProduct({ endToEndCount }: Scale, directory?: string): Promise<Sample> {
  const sink = await startSink()
  const product = await Product.create(sink.port, directory === undefined ? {} : { directory })
  try {
    await product.start()
    const { send } = await createLoad(product, endToEndCount + WARM_UP_COUNT)
    const sample = await measureThrough(sink, product.pids, endToEndCount, send)
    return { ...sample, nodePeakMb: product.readPeakMb() }
  } finally {
    await product.remove()
    await sink.stop()
  }
}

function atLeast(times: number, peer: string): Target {
  return { what: `end to end ≥ ${times} × ${peer}`, measure: 'rate', peer, bound: { least: times } }
}

export const endToEnd: Figure = {
  name: 'end-to-end',
  title: `End to end: ${CLIENTS} clients in, one sink out, both at once`,
  measures: { rate: 'emails/s' },
  subjects: [
    { name: POSTFIX, needsPostfix: true, measure: (scale) => measurePostfix(scale, false) },
    { name: PRODUCT, needsPostfix: true, measure: measureProduct },
    { name: POSTFIX_SIGNING, needsPostfix: true, measure: (scale) => measurePostfix(scale, true) },
    { name: 'Haraka', needsPostfix: true, prepare: installHaraka, measure: measureHaraka },
    { name: 'Nodemailer, no queue', needsPostfix: true, measure: measureNodemailer },
    { name: SIGNATURES, unit: 'signatures/s', measure: measureSignatures },
  ],
  targets: [atLeast(3.5, POSTFIX), atLeast(6, POSTFIX_SIGNING), atLeast(0.25, SIGNATURES)],
  busyTargets: [atLeast(2.5, POSTFIX), atLeast(4.5, POSTFIX_SIGNING)],
  baseline: {
    measure: measureProduct,
    targets: [
      atLeast(1.8, BASELINE),
      {
        what: `CPU per email ≤ 0.55 × ${BASELINE}`,
        measure: CPU_PER_EMAIL,
        peer: BASELINE,
        bound: { most: 0.55 },
      },
    ],
  },
  note:
    'Sendwright signs every email once with RSA-2048 in all comparisons, as do opendkim, Haraka and Nodemailer. ' +
    'Haraka queues on disk and has a process for each processor. Nodemailer has no queue: it builds the same emails and sends ' +
    'them to the sink from its own process, with as many connections as the others have clients. The row of signatures is the rate of RSA-2048 ' +
    'alone, with one thread on each processor, in the same minutes.',
}
