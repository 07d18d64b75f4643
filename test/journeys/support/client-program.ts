import { fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The clients, a separate process that shares no code with the product. Each posts one email after the other, retries
 * with the same Idempotency-Key after 5xx, 409 and broken connections, and writes each accepted email to its ledger
 * on disk before it continues. Ends when all are accepted; after SIGUSR2, when those already begun are. Argument: a file with
 * the orders.
 */
interface Orders {
  urls: string[]
  senders: { token: string; from: string }[]
  destinations: string[]
  clients: number
  emails: number
  /** The number of the first email. */
  first: number
  /** Minimum time between two emails of one client. */
  everyMs: number
  ledger: string
}

const orders = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Orders
const file = openSync(orders.ledger, 'a')
const RETRY_MS = 100
const ANSWER_LIMIT_MS = 10_000
let next = orders.first
let end = orders.first + orders.emails

function write(line: Record<string, unknown>): void {
  writeSync(file, `${JSON.stringify({ ...line, at_ms: Date.now() })}\n`)
}

interface Answer {
  status: number
  id?: string
  retryAfter: string | null
  requestId: string | null
  text: string
}

async function post(number: number, url: string): Promise<Answer> {
  const sender = orders.senders[number % orders.senders.length]
  const destination = orders.destinations[number % orders.destinations.length]
  const reply = await fetch(`${url}/emails`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sender?.token}`,
      'content-type': 'application/json',
      'idempotency-key': `order-${number}`,
    },
    body: JSON.stringify({
      from: sender?.from,
      to: `person-${number}@${destination}`,
      subject: `Order ${number}`,
      html: `<p>Thank you for order ${number}. ${'It is on its way. '.repeat(50)}</p>`,
    }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  })
  const text = await reply.text()
  const id = reply.status === 202 ? (JSON.parse(text) as { id: string }).id : undefined
  const answer = {
    status: reply.status,
    retryAfter: reply.headers.get('retry-after'),
    requestId: reply.headers.get('x-request-id'),
    text,
  }
  return id === undefined ? answer : { ...answer, id }
}

/** Posts an email and writes the response to the ledger. Status 0 stands for a broken connection. */
async function postAndRecord(number: number, url: string): Promise<Answer> {
  const sinceMs = performance.now()
  const answer = await post(number, url).catch((error: Error) => ({
    status: 0,
    retryAfter: null,
    requestId: null,
    text: `${error.cause instanceof Error ? error.cause.message : error.message}`,
  }))
  const { status, retryAfter, requestId } = answer
  const id = 'id' in answer ? answer.id : undefined
  const error = status === 202 ? {} : { text: answer.text.slice(0, 200) }
  const tookMs = performance.now() - sinceMs
  write({ number, status, id, retry_after: retryAfter, request_id: requestId, took_ms: tookMs, ...error })
  return answer
}

async function runClient(): Promise<void> {
  while (next < end) {
    const number = next++
    const turn = pause(orders.everyMs)
    for (let tries = 0; ; tries++) {
      const url = orders.urls[(number + tries) % orders.urls.length] as string
      const { status, text } = await postAndRecord(number, url)
      if (status === 202) break
      if (status !== 0 && status !== 409 && status !== 429 && status < 500) {
        throw new Error(`email ${number} was rejected: ${status} ${text}`)
      }
      await pause(RETRY_MS)
    }
    fdatasyncSync(file)
    await turn
  }
}

process.on('disconnect', () => process.exit())
process.on('SIGUSR2', () => {
  end = next
})
await Promise.all(Array.from({ length: orders.clients }, runClient))
console.log('all accepted')
process.exit()
