import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, runScript } from './children.ts'
import type { Sender } from './installation.ts'
import { readLines } from './mx.ts'

export interface Load {
  urls: string[]
  senders: Sender[]
  destinations: string[]
  clients: number
  emails: number
  /** The number of the first email, 0 by default: a later load at the same server continues to count. */
  first?: number
  /** Minimum time between two emails of one client, in milliseconds. */
  everyMs: number
  /** A file with the certificate of an authority that the clients trust. */
  authority?: string
}

/** One response to a client; `status` 0 stands for a broken connection. */
export interface Answer {
  number: number
  status: number
  id: string | null
  retryAfter: string | null
  requestId: string | null
  tookMs: number
  atMs: number
  text: string
}

export interface Clients {
  process: Child
  /** Returns all responses so far, from the clients' ledger. */
  answers(): Answer[]
  /** Asks the clients to begin no more emails, so that they end once those they have begun are accepted. */
  finish(): void
}

interface Line {
  number: number
  status: number
  id?: string
  retry_after: string | null
  request_id: string | null
  took_ms: number
  at_ms: number
  text?: string
}

const PROGRAM = join(import.meta.dirname, 'client-program.ts')

/**
 * Starts the clients. Their ledger and orders are files in `directory`; a later load appends to the ledger, and its `answers`
 * include those of the earlier one.
 */
export function startClients(directory: string, load: Load): Clients {
  const { first = 0, authority } = load
  const ledger = join(directory, 'client-ledger')
  const orders = join(directory, `orders-${first}.json`)
  writeFileSync(orders, JSON.stringify({ ...load, first, ledger }))
  const trust = authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: authority }
  const program = runScript(PROGRAM, [orders], { env: { ...process.env, ...trust } })
  return {
    process: program,
    finish: () => program.signal('SIGUSR2'),
    answers: () =>
      readLines<Line>(ledger).map((line) => ({
        number: line.number,
        status: line.status,
        id: line.id ?? null,
        retryAfter: line.retry_after,
        requestId: line.request_id,
        tookMs: line.took_ms,
        atMs: line.at_ms,
        text: line.text ?? '',
      })),
  }
}
