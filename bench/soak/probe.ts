import { setTimeout as pause } from 'node:timers/promises'
import type { Product } from '../support/product.ts'
import { computeMedian } from '../support/report.ts'
import type { Sender } from '../support/senders.ts'
import { startTimingSink } from '../support/timing-sink.ts'

/** Recipients of the probe have a mail server of their own, at this address and the port of the sink. */
export const PROBE_DOMAIN = 'probe.test'
export const PROBE_HOST = '127.0.0.2'
const GAP_MS = 500
const LIMIT_MS = 30_000

export interface Probe {
  /** Returns the median latency since the last call in milliseconds, from the request to the sink's 250. */
  takeMedianMs(): number
  stop(): Promise<void>
}

/** Sends one email after another beside the load, with pauses. An email that fails or is late counts as the limit. */
export async function startProbe(product: Product, sender: Sender, sinkPort: number): Promise<Probe> {
  const sink = await startTimingSink({ host: PROBE_HOST, port: sinkPort })
  const headers = { authorization: `Bearer ${sender.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({
    from: sender.from,
    to: `probe@${PROBE_DOMAIN}`,
    subject: 'Probe',
    text: 'Probe',
  })
  let waits: number[] = []
  let isRunning = true

  const sendOne = async (): Promise<number> => {
    const arrival = sink.nextMessage(LIMIT_MS)
    const startedAt = performance.now()
    const url = `http://127.0.0.1:${product.port}/emails`
    const accepted = fetch(url, { method: 'POST', headers, body }).then((reply) => {
      if (!reply.ok) throw new Error(`the probe got ${reply.status}`)
    })
    const [arrivedAt] = await Promise.all([arrival, accepted])
    return arrivedAt - startedAt
  }
  const loop = async () => {
    while (isRunning) {
      waits.push(await sendOne().catch(() => LIMIT_MS))
      await pause(GAP_MS)
    }
  }
  const running = loop()
  return {
    takeMedianMs() {
      const median = computeMedian(waits)
      waits = []
      return median
    },
    async stop() {
      isRunning = false
      await running
      sink.stop()
    },
  }
}
