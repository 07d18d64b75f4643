import { setTimeout as pause } from 'node:timers/promises'
import { nowMs } from './mail-sites.ts'

export interface SteadyOrder {
  port: number
  key: string
  from: string
  perSecond: number
  seconds: number
  /** Of email number `number`, from 0. Every one is another. */
  recipientAt(number: number): string
  /** Ends the sending early. */
  signal?: AbortSignal
}

export interface SteadySending {
  /** When each request began, milliseconds since the epoch, by recipient. */
  sent: Map<string, number>
  /** Durations of the requests, milliseconds. */
  requests: number[]
  failures: string[]
}

/** Emails at fixed times, whatever becomes of those before: a server that is slow is not spared. */
export async function sendSteadily(order: SteadyOrder): Promise<SteadySending> {
  const sending: SteadySending = { sent: new Map(), requests: [], failures: [] }
  const startedMs = nowMs()
  const under = new Set<Promise<void>>()
  const count = Math.round(order.perSecond * order.seconds)
  for (let number = 0; number < count && order.signal?.aborted !== true; number++) {
    const waitMs = startedMs + (number * 1000) / order.perSecond - nowMs()
    if (waitMs > 0) await pause(waitMs)
    const one: Promise<void> = sendOne(order, order.recipientAt(number), sending).finally(() =>
      under.delete(one),
    )
    under.add(one)
  }
  await Promise.all(under)
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
    if (reply.status !== 202) sending.failures.push(`${reply.status} ${text.slice(0, 200)}`)
    sending.requests.push(nowMs() - sentMs)
  } catch (error) {
    sending.failures.push(explain(error as Error))
  }
}

/** `fetch` says what was wrong in the cause alone. */
function explain({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
