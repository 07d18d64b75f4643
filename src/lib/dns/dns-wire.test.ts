import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type DecodedPacket, decode, encode, type Packet } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DnsQuestion, encodeQuery, readResponse } from './dns-message.ts'
import { query } from './dns-wire.ts'

const RA = 1 << 7
const TC = 1 << 9
const AD = 1 << 5

type Answering = (asked: DecodedPacket, over: 'udp' | 'tcp') => Buffer[]

/** A DNS server that sends what the test provides: datagrams, or one piece of a stream each. */
async function serve(
  answer: Answering,
): Promise<{ server: string; asked: DecodedPacket[]; ports: number[] }> {
  const asked: DecodedPacket[] = []
  const ports: number[] = []
  for (;;) {
    const udp = createSocket('udp4')
    udp.bind(0, '127.0.0.1')
    await once(udp, 'listening')
    const { port } = udp.address()
    const sockets = new Set<Socket>()
    const tcp = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('data', (bytes) => {
        asked.push(decode(bytes.subarray(2)))
        for (const part of answer(asked.at(-1) as DecodedPacket, 'tcp')) socket.write(part)
      })
    })
    tcp.listen(port, '127.0.0.1')
    const isFree = await once(tcp, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) {
      udp.close()
      continue
    }
    udp.on('message', (bytes, from) => {
      asked.push(decode(bytes))
      ports.push(from.port)
      for (const part of answer(asked.at(-1) as DecodedPacket, 'udp')) udp.send(part, from.port, from.address)
    })
    onTestFinished(() => {
      udp.close()
      tcp.close()
      for (const socket of sockets) socket.destroy()
    })
    return { server: `127.0.0.1:${port}`, asked, ports }
  }
}

/** A well-formed response to `asked`. */
function reply(asked: DecodedPacket, { flags = RA, ...rest }: Packet = {}): Buffer {
  return encode({
    type: 'response',
    id: asked.id as number,
    questions: asked.questions ?? [],
    flags,
    ...rest,
  })
}

function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const address = (name: string, data: string, ttl = 60) => ({ type: 'A', name, data, ttl }) as const
const alias = (name: string, data: string, ttl = 60) => ({ type: 'CNAME', name, data, ttl }) as const
const soa = (ttl: number, minimum: number) =>
  ({
    type: 'SOA',
    name: 'a.test',
    ttl,
    data: { mname: 'ns.a.test', rname: 'hostmaster.a.test', minimum },
  }) as const

const ask = (servers: string[], more: { dnssec?: boolean; signal?: AbortSignal; timeoutMs?: number } = {}) =>
  query('a.test', 'A', { servers, timeoutMs: 3000, roundsMax: 1, ...more })

