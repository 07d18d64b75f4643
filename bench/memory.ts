import { setTimeout as pause } from 'node:timers/promises'
import { FASTIFY, withFastify } from './support/fastify.ts'
import { type Figure, PRODUCT, type Sample, type Scale } from './support/figure.ts'
import { readMemoryMb, startMeter } from './support/meter.ts'
import { Product } from './support/product.ts'

/** Measures the memory of an idle process. */
async function measureIdle(pid: number, pids: number[], { quietMs }: Scale): Promise<Sample> {
  const meter = startMeter(pids)
  await pause(quietMs)
  const values = { RSS: readMemoryMb(pid, 'VmRSS') }
  return { values, count: 0, cost: meter.stop(), nodePeakMb: readMemoryMb(pid, 'VmHWM') }
}

async function measureProduct(scale: Scale): Promise<Sample> {
  const product = await Product.create(1)
  try {
    await product.start()
    return await measureIdle(product.pid, product.pids, scale)
  } finally {
    await product.remove()
  }
}

export const memory: Figure = {
  name: 'memory',
  title: 'Idle memory of the Node process, once it is ready',
  measures: { RSS: 'MB' },
  subjects: [
    { name: FASTIFY, measure: (scale) => withFastify((_, pid) => measureIdle(pid, [pid], scale)) },
    { name: PRODUCT, measure: measureProduct },
  ],
  targets: [{ what: 'idle memory ≤ 150 MB', measure: 'RSS', peer: null, bound: { most: 150 } }],
  note: 'Peak memory is that of all processes, including PostgreSQL.',
}
