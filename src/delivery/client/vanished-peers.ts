import { readFile } from 'node:fs/promises'
import { endianness } from 'node:os'

/** As on a socket; undefined once it is destroyed. */
interface Ends {
  localPort?: number | undefined
  remotePort?: number | undefined
  remoteAddress?: string | undefined
}

/** The part of a connection that the watch uses. */
export interface WatchedLink {
  /** How long it has been waiting for the peer, in milliseconds; 0 when it waits for nothing. */
  readonly waitingMs: number
  readonly socket: Ends
  /** Called when the peer has acknowledged nothing for that long. */
  onVanished(): void
}

/** TCP itself gives up after a quarter of an hour (tcp_retries2), and Node.js cannot set TCP_USER_TIMEOUT. */
const WAITING_MIN_MS = 15_000
/** Retransmissions, each after twice the previous wait, without an acknowledgement. */
const UNANSWERED_MIN = 4
const CHECK_INTERVAL_MS = 5_000
/** A table larger than this, of a machine with far more sockets than mail needs, is not read every five seconds. */
const TABLE_BYTES_MAX = 16 * 1024 * 1024

/**
 * Ends connections whose peer has vanished silently while octets are in flight: a host without power, a firewall that
 * lost its state. A slow server still acknowledges octets, so its timeouts are not shortened. The kernel's own table
 * tells the two apart (proc_net_tcp(5)); without it (not Linux) the protocol timeouts apply. A wait with nothing in
 * flight is covered by TCP keepalive (smtp-link.ts).
 */
class VanishedPeers {
  readonly #links = new Set<WatchedLink>()
  #timer: NodeJS.Timeout | null = null
  #isLooking = false

  add(link: WatchedLink): void {
    this.#links.add(link)
    this.#timer ??= setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref()
  }

  remove(link: WatchedLink): void {
    this.#links.delete(link)
    if (this.#links.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  async #check(): Promise<void> {
    const isLong = ({ waitingMs }: WatchedLink) => waitingMs >= WAITING_MIN_MS
    if (this.#isLooking || endianness() !== 'LE' || ![...this.#links].some(isLong)) return
    this.#isLooking = true
    try {
      const tables = await Promise.all(['/proc/self/net/tcp', '/proc/self/net/tcp6'].map(readTable))
      const dead = new Set(tables.flatMap(findUnanswered))
      for (const link of this.#links) {
        if (isLong(link) && dead.has(keyOf(link.socket))) link.onVanished()
      }
    } finally {
      this.#isLooking = false
    }
  }
}

/** One for the process, because the table covers the whole machine. */
export const vanishedPeers = new VanishedPeers()

async function readTable(path: string): Promise<string> {
  const text = await readFile(path, 'latin1').catch(() => '')
  return text.length > TABLE_BYTES_MAX ? '' : text
}

const RETRANSMITTING = '01'
const PROBING_ZERO_WINDOW = '04'

/** Returns the keys of the connections with unacknowledged octets, from the kernel's table. */
export function findUnanswered(table: string): string[] {
  const keys: string[] = []
  for (const line of table.split('\n')) {
    const [, local, remote, , , timer, retransmits, , probes] = line.trim().split(/\s+/)
    if (local === undefined || remote === undefined || timer === undefined) continue
    const kind = timer.slice(0, 2)
    const unanswered =
      kind === RETRANSMITTING
        ? Number.parseInt(retransmits ?? '', 16)
        : kind === PROBING_ZERO_WINDOW
          ? Number.parseInt(probes ?? '', 10)
          : 0
    if (unanswered >= UNANSWERED_MIN) keys.push(`${local.slice(local.indexOf(':'))} ${remote}`)
  }
  return keys
}

/** Builds a connection's key as the table names it: local port, remote address and port. */
export function keyOf({ localPort = 0, remotePort = 0, remoteAddress = '' }: Ends): string {
  return `:${hex16(localPort)} ${hexAddress(remoteAddress)}:${hex16(remotePort)}`
}

function hex16(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}

/** The table prints addresses as host-order words: the bytes of each group of four are reversed. */
function hexAddress(address: string): string {
  const bytes = address.includes(':') ? bytesOfV6(address) : address.split('.').map(Number)
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const word = bytes.slice(at, at + 4).reverse()
    text += word.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('')
  }
  return text
}

function bytesOfV6(address: string): number[] {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').flatMap(bytesOfGroup))
  const before = groups(head)
  const after = groups(tail ?? '')
  return [...before, ...Array<number>(16 - before.length - after.length).fill(0), ...after]
}

function bytesOfGroup(group: string): number[] {
  if (group.includes('.')) return group.split('.').map(Number)
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 255]
}