describe('records', () => {
  test('records with the shortest TTL on the way through aliases', async () => {
    const { server, asked } = await serve((question) => [
      reply(question, {
        answers: [
          address('c.test', '192.0.2.1', 50),
          alias('A.test', 'b.test', 40),
          alias('b.test', 'C.test', 30),
        ],
      }),
    ])
    expect(await ask([server])).toEqual({
      kind: 'records',
      records: ['192.0.2.1'],
      ttlSeconds: 30,
      canonicalName: 'c.test',
      authenticated: false,
    })
    expect(asked[0]?.additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232 }])
  })

  test('records at the end of aliases that the server does not follow are queried', async () => {
    const { server, asked } = await serve((question) => [
      question.questions?.[0]?.name === 'a.test'
        ? reply(question, { answers: [alias('a.test', 'b.test', 7)] })
        : reply(question, { answers: [address('b.test', '192.0.2.1')] }),
    ])
    expect(await ask([server])).toMatchObject({ kind: 'records', ttlSeconds: 7, canonicalName: 'b.test' })
    expect(asked).toHaveLength(2)
  })

  test('records over TCP when the answer is too long for a datagram and truncated in the middle of a record', async () => {
    const answers = Array.from({ length: 1000 }, (_, index) =>
      address('a.test', `198.51.${index >> 8}.${index & 255}`),
    )
    const { server } = await serve((question, over) => {
      if (over === 'udp') return [reply(question, { flags: RA | TC, answers }).subarray(0, 500)]
      const bytes = framed(reply(question, { answers }))
      return [bytes.subarray(0, 1), bytes.subarray(1, 700), bytes.subarray(700)]
    })
    expect(await ask([server])).toMatchObject({ kind: 'records', records: { length: 1000 } })
  })

  test('records of the right answer after forged ones: another id, name, type, a question', async () => {
    const { server } = await serve((question) => {
      const forged = { answers: [address('a.test', '203.0.113.66')] }
      return [
        reply({ ...question, id: ((question.id ?? 0) + 1) % 65_536 }, forged),
        reply({ ...question, questions: [{ type: 'A', name: 'b.test' }] }, forged),
        reply({ ...question, questions: [{ type: 'AAAA', name: 'a.test' }] }, forged),
        reply({ ...question, questions: [] }, forged),
        encode({ ...forged, type: 'query', id: question.id as number, questions: question.questions ?? [] }),
        Buffer.from('not DNS'),
        reply(question, { answers: [address('a.test', '192.0.2.1')] }),
      ]
    })
    expect(await ask([server])).toMatchObject({ kind: 'records', records: ['192.0.2.1'] })
  })

  test('records of other names in the answer are ignored', async () => {
    const { server } = await serve((question) => [
      reply(question, {
        answers: [address('victim.test', '203.0.113.66'), address('a.test', '192.0.2.1')],
        additionals: [address('a.test', '203.0.113.66')],
      }),
    ])
    expect(await ask([server])).toMatchObject({ records: ['192.0.2.1'] })
  })

  test('records without EDNS from a server that does not know it', async () => {
    const { server, asked } = await serve((question) => [
      (question.additionals ?? []).length > 0
        ? reply(question, { flags: RA | 1 })
        : reply(question, { answers: [address('a.test', '192.0.2.1')] }),
    ])
    expect(await ask([server])).toMatchObject({ kind: 'records' })
    expect(asked).toHaveLength(2)
  })

  test.each([2, 5])('records from the next server after code %d', async (code) => {
    const failing = await serve((question) => [reply(question, { flags: RA | code })])
    const healthy = await serve((question) => [
      reply(question, { answers: [address('a.test', '192.0.2.1')] }),
    ])
    expect(await ask([failing.server, healthy.server])).toMatchObject({ kind: 'records' })
  })

  test('records from the next server after silence, which is reported', async () => {
    const silent = await serve(() => [])
    const healthy = await serve((question) => [
      reply(question, { answers: [address('a.test', '192.0.2.1')] }),
    ])
    const silentServers: string[] = []
    const servers = [silent.server, 'nonsense', '127.0.0.1:1', healthy.server]
    const onSilent = (server: string) => silentServers.push(server)
    expect(await query('a.test', 'A', { servers, timeoutMs: 1000, roundsMax: 1, onSilent })).toMatchObject({
      kind: 'records',
    })
    expect(silentServers).toEqual([silent.server])
  })

  test('records of TLSA, TXT and MX, unchanged', async () => {
    const { server } = await serve((question) => {
      const [{ name, type }] = question.questions as [{ name: string; type: string }]
      const certificate = Buffer.from('cafe', 'hex')
      const data = {
        TLSA: { usage: 3, selector: 1, matchingType: 1, certificate },
        TXT: ['v=STSv1; ', Buffer.from('id=1;')],
        MX: { exchange: 'Mx.Ünsal.test', preference: 5 },
      }[type]
      return [reply(question, { answers: [{ name, type, ttl: 5, data } as never] })]
    })
    const options = { servers: [server], timeoutMs: 3000 }
    expect(await query('_25._tcp.a.test', 'TLSA', options)).toMatchObject({
      records: [{ usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('cafe', 'hex') }],
    })
    expect(await query('_mta-sts.a.test', 'TXT', options)).toMatchObject({ records: ['v=STSv1; id=1;'] })
    // A host name contains no such character, so that the question mark shows it to be invalid.
    expect(await query('a.test', 'MX', options)).toMatchObject({
      records: [{ name: 'mx.?nsal.test', preference: 5 }],
    })
  })
})

describe('nothing', () => {
  test.each([
    [0, 'no_data'],
    [3, 'no_domain'],
  ])('after code %d: %s, for as long as the lesser of TTL and MINIMUM of the SOA', async (code, kind) => {
    for (const [ttl, minimum] of [
      [20, 3600],
      [3600, 20],
    ] as const) {
      const { server } = await serve((question) => [
        reply(question, { flags: RA | code, authorities: [soa(ttl, minimum)] }),
      ])
      expect(await ask([server])).toMatchObject({ kind, ttlSeconds: 20 })
    }
  })

  test('no_data for aliases in a circle, in one answer and over several', async () => {
    const whole = await serve((question) => [
      reply(question, { answers: [alias('a.test', 'b.test'), alias('b.test', 'a.test')] }),
    ])
    expect(await ask([whole.server])).toMatchObject({ kind: 'no_data' })
    const parts = await serve((question) => {
      const name = question.questions?.[0]?.name as string
      return [reply(question, { answers: [alias(name, name === 'a.test' ? 'b.test' : 'a.test')] })]
    })
    expect(await ask([parts.server])).toMatchObject({ kind: 'no_data' })
    expect(parts.asked).toHaveLength(2)
  })

  test('no_data for a chain of aliases without end', async () => {
    const { server, asked } = await serve((question) => {
      const name = question.questions?.[0]?.name as string
      return [reply(question, { answers: [alias(name, `x${name}`)] })]
    })
    expect(await ask([server])).toMatchObject({ kind: 'no_data' })
    expect(asked.length).toBeLessThan(12)
  })

  test.each(['', 'a..test', `${'a'.repeat(64)}.test`, `${'a.'.repeat(127)}test`, 'ä.test', 'a b.test'])(
    'no_domain for %j without a question',
    async (name) => {
      expect(await query(name, 'A', { servers: ['nonsense'], timeoutMs: 100 })).toMatchObject({
        kind: 'no_domain',
      })
    },
  )
})

