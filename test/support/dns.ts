import type { AddressInfo, Server, Socket } from 'node:net'
import dns2 from 'dns2'

const { Packet } = dns2

/**
 * The records of one name. `fail` applies to the whole name, or to one type with `failOf`; absent types are NODATA, absent names
 * NXDOMAIN.
 */
export interface ZoneEntry {
  mx?: readonly (readonly [preference: number, host: string])[]
  a?: readonly string[]
  aaaa?: readonly string[]
  /** One string per record; more than 255 bytes become several character-strings of one record. */
  txt?: readonly string[]
  cname?: string
  ns?: readonly string[]
  /** For a name below in-addr.arpa. */
  ptr?: readonly string[]
  ttlSeconds?: number
  fail?: 'servfail' | 'refused' | 'timeout' | 'nxdomain'
  failOf?: 'A' | 'AAAA'
}

export type Zone = Record<string, ZoneEntry>

export interface TestDns {
  /** `127.0.0.1:port`, for SENDWRIGHT_DNS_SERVERS. */
  server: string
  port: number
  /** Adds or replaces names, effective immediately. */
  set(zone: Zone): void
  remove(name: string): void
  /** Counts the queries for this name (and type, for example `MX`). */
  count(name: string, type?: string): number
  close(): Promise<void>
}

interface Question {
  name: string
  type: number
}

const TYPE_NAMES = new Map(Object.entries(Packet.TYPE).map(([name, code]) => [code as number, name]))

/** Returns the records of `entry` for one query type, in the form of dns2. */
function recordsFor(name: string, type: number, entry: ZoneEntry): Record<string, unknown>[] {
  const common = { name, type, class: Packet.CLASS.IN, ttl: entry.ttlSeconds ?? 300 }
  if (type === Packet.TYPE.MX) {
    return (entry.mx ?? []).map(([priority, exchange]) => ({ ...common, priority, exchange }))
  }
  if (type === Packet.TYPE.A) return (entry.a ?? []).map((address) => ({ ...common, address }))
  if (type === Packet.TYPE.AAAA) return (entry.aaaa ?? []).map((address) => ({ ...common, address }))
  if (type === Packet.TYPE.NS) return (entry.ns ?? []).map((ns) => ({ ...common, ns }))
  if (type === Packet.TYPE.PTR) return (entry.ptr ?? []).map((domain) => ({ ...common, domain }))
  if (type === Packet.TYPE.TXT) {
    return (entry.txt ?? []).map((text) => ({ ...common, data: text.match(/[\s\S]{1,255}/g) ?? [''] }))
  }
  return []
}

/** Follows CNAMEs inside the zone as a recursive resolver does. A loop ends with the records collected so far. */
function answerFrom(zone: Map<string, ZoneEntry>, question: Question) {
  const answers: Record<string, unknown>[] = []
  let name = question.name.toLowerCase()
  for (let hops = 0; hops < 9; hops++) {
    const entry = zone.get(name)
    if (entry === undefined) return { answers, rcode: Packet.RCODE.NXDOMAIN }
    const isFailing = entry.failOf === undefined || entry.failOf === TYPE_NAMES.get(question.type)
    if (entry.fail !== undefined && isFailing) return { answers: [], rcode: rcodeOf(entry.fail) }
    if (entry.cname === undefined) {
      answers.push(...recordsFor(name, question.type, entry))
      return { answers, rcode: Packet.RCODE.NOERROR }
    }
    answers.push({
      name,
      type: Packet.TYPE.CNAME,
      class: Packet.CLASS.IN,
      ttl: entry.ttlSeconds ?? 300,
      domain: entry.cname,
    })
    if (question.type === Packet.TYPE.CNAME) break
    name = entry.cname.toLowerCase()
  }
  return { answers, rcode: Packet.RCODE.NOERROR }
}

/** Returns null when the server must not respond. */
function rcodeOf(fail: NonNullable<ZoneEntry['fail']>): number | null {
  if (fail === 'timeout') return null
  return { servfail: Packet.RCODE.SERVFAIL, refused: Packet.RCODE.REFUSED, nxdomain: Packet.RCODE.NXDOMAIN }[
    fail
  ]
}

/**
 * Starts a real DNS server on 127.0.0.1 over UDP and TCP. It answers from a table that a test may change at any time.
 * Long answers are truncated over UDP, so that clients retry over TCP as on the Internet.
 */
export async function startDns(zone: Zone = {}): Promise<TestDns> {
  const names = new Map<string, ZoneEntry>()
  const counts = new Map<string, number>()
  const set = (more: Zone) => {
    for (const [name, entry] of Object.entries(more)) names.set(name.toLowerCase(), entry)
  }
  set(zone)

  const handle: Handler = (request, send) => {
    const question = request.questions[0] as unknown as Question
    const name = question.name.toLowerCase()
    for (const key of [name, `${name} ${TYPE_NAMES.get(question.type)}`])
      counts.set(key, (counts.get(key) ?? 0) + 1)
    const { answers, rcode } = answerFrom(names, question)
    if (rcode === null) return
    Promise.resolve(send(makeResponse(request, answers, rcode) as never)).catch(() => {})
  }

  const { port, close } = await listenOnOnePort(handle)
  return {
    server: `127.0.0.1:${port}`,
    port,
    set,
    remove: (name) => void names.delete(name.toLowerCase()),
    count: (name, type) =>
      counts.get(type === undefined ? name.toLowerCase() : `${name.toLowerCase()} ${type}`) ?? 0,
    close,
  }
}

type Message = InstanceType<typeof Packet>
type Handler = (request: Message, send: (message: never) => unknown) => void

function makeResponse(request: Message, answers: Record<string, unknown>[], rcode: number): Message {
  const response = (
    Packet as unknown as { createResponseFromRequest(r: unknown): Message }
  ).createResponseFromRequest(request)
  response.header.rcode = rcode as typeof response.header.rcode
  response.answers = answers as unknown as typeof response.answers
  return response
}

/** Another program may hold the TCP port of the same number as the UDP port that the system chose. */
const ATTEMPTS_MAX = 21

/** Listens on one port over UDP and TCP. Throws Error when no port is free for both. */
async function listenOnOnePort(handle: Handler): Promise<{ port: number; close(): Promise<void> }> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const udp = dns2.createUDPServer(handle as never)
    await udp.listen(0, '127.0.0.1')
    const { port } = udp.address() as AddressInfo
    const tcp = dns2.createTCPServer(handle as never)
    const isListening = await new Promise<boolean>((resolve) => {
      tcp.once('error', () => resolve(false))
      tcp.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isListening) {
      const endConnections = followConnections(tcp)
      const close = () =>
        new Promise<void>((resolve) => {
          endConnections()
          udp.close(() => tcp.close(() => resolve()))
        })
      return { port, close }
    }
    udp.close()
  }
  throw new Error(`No port was free for both UDP and TCP in ${ATTEMPTS_MAX} attempts.`)
}

/** Returns a function that destroys the server's open connections. */
function followConnections(tcp: Server): () => void {
  const sockets = new Set<Socket>()
  tcp.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
