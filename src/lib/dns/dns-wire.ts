import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { getServers } from 'node:dns'
import { connect, isIP, isIPv6 } from 'node:net'
import {
  type DnsMessage,
  type DnsQuestion,
  type DnsReading,
  type DnsType,
  encodeQuery,
  isDnsName,
  mayBeDueToEdns,
  readResponse,
} from './dns-message.ts'

export interface DnsQueryOptions {
  /** `address`, `address:port` or `[address]:port`. If empty, uses the system's servers. */
  servers: readonly string[]
  /** One server's time for one query; doubled in each further round. */
  timeoutMs: number
  /** Rounds over servers that do not answer. */
  roundsMax?: number
  /** Requests validation: only then can an answer be `authenticated`. */
  dnssec?: boolean
  signal?: AbortSignal
  /** Called for each server that left a query unanswered. */
  onSilent?(server: string): void
}

/**
 * Only `temporary` is worth retrying soon. TTLs are those of the shortest-lived record on the way, aliases included.
 */
export type WireAnswer<T extends DnsType> = (
  | Extract<DnsReading<T>, { kind: 'records' | 'no_data' | 'no_domain' }>
  | { kind: 'temporary'; reason: string }
) & {
  /** The resolver states that everything is validated by DNSSEC: as trustworthy as the path to the resolver. */
  authenticated: boolean
}

const ALIASES_MAX = 8
const SERVERS_MAX = 4
/** Mismatching datagrams after which a server counts as silent: someone is guessing. */
const STRAYS_MAX = 100
const TCP_BYTES_MAX = 65_537
const DNS_PORT = 53

const SILENT = 'the DNS servers did not answer in time'
const UNREACHABLE = 'no DNS server could be reached'
const GIVEN_UP = 'the question to DNS was given up'

/** One server's result for one query; a string gives the reason for a missing response. */
type Outcome<T extends DnsType> = DnsMessage<T> | 'truncated' | 'silent' | 'unreachable' | 'given up'

/**
 * Queries resolvers for the records of one name and type, over UDP with a random id and source port and over TCP when
 * an answer is too long; follows aliases. Goes on to the next server when one is silent or fails (RFC 1035 section
 * 7.2). Never rejects.
 */
export async function query<T extends DnsType>(
  name: string,
  type: T,
  options: DnsQueryOptions,
): Promise<WireAnswer<T>> {
  const asked = new Set<string>()
  let canonicalName = name.toLowerCase().replace(/\.$/, '')
  let ttlSeconds = Number.POSITIVE_INFINITY
  let authenticated = true
  while (asked.size <= ALIASES_MAX && !asked.has(canonicalName)) {
    if (!isDnsName(canonicalName)) {
      return { kind: 'no_domain', ttlSeconds: null, canonicalName, authenticated: false }
    }
    asked.add(canonicalName)
    const outcome = await askServers(canonicalName, type, options)
    if ('kind' in outcome) return outcome
    const { reading } = outcome
    authenticated &&= outcome.authenticated
    if (reading.kind === 'records') {
      return { ...reading, ttlSeconds: Math.min(ttlSeconds, reading.ttlSeconds), authenticated }
    }
    if (reading.kind === 'failed') return temporary(reading.reason)
    if (reading.kind !== 'alias') return { ...reading, authenticated }
    canonicalName = reading.canonicalName
    ttlSeconds = Math.min(ttlSeconds, reading.ttlSeconds)
  }
  return { kind: 'no_data', ttlSeconds: null, canonicalName, authenticated: false }
}

function temporary(reason: string) {
  return { kind: 'temporary', reason, authenticated: false } as const
}

/**
 * Returns the first usable answer. A server that failed is not queried again; one that was silent is, with a longer
 * timeout.
 */
async function askServers<T extends DnsType>(
  name: string,
  type: T,
  options: DnsQueryOptions,
): Promise<DnsMessage<T> | ReturnType<typeof temporary>> {
  const all = options.servers.length > 0 ? options.servers : getServers()
  let servers = all.slice(0, SERVERS_MAX)
  let reason = UNREACHABLE
  for (let round = 0; round < (options.roundsMax ?? 2) && servers.length > 0; round++) {
    const silent: string[] = []
    for (const server of servers) {
      const outcome = await askServer(server, name, type, options.timeoutMs * 2 ** round, options)
      if (outcome === 'given up') return temporary(GIVEN_UP)
      if (outcome === 'silent') {
        silent.push(server)
        options.onSilent?.(server)
        reason = SILENT
      } else if (typeof outcome === 'object' && outcome.reading.kind !== 'failed') return outcome
      else if (typeof outcome === 'object' && outcome.reading.kind === 'failed')
        reason = describeFailure(outcome.reading)
    }
    servers = silent
  }
  return temporary(reason)
}

