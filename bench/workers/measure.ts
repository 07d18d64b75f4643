import { setTimeout as pause } from 'node:timers/promises'
import { measureThrough } from '../support/measure-through.ts'
import { WARM_UP_COUNT } from '../support/names.ts'
import { type ProcessMemory, readProcessMemory } from '../support/process-memory.ts'
import { Product } from '../support/product.ts'
import { createLoad } from '../support/product-load.ts'
import { startSink } from '../support/sink.ts'

export interface WorkersRun {
  workers: number
  /** Emails a second. */
  endToEnd: number
  accept: number
  /** CPU seconds for 1,000 emails end to end. */
  cpuSeconds: number
  stolenPercent: number
  afterStart: ProcessMemory
  afterLoad: ProcessMemory
}

interface Size {
  count: number
  /** The time without mail before the memory is read. */
  quietMs: number
}

/** Measures an installation with `workers` workers. The load generator and the sink run at a lower priority. */
export async function measureWorkers(workers: number, size: Size): Promise<WorkersRun> {
  const endToEnd = await measureEndToEnd(workers, size)
  return { workers, ...endToEnd, accept: await measureAccept(workers, size) }
}

async function measureEndToEnd(workers: number, { count, quietMs }: Size) {
  const sink = await startSink({ isNiced: true })
  const product = await Product.create(sink.port, { environment: { SENDWRIGHT_WORKERS: `${workers}` } })
  const readMemory = async () => {
    await pause(quietMs)
    return readProcessMemory(product.pid, product.pids)
  }
  try {
    await product.start()
    const afterStart = await readMemory()
    const sample = await measureThrough(sink, product.pids, count, await createNicedLoad(product, count))
    const afterLoad = await readMemory()
    const { cpuSeconds, stolenPercent } = sample.cost
    const values = { cpuSeconds: (1000 * cpuSeconds) / count, stolenPercent, afterStart, afterLoad }
    return { ...values, endToEnd: sample.values.rate ?? Number.NaN }
  } finally {
    await product.remove()
    await sink.stop()
  }
}

async function measureAccept(workers: number, { count }: Size): Promise<number> {
  const product = await Product.create(1, { environment: { SENDWRIGHT_WORKERS: `${workers}` } })
  try {
    await product.start({ roles: 'api' })
    const send = await createNicedLoad(product, count)
    await send(WARM_UP_COUNT)
    const { seconds } = await send(count)
    return count / seconds
  } finally {
    await product.remove()
  }
}

async function createNicedLoad(product: Product, count: number) {
  const { send } = await createLoad(product, count + WARM_UP_COUNT)
  return (part: number) => send(part, { isNiced: true })
}
