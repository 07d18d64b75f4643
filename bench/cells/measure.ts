import { measureThrough } from '../support/measure-through.ts'
import { WARM_UP_COUNT } from '../support/names.ts'
import { Product } from '../support/product.ts'
import { createLoad } from '../support/product-load.ts'
import { startSink } from '../support/sink.ts'

export interface CellsRun {
  cells: number
  /** Emails a second, of all cells. */
  endToEnd: number
  /** CPU seconds for 1,000 emails. */
  cpuSeconds: number
  stolenPercent: number
}

const NAMES = ['a1', 'b2']

/**
 * Measures this many cells at once, each a server with one worker over an embedded PostgreSQL. They share the emails evenly. The
 * load generators and the sink run at a lower priority.
 */
export async function measureCells(cells: number, { count }: { count: number }): Promise<CellsRun> {
  const sink = await startSink({ isNiced: true })
  const products: Product[] = []
  try {
    for (const name of NAMES.slice(0, cells)) {
      const environment = { SENDWRIGHT_CELL: name, SENDWRIGHT_WORKERS: '1' }
      const product = await Product.create(sink.port, { environment })
      products.push(product)
      await product.start()
    }
    const shareOf = (total: number) => Math.ceil(total / cells)
    const emailsMax = shareOf(count) + shareOf(WARM_UP_COUNT)
    const loads = await Promise.all(products.map((product) => createLoad(product, emailsMax)))
    const sendAll = (total: number) =>
      Promise.all(loads.map(({ send }) => send(shareOf(total), { isNiced: true })))
    const pids = products.flatMap((product) => product.pids)
    const { values, cost } = await measureThrough(sink, pids, count, sendAll)
    return {
      cells,
      endToEnd: values.rate ?? Number.NaN,
      cpuSeconds: (1000 * cost.cpuSeconds) / count,
      stolenPercent: cost.stolenPercent,
    }
  } finally {
    for (const product of products) await product.remove()
    await sink.stop()
  }
}