describe('temporary', () => {
  test('temporary for a referral: the server is not a resolver', async () => {
    const { server } = await serve((question) => [
      reply(question, { flags: 0, authorities: [{ type: 'NS', name: 'test', data: 'ns.test' }] }),
    ])
    expect(await ask([server], { timeoutMs: 150 })).toMatchObject({ kind: 'temporary' })
  })

  test('temporary for a stream that ends early, lies about its length or drips', async () => {
    for (const parts of [
      [Buffer.from([0])],
      [Buffer.from([0, 3, 1, 2, 3])],
      [Buffer.from([255, 255]), Buffer.alloc(70_000)],
    ]) {
      const { server } = await serve((question, over) =>
        over === 'udp' ? [reply(question, { flags: RA | TC })] : parts,
      )
      expect(await ask([server], { timeoutMs: 150 })).toMatchObject({ kind: 'temporary' })
    }
  })

  test('temporary, immediately, when the caller aborts', async () => {
    const { server } = await serve(() => [])
    const signal = AbortSignal.timeout(20)
    expect(await ask([server], { signal, timeoutMs: 60_000 })).toMatchObject({ kind: 'temporary' })
  })
})

describe('authenticated', () => {
  test('authenticated only when requested, and asserted for every step', async () => {
    const { server, asked } = await serve((question) => {
      const name = question.questions?.[0]?.name as string
      if (name === 'b.test') return [reply(question, { flags: RA, answers: [address(name, '192.0.2.1')] })]
      const answers = [name === 'a.test' ? address(name, '192.0.2.1') : alias(name, 'b.test')]
      return [reply(question, { flags: RA | AD, answers })]
    })
    const options = { servers: [server], timeoutMs: 3000 }
    const secure = { ...options, dnssec: true }
    expect(await query('a.test', 'A', secure)).toMatchObject({ authenticated: true })
    expect(asked[0]).toMatchObject({ flag_ad: true, additionals: [{ flag_do: true }] })
    expect(await query('a.test', 'A', options)).toMatchObject({ authenticated: false })
    expect(await query('c.test', 'A', secure)).toMatchObject({ kind: 'records', authenticated: false })
  })
})

describe('hostile bytes', () => {
  const QUESTION: DnsQuestion & { type: 'MX' } = {
    id: 4711,
    name: 'a.test',
    type: 'MX',
    dnssec: false,
    edns: true,
  }

  test('null or a result for any packet, in bounded time', () => {
    const head = Buffer.from(encodeQuery({ ...QUESTION, edns: false }))
    head[2] = 0x81
    const honest = reply(decode(head), {
      answers: [{ type: 'MX', name: 'a.test', data: { exchange: 'mx.a.test', preference: 1 } }],
    })
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 600 }),
        fc.array(fc.tuple(fc.nat(honest.length - 1), fc.nat(255)), { maxLength: 8 }),
        (tail, changes) => {
          const grown = Buffer.concat([head, tail])
          grown.writeUInt16BE(tail.length % 40, 6)
          const changed = Buffer.from(honest)
          for (const [at, byte] of changes) changed[at] = byte
          for (const bytes of [Buffer.from(tail), grown, changed, changed.subarray(0, tail.length % 60)]) {
            const read = readResponse(bytes, QUESTION)
            expect(read === null || read === 'truncated' || typeof read.reading.kind === 'string').toBe(true)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('null for a packet that announces a million records, and for circular pointers', () => {
    const head = Buffer.from(encodeQuery({ ...QUESTION, edns: false }))
    head[2] = 0x81
    const many = Buffer.from(head)
    for (const at of [6, 8, 10]) many.writeUInt16BE(65_535, at)
    expect(readResponse(many, QUESTION)).toBeNull()
    // Each pointer points at the one before; each record's name begins at the last.
    const chain = Buffer.alloc(30_000)
    const start = head.length
    for (let at = 0; at < chain.length; at += 2) {
      chain.writeUInt16BE(0xc000 | Math.max(12, Math.min(0x3fff, start + at - 2)), at)
    }
    const looping = Buffer.concat([head, chain])
    looping.writeUInt16BE(3000, 6)
    expect(readResponse(looping, QUESTION)).toBeNull()
  })

  test('a random id and port for each question', async () => {
    const { server, asked, ports } = await serve((question) => [
      reply(question, { answers: [address('a.test', '192.0.2.1')] }),
    ])
    await Promise.all(Array.from({ length: 30 }, () => ask([server], { timeoutMs: 5000 })))
    expect(new Set(asked.map(({ id }) => id)).size).toBeGreaterThan(25)
    expect(new Set(ports).size).toBeGreaterThan(25)
  })
})
