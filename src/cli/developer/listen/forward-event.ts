import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FeedEvent } from '../../../../packages/sdk/src/index.ts'

export interface Target {
  url: string
  secret: string
  /** Called once when an event meets no server, with the reason. */
  onAway(reason: string): void
}

/** How the local server answered an event. */
export interface Forwarded {
  /** Null if it did not answer in time. */
  status: number | null
  durationMs: number
  attempts: number
}

/** Long enough for a handler that is stopped in a debugger for a moment. */
const TIMEOUT_MS = 30_000
const DELAY_FIRST_MS = 100
const DELAY_MAX_MS = 2_000
/** Answers of a proxy whose server is away. */
const AWAY = [502, 503, 504]

/**
 * Posts an event as a webhook would, and repeats that while no server answers, so that events keep their order. Any
 * other answer is final: the person at the terminal sees it. Returns null if the signal aborts.
 */
export async function forwardEvent(
  target: Target,
  event: FeedEvent,
  signal: AbortSignal,
): Promise<Forwarded | null> {
  const { type, created_at, data } = event
  const body = JSON.stringify({ type, created_at, data })
  for (let attempts = 1; !signal.aborted; attempts++) {
    const startedMs = performance.now()
    const outcome = await post(target, event.id, body, signal)
    const durationMs = Math.round(performance.now() - startedMs)
    if (outcome.kind === 'answered') return { status: outcome.status, durationMs, attempts }
    if (outcome.kind === 'late') return { status: null, durationMs, attempts }
    if (signal.aborted) break
    if (attempts === 1) target.onAway(outcome.reason)
    const delayMs = Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** (attempts - 1))
    await pause(delayMs, undefined, { signal }).catch(() => {})
  }
  return null
}

type Outcome = { kind: 'answered'; status: number } | { kind: 'late' } | { kind: 'away'; reason: string }

async function post(
  { url, secret }: Target,
  id: string,
  body: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sendwright-cli',
        ...signEvent(secret, id, new Date(), body),
      },
      body,
      signal: AbortSignal.any([signal, limit]),
    })
    // Read to its end, so that the connection can be used again.
    await response.arrayBuffer()
    const { status } = response
    return AWAY.includes(status) ? { kind: 'away', reason: `status ${status}` } : { kind: 'answered', status }
  } catch (error) {
    return limit.aborted ? { kind: 'late' } : { kind: 'away', reason: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return (cause as NodeJS.ErrnoException).code ?? String(cause)
}

/**
 * Returns the headers with which Sendwright authenticates a webhook: those of Standard Webhooks 1.0, the same under
 * the names of Svix, and `X-Webhook-Signature`, the HMAC of the body in hex.
 * @param secret `whsec_` and base64
 */
function signEvent(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = `v1,${hmac(key, `${id}.${timestamp}.${body}`).toString('base64')}`
  const values = { id, timestamp, signature }
  return {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`webhook-${name}`, value])),
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`svix-${name}`, value])),
    'x-webhook-signature': hmac(Buffer.from(secret), body).toString('hex'),
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}
