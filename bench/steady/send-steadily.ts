import { setTimeout as pause } from 'node:timers/promises'
import { nowMs } from './mail-sites.ts'

export interface SteadyOrder {
  port: number
  key: string
  from: string
  perSecond: number
  seconds: number
  /** Returns the recipient of email `number`, counted from 0. Each must be different. */
  recipientAt(number: number): string
  /** Stops sending early. */
  signal?: AbortSignal
}

export interface SteadySending {
  /** The time at which each request began, in milliseconds since the epoch, by recipient. */
  sent: Map<string, number>
  /** The ids of the accepted emails, by recipient. */
  emailIds: Map<string, string>
  /** Durations of the requests, in milliseconds. */
  requests: number[]
  failures: string[]
}

/** Sends emails at fixed times, even if earlier requests are still open: a slow server gets no relief. */
export async function sendSteadily(order: SteadyOrder): Promise<SteadySending> {
  const sending: SteadySending = { sent: new Map(), emailIds: new Map(), requests: [], failures: [] }
  const startedMs = nowMs()
  const open = new Set<Promise<void>>()
  const count = Math.round(order.perSecond * order.seconds)
  for (let number = 0; number < count && order.signal?.aborted !== true; number++) {
    const waitMs = startedMs + (number * 1000) / order.perSecond - nowMs()
    if (waitMs > 0) await pause(waitMs)
    const one: Promise<void> = sendOne(order, order.recipientAt(number), sending).finally(() =>
      open.delete(one),
    )
    open.add(one)
  }
  await Promise.all(open)
  return sending
}

async function sendOne(order: SteadyOrder, to: string, sending: SteadySending): Promise<void> {
  const sentMs = nowMs()
  sending.sent.set(to, sentMs)
  try {
    const reply = await fetch(`http://127.0.0.1:${order.port}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${order.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        from: order.from,
        to: [to],
        subject: 'Your code',
        text: 'Your code is 123456.',
      }),
    })
    const text = await reply.text()
    if (reply.status === 202) sending.emailIds.set(to, (JSON.parse(text) as { id: string }).id)
    else sending.failures.push(`${reply.status} ${text.slice(0, 200)}`)
    sending.requests.push(nowMs() - sentMs)
  } catch (error) {
    sending.failures.push(explain(error as Error))
  }
}

/** Adds the cause to the message: `fetch` describes the problem only there. */
function explain({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
