import { CLIENTS, RECIPIENT_DOMAIN, RUN_LIMIT_MS } from './names.ts'
import type { Product } from './product.ts'
import { type LoadOptions, type LoadResult, sendLoad } from './send-load.ts'
import type { Sender } from './senders.ts'

interface PartOptions extends LoadOptions {
  timeLimitMs?: number
  /** Clients without a pause; as many as in all figures by default. */
  connections?: number
}

export interface ProductLoad {
  senders: readonly Sender[]
  /** Sends this many emails. */
  send(count: number, options?: PartOptions): Promise<LoadResult>
}

/** Creates the senders that a load of `emailsMax` emails a minute needs. */
export async function createLoad(product: Product, emailsMax: number): Promise<ProductLoad> {
  return createLoadOf(product, await product.createSenders(emailsMax))
}

/** Creates a load of senders that exist. */
export function createLoadOf(product: Product, senders: readonly Sender[]): ProductLoad {
  const order = { port: product.port, senders, recipientDomain: RECIPIENT_DOMAIN }
  return {
    senders,
    send: (count, { timeLimitMs = RUN_LIMIT_MS, connections = CLIENTS, ...options } = {}) =>
      sendLoad({ ...order, connections, count, timeLimitMs }, options),
  }
}
