import type { AddressInfo } from 'node:net'
import dns2 from 'dns2'

const { Packet } = dns2

/** What one name answers. `fail` stands for the whole name; absent types are NODATA, absent names NXDOMAIN. */
export interface ZoneEntry {
  mx?: readonly (readonly [preference: number, host: string])[]
  a?: readonly string[]
  aaaa?: readonly string[]
  /** One string per record; more than 255 bytes become several character-strings of one record. */
  txt?: readonly string[]
  cname?: string
  ns?: readonly string[]
  /** Of a name below in-addr.arpa. */
  ptr?: readonly string[]
  ttlSeconds?: number
  fail?: 'servfail' | 'refused' | 'timeout' | 'nxdomain'
}

export type Zone = Record<string, ZoneEntry>

export interface TestDns {
  /** `127.0.0.1:port`, as SENDWRIGHT_DNS_SERVERS takes it. */
  server: string
  port: number
  /** Adds or replaces names, at once. */
  set(zone: Zone): void
  remove(name: string): void
  /** How many questions came for this name (and type, for example `MX`). */
  count(name: string, type?: string): number
  close(): Promise<void>
}

interface Question {
  name: string
  type: number
}

const TYPE_NAMES = new Map(Object.entries(Packet.TYPE).map(([name, code]) => [code as number, name]))

/** Records of `entry` for one question type, as dns2 wants them. */
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

/** Follows CNAMEs inside the zone as a recursive resolver would; a loop ends with what was collected. */
function answerFrom(zone: Map<string, ZoneEntry>, question: Question) {
  const answers: Record<string, unknown>[] = []
  let name = question.name.toLowerCase()
  for (let hops = 0; hops < 9; hops++) {
    const entry = zone.get(name)
    if (entry === undefined) return { answers, rcode: Packet.RCODE.NXDOMAIN }
    if (entry.fail !== undefined) return { answers: [], rcode: rcodeOf(entry.fail) }
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

/** Null: say nothing at all. */
function rcodeOf(fail: NonNullable<ZoneEntry['fail']>): number | null {
  if (fail === 'timeout') return null
  return { servfail: Packet.RCODE.SERVFAIL, refused: Packet.RCODE.REFUSED, nxdomain: Packet.RCODE.NXDOMAIN }[
    fail
  ]
}

/**
 * A real DNS server on 127.0.0.1 over UDP and TCP, answering from a table that a test may change while it runs.
 * Long answers are truncated over UDP, so that clients come back over TCP as on the Internet.
 */
export async function startDns(zone: Zone = {}): Promise<TestDns> {
  const names = new Map<string, ZoneEntry>()
  const counts = new Map<string, number>()
  const set = (more: Zone) => {
    for (const [name, entry] of Object.entries(more)) names.set(name.toLowerCase(), entry)
  }
  set(zone)

  const handle = (request: InstanceType<typeof Packet>, send: (message: never) => unknown) => {
    const question = request.questions[0] as unknown as Question
    const response = (
      Packet as unknown as { createResponseFromRequest(r: unknown): typeof request }
    ).createResponseFromRequest(request)
    for (const key of [
      question.name.toLowerCase(),
      `${question.name.toLowerCase()} ${TYPE_NAMES.get(question.type)}`,
    ]) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const { answers, rcode } = answerFrom(names, question)
    if (rcode === null) return
    response.header.rcode = rcode as typeof response.header.rcode
    response.answers = answers as unknown as typeof response.answers
    Promise.resolve(send(response as never)).catch(() => {})
  }

  // The UDP port is chosen by the system; another program may hold its TCP twin, so try a few.
  for (let round = 0; ; round++) {
    const udp = dns2.createUDPServer(handle as never)
    await udp.listen(0, '127.0.0.1')
    const { port } = udp.address() as AddressInfo
    const tcp = dns2.createTCPServer(handle as never)
    const listening = await new Promise<boolean>((resolve) => {
      tcp.once('error', () => resolve(false))
      tcp.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!listening && round < 20) {
      udp.close()
      continue
    }
    const sockets = new Set<import('node:net').Socket>()
    tcp.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => {})
    })
    return {
      server: `127.0.0.1:${port}`,
      port,
      set,
      remove: (name) => void names.delete(name.toLowerCase()),
      count: (name, type) =>
        counts.get(type === undefined ? name.toLowerCase() : `${name.toLowerCase()} ${type}`) ?? 0,
      close: () =>
        new Promise((resolve) => {
          for (const socket of sockets) socket.destroy()
          udp.close(() => tcp.close(() => resolve()))
        }),
    }
  }
}
