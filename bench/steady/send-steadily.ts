import { setTimeout as pause } from 'node:timers/promises'
import type { Sender } from '../support/senders.ts'
import { nowMs } from './mail-sites.ts'

export interface SteadyOrder {
  port: number
  senders: readonly Sender[]
  /** Of all senders together. */
  perSecond: number
  seconds: number
  /** Returns the recipient of email `number` of a sender, both counted from 0. Each must be different. */
  recipientAt(number: number, sender: number): string
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

/** Sends emails of all the senders at once. */
export async function sendSteadily(order: SteadyOrder): Promise<SteadySending> {
  const { port, senders, perSecond, seconds, recipientAt } = order
  const sending: SteadySending = { sent: new Map(), emailIds: new Map(), requests: [], failures: [] }
  await Promise.all(
    senders.map((sender, index) =>
      repeatSteadily(perSecond / senders.length, seconds, (number) =>
        sendOne(port, sender, recipientAt(number, index), sending),
      ),
    ),
  )
  return sending
}

/** Starts work at fixed times, even if earlier work is still open: a slow server gets no relief. */
async function repeatSteadily(
  perSecond: number,
  seconds: number,
  work: (number: number) => Promise<void>,
): Promise<void> {
  const startedMs = nowMs()
  const open = new Set<Promise<void>>()
  const count = Math.round(perSecond * seconds)
  for (let number = 0; number < count; number++) {
    const waitMs = startedMs + (number * 1000) / perSecond - nowMs()
    if (waitMs > 0) await pause(waitMs)
    const one: Promise<void> = work(number).finally(() => open.delete(one))
    open.add(one)
  }
  await Promise.all(open)
}

async function sendOne(
  port: number,
  { key, from }: Sender,
  to: string,
  sending: SteadySending,
): Promise<void> {
  const sentMs = nowMs()
  sending.sent.set(to, sentMs)
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        from,
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
