import type { Sample } from './figure.ts'
import { startMeter } from './meter.ts'
import { CLIENTS, RECIPIENT_DOMAIN, RUN_LIMIT_MS, WARM_UP_COUNT } from './names.ts'
import { type LoadOrder, sendLoad } from './send-load.ts'

/** Warms the server up, then sends the load under the meter. */
export async function measureAccept(
  what: Pick<LoadOrder, 'port' | 'senders' | 'form'>,
  pids: number[],
  count: number,
): Promise<Sample> {
  const order = {
    ...what,
    connections: CLIENTS,
    recipientDomain: RECIPIENT_DOMAIN,
    timeLimitMs: RUN_LIMIT_MS,
  }
  await sendLoad({ ...order, count: WARM_UP_COUNT })
  const meter = startMeter(pids)
  const { seconds } = await sendLoad({ ...order, count })
  return { values: { rate: count / seconds }, count, cost: meter.stop() }
}
