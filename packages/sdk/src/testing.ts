import type { Sendwright } from './client.ts'
import { SendwrightError } from './result.ts'
import { pause } from './transport.ts'
import type { CapturedEmail, CapturedEmailSummary } from './types.ts'

/** Conditions on a captured message. A text must be equal, without regard to case; a pattern must match. */
export interface MessageFilter {
  /** The recipient. */
  to?: string | RegExp
  /** The address in the From field. */
  from?: string | RegExp
  subject?: string | RegExp
}

export interface WaitOptions {
  /** Default: 10 seconds. */
  timeoutMs?: number
  signal?: AbortSignal
}

const TIMEOUT_MS = 10_000
const POLL_MS = 100
const PAGE_SIZE = 100

/**
 * Returns an inbox of the messages that a server in capture mode stores from now on, for the tests of an application.
 * Throws a SendwrightError if the server cannot be reached.
 */
export async function openInbox(client: Sendwright): Promise<Inbox> {
  const { data } = await client.captured.list({ limit: 1 }).orThrow()
  return new Inbox(client, data[0]?.id ?? null)
}

/** The messages that a server in capture mode stored since a moment. */
export class Inbox {
  readonly #client: Sendwright
  /** The newest message before the inbox was opened. */
  readonly #start: string | null
  readonly #taken = new Set<string>()

  constructor(client: Sendwright, start: string | null) {
    this.#client = client
    this.#start = start
  }

  /** Returns the messages since the inbox was opened, oldest first. */
  async messages(filter: MessageFilter = {}): Promise<CapturedEmailSummary[]> {
    const messages: CapturedEmailSummary[] = []
    for await (const message of this.#client.captured.list({ limit: PAGE_SIZE })) {
      // Ids of version 7 sort by time.
      if (this.#start !== null && message.id <= this.#start) break
      if (matches(message, filter)) messages.unshift(message)
    }
    return messages
  }

  /**
   * Resolves to the oldest matching message that no earlier call returned. Throws a SendwrightError, `timeout`, if none
   * arrives in time. The options may also stand beside the conditions.
   */
  async waitFor(
    criteria: MessageFilter & WaitOptions = {},
    options: WaitOptions = {},
  ): Promise<CapturedEmail> {
    const { timeoutMs = TIMEOUT_MS, signal, ...filter } = { ...criteria, ...options }
    const untilMs = Date.now() + timeoutMs
    for (;;) {
      const message = (await this.messages(filter)).find(({ id }) => !this.#taken.has(id))
      if (message !== undefined) {
        this.#taken.add(message.id)
        return await this.#client.captured.get(message.id).orThrow()
      }
      if (Date.now() >= untilMs) throw await this.#explainTimeout(filter, timeoutMs)
      await pause(POLL_MS, signal)
    }
  }

  async #explainTimeout(filter: MessageFilter, timeoutMs: number): Promise<SendwrightError> {
    const arrived = (await this.messages()).map(
      ({ envelope_to, subject }) => `${envelope_to} "${subject ?? ''}"`,
    )
    const criteria = Object.entries(filter).map(([field, value]) => `${field} ${value}`)
    return new SendwrightError({
      name: 'timeout',
      message: `No message with ${criteria.join(', ') || 'any content'} arrived within ${timeoutMs} ms. ${
        arrived.length === 0 ? 'Nothing arrived.' : `These arrived: ${arrived.join(', ')}.`
      }`,
    })
  }
}

function matches(message: CapturedEmailSummary, { to, from, subject }: MessageFilter): boolean {
  return (
    fits(to, [message.envelope_to]) &&
    fits(
      from,
      message.from.map(({ address }) => address),
    ) &&
    fits(subject, [message.subject ?? ''])
  )
}

function fits(pattern: string | RegExp | undefined, values: readonly string[]): boolean {
  if (pattern === undefined) return true
  if (typeof pattern === 'string') {
    return values.some((value) => value.toLowerCase() === pattern.toLowerCase())
  }
  return values.some((value) => value.search(pattern) >= 0)
}
