import { once } from 'node:events'
import { join } from 'node:path'
import type { Zone } from '../../test/support/dns.ts'
import { NODE, startChild, stopChild } from '../support/children.ts'

/** How a site treats its clients. */
export type Behaviour =
  /** Accepts everything. Each reply is sent `delayMs` after its command. */
  | { kind: 'takes'; delayMs: number }
  /** Accepts everything, but closes the connection instead of replying to the final dot. */
  | { kind: 'drops' }
  /** Closes the connection before it sends anything. */
  | { kind: 'down' }

/** One attempt at a recipient. Times are in milliseconds since the epoch. */
export interface Arrival {
  recipient: string
  /** The time of the RCPT TO. */
  attemptedMs: number
  /** The time of the 250 after the final dot, or of the disconnection instead. */
  endedMs: number
  isTaken: boolean
}

export type ToSites = { kind: 'behave'; address: string; behaviour: Behaviour }
export type FromSites =
  | { kind: 'listening'; port: number }
  | { kind: 'arrivals'; arrivals: Arrival[]; connections: [address: string, atMs: number][] }

export interface MailSites {
  port: number
  /** In the order in which they ended. */
  readonly arrivals: readonly Arrival[]
  /** The time of the first attempt, by recipient. */
  readonly firstAttempts: ReadonlyMap<string, number>
  /** The time of each connection, by the site's address. */
  readonly connections: ReadonlyMap<string, readonly number[]>
  behave(address: string, behaviour: Behaviour): void
  stop(): Promise<void>
}

/**
 * Returns the milliseconds since the epoch, with a higher resolution than Date.now(), consistent between processes.
 */
export function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

/** Returns the address of site `index`, counted from 0. Each site has its own address on the loopback network. */
export function addressOf(index: number): string {
  return `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`
}

/** Returns the recipient domain of site `index`. */
export function domainOf(index: number): string {
  return `site-${index}.test`
}

export function zoneOf(sitesCount: number): Zone {
  const zone: Zone = {}
  for (let index = 0; index < sitesCount; index++) {
    const domain = domainOf(index)
    zone[domain] = { mx: [[10, `mx.${domain}`]], ttlSeconds: 86_400 }
    zone[`mx.${domain}`] = { a: [addressOf(index)], ttlSeconds: 86_400 }
  }
  return zone
}

/**
 * Starts mail servers in a separate process. All listen on one port, each at its own address, and accept
 * everything at first.
 */
export async function startMailSites(sitesCount: number): Promise<MailSites> {
  const program = join(import.meta.dirname, 'mail-sites-process.ts')
  const addresses = Array.from({ length: sitesCount }, (_, index) => addressOf(index))
  const child = startChild(NODE, [program, JSON.stringify(addresses)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const arrivals: Arrival[] = []
  const firstAttempts = new Map<string, number>()
  const connections = new Map<string, number[]>()
  const [first] = (await once(child, 'message')) as [FromSites]
  if (first.kind !== 'listening') throw new Error('the mail sites are not listening')
  child.on('message', (message: FromSites) => {
    if (message.kind !== 'arrivals') return
    for (const arrival of message.arrivals) {
      arrivals.push(arrival)
      const known = firstAttempts.get(arrival.recipient)
      if (known === undefined || arrival.attemptedMs < known)
        firstAttempts.set(arrival.recipient, arrival.attemptedMs)
    }
    for (const [address, atMs] of message.connections) {
      const known = connections.get(address)
      if (known === undefined) connections.set(address, [atMs])
      else known.push(atMs)
    }
  })
  return {
    port: first.port,
    arrivals,
    firstAttempts,
    connections,
    behave(address, behaviour) {
      child.send({ kind: 'behave', address, behaviour } satisfies ToSites)
    },
    stop: () => stopChild(child),
  }
}
