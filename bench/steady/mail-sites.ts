import { once } from 'node:events'
import { join } from 'node:path'
import type { Zone } from '../../test/support/dns.ts'
import { NODE, startChild, stopChild } from '../support/children.ts'

/** What a site does to whoever comes. */
export type Behaviour =
  /** Takes everything; each answer `delayMs` after its command. */
  | { kind: 'takes'; delayMs: number }
  /** Takes everything, and breaks the link in place of the answer to the final dot. */
  | { kind: 'drops' }
  /** Breaks the link before it says anything. */
  | { kind: 'down' }

/** One recipient as a site saw it; milliseconds since the epoch. */
export interface Arrival {
  recipient: string
  /** The first RCPT TO of this attempt. */
  attemptedMs: number
  /** The 250 to the final dot, or when the link was broken in its place. */
  endedMs: number
  isTaken: boolean
}

export type ToSites = { kind: 'behave'; address: string; behaviour: Behaviour }
export type FromSites =
  | { kind: 'listening'; port: number }
  | { kind: 'arrivals'; arrivals: Arrival[]; connections: [address: string, atMs: number][] }

export interface MailSites {
  port: number
  /** In the order of their ends. */
  readonly arrivals: readonly Arrival[]
  /** The first attempt at each recipient. */
  readonly tried: ReadonlyMap<string, number>
  /** When each connection came, by the site's address. */
  readonly connections: ReadonlyMap<string, readonly number[]>
  behave(address: string, behaviour: Behaviour): void
  stop(): Promise<void>
}

/** Milliseconds since the epoch, finer than Date.now() and the same in every process of the machine. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now()
}

/** The address of site number `index`, from 0; each is a host of its own on the loopback network. */
export function addressOf(index: number): string {
  return `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`
}

/** The recipients' domain of site number `index`. */
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

/** Mail servers in a process of their own, all at one port, each at its own address; they take everything at first. */
export async function startMailSites(sitesCount: number): Promise<MailSites> {
  const program = join(import.meta.dirname, 'mail-sites-process.ts')
  const addresses = Array.from({ length: sitesCount }, (_, index) => addressOf(index))
  const child = startChild(NODE, [program, JSON.stringify(addresses)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const arrivals: Arrival[] = []
  const tried = new Map<string, number>()
  const connections = new Map<string, number[]>()
  const [first] = (await once(child, 'message')) as [FromSites]
  if (first.kind !== 'listening') throw new Error('the mail sites do not listen')
  child.on('message', (message: FromSites) => {
    if (message.kind !== 'arrivals') return
    for (const arrival of message.arrivals) {
      arrivals.push(arrival)
      const known = tried.get(arrival.recipient)
      if (known === undefined || arrival.attemptedMs < known)
        tried.set(arrival.recipient, arrival.attemptedMs)
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
    tried,
    connections,
    behave(address, behaviour) {
      child.send({ kind: 'behave', address, behaviour } satisfies ToSites)
    },
    stop: () => stopChild(child),
  }
}