function describeFailure({ reason, rcode }: { reason: string; rcode: number }): string {
  return rcode === REFUSED
    ? 'the DNS server refused the question'
    : `the DNS server could not answer (${reason})`
}
const REFUSED = 5

async function askServer<T extends DnsType>(
  server: string,
  name: string,
  type: T,
  timeoutMs: number,
  { dnssec = false, signal }: DnsQueryOptions,
): Promise<Outcome<T>> {
  const place = parseServer(server)
  if (place === null) return 'unreachable'
  const deadline = AbortSignal.timeout(timeoutMs)
  const hop = { ...place, deadline, signal }
  const once = async (edns: boolean): Promise<Outcome<T>> => {
    const question = { id: randomInt(65_536), name, type, dnssec, edns }
    const outcome = await askByUdp(hop, question)
    return outcome === 'truncated' ? askByTcp(hop, question) : outcome
  }
  const outcome = await once(true)
  return typeof outcome === 'object' && mayBeDueToEdns(outcome) ? once(false) : outcome
}

interface Hop {
  address: string
  port: number
  deadline: AbortSignal
  signal: AbortSignal | undefined
}

function parseServer(server: string): { address: string; port: number } | null {
  if (isIP(server) !== 0) return { address: server, port: DNS_PORT }
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(server) ?? []
  const address = bracketed ?? plain ?? ''
  return isIP(address) === 0 ? null : { address, port: Number(port ?? DNS_PORT) }
}

/**
 * Opens one socket per query: the system assigns a random port, and a connected socket receives datagrams only from its
 * server (RFC 5452 section 9). Datagrams that do not match the query are ignored.
 */
function askByUdp<T extends DnsType>(hop: Hop, question: DnsQuestion & { type: T }): Promise<Outcome<T>> {
  return settleOnce(hop, (end) => {
    const socket = createSocket(isIPv6(hop.address) ? 'udp6' : 'udp4')
    let strays = 0
    socket.on('error', () => end('unreachable'))
    socket.on('message', (bytes) => {
      const outcome = readResponse(bytes, question)
      if (outcome !== null) end(outcome)
      else if (++strays >= STRAYS_MAX) end('silent')
    })
    socket.connect(hop.port, hop.address, () => socket.send(encodeQuery(question)))
    return () => socket.close()
  })
}

/** RFC 7766: the same query, preceded by its length. */
function askByTcp<T extends DnsType>(hop: Hop, question: DnsQuestion & { type: T }): Promise<Outcome<T>> {
  return settleOnce(hop, (end) => {
    const socket = connect(hop.port, hop.address)
    const chunks: Buffer[] = []
    let size = 0
    socket.on('error', () => end('unreachable'))
    socket.on('close', () => end('unreachable'))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      size += chunk.length
      if (size < 2) return
      const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks)
      chunks.splice(0, chunks.length, bytes)
      const length = 2 + bytes.readUInt16BE(0)
      if (size < length && size < TCP_BYTES_MAX) return
      const outcome = readResponse(bytes.subarray(2, length), question)
      // Over TCP only the server can have sent it: an unreadable response is the server's failure.
      end(outcome === null || outcome === 'truncated' ? 'unreachable' : outcome)
    })
    const bytes = encodeQuery(question)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(bytes.length)
    socket.write(Buffer.concat([length, bytes]))
    return () => socket.destroy()
  })
}

/** Runs one exchange to its end, its deadline or the caller's abort, and closes its socket. */
function settleOnce<T extends DnsType>(
  { deadline, signal }: Hop,
  begin: (end: (outcome: Outcome<T>) => void) => () => void,
): Promise<Outcome<T>> {
  if (signal?.aborted) return Promise.resolve('given up')
  if (deadline.aborted) return Promise.resolve('silent')
  const { promise, resolve } = Promise.withResolvers<Outcome<T>>()
  const onDeadline = () => resolve('silent')
  const onSignal = () => resolve('given up')
  deadline.addEventListener('abort', onDeadline)
  signal?.addEventListener('abort', onSignal)
  const close = begin(resolve)
  return promise.finally(() => {
    deadline.removeEventListener('abort', onDeadline)
    signal?.removeEventListener('abort', onSignal)
    close()
  })
}
