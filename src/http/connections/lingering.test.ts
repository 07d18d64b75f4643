import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { route } from '../route/route.ts'
import { CONNECTION_LIMITS } from './connections.ts'
import { type LingerLimits, lingerOnClose } from './lingering.ts'

const MIB = 1024 * 1024
const common = {
  summary: 'x',
  area: 'operation',
  permission: 'full',
  limit: 'general',
  responses: {},
} as const
const handled: string[] = []
const ROUTES = [
  route('POST', '/small', {
    ...common,
    body: Type.Object({ name: Type.String() }),
    handle: async ({ body }) => {
      handled.push(body.name)
      return { status: 200, json: {} }
    },
  }),
  route('POST', '/send', {
    ...common,
    permission: 'send',
    limit: 'send',
    bodyBytesMax: 80 * MIB,
    body: Type.Object({}),
    handle: async () => ({ status: 200, json: {} }),
  }),
  route('POST', '/upload', {
    ...common,
    upload: { type: 'text/csv', bytesMax: 10_000, description: 'x', example: 'x' },
    async handle({ upload }) {
      for await (const _chunk of upload);
      return { status: 200, json: {} }
    },
  }),
]

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: ROUTES })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

interface Sent {
  path?: string
  method?: string
  token?: string
  type?: string
  /** More fields of the header, each with its line end. */
  fields?: string
  bytes: number
  isChunked?: boolean
}

function headOf({ path = '/small', method = 'POST', type = 'application/json', ...sent }: Sent): string {
  const { token = team.token, fields = '', bytes, isChunked = false } = sent
  const size = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n${size}\r\n${fields}\r\n`
}

function open(to: Api = api): Socket {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

function whole(name: string): string {
  const body = JSON.stringify({ name })
  return headOf({ bytes: body.length }) + body
}

async function write(socket: Socket, bytes: string | Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    socket.write(bytes, (error) => (error ? reject(error) : resolve())),
  )
}

const PIECE = Buffer.alloc(64 * 1024, 0x20)

/** Writes a whole body before it reads the first byte of the response, as Python's HTTP client does. */
async function writeBody(socket: Socket, { bytes, isChunked = false }: Sent): Promise<void> {
  for (let left = bytes; left > 0; left -= PIECE.length) {
    const piece = PIECE.subarray(0, Math.min(left, PIECE.length))
    if (isChunked) await write(socket, `${piece.length.toString(16)}\r\n`)
    await write(socket, piece)
    if (isChunked) await write(socket, '\r\n')
  }
  if (isChunked) await write(socket, '0\r\n\r\n')
}

/** Reads until the server closes its side. Throws if the server resets the connection. */
async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  await once(socket, 'end')
  return text
}

async function exchange(sent: Sent, to?: Api): Promise<string> {
  const socket = open(to)
  await write(socket, headOf(sent))
  await writeBody(socket, sent)
  return await readToEnd(socket)
}

/** Has a server reject a request of which only the header arrives. `closed` waits until no connection is open. */
async function refuseOn(limits: Partial<LingerLimits>, bytes: number) {
  const server = createServer((request, response) => {
    if (lingering.mustEnd(request)) response.setHeader('connection', 'close')
    response.writeHead(401).end()
  })
  const lingering = lingerOnClose(server, { ...CONNECTION_LIMITS, ...limits })
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A client that continues although our side is closed.
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const closed = once(await accepted, 'close')
  await write(socket, headOf({ bytes }))
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 401 /)
  return { socket, closed }
}

const LAST = /\r\nconnection: close\r\n/i

describe('an early response reaches a client that first sends the whole body', () => {
  test.each<[number, Sent]>([
    [413, { bytes: 5 * MIB }],
    [413, { bytes: 5 * MIB, isChunked: true }],
    [413, { path: '/send', bytes: 80 * MIB + 1 }],
    [413, { path: '/upload', type: 'text/csv', bytes: 20 * MIB }],
    [413, { path: '/upload', type: 'text/csv', bytes: 20 * MIB, isChunked: true }],
    [415, { path: '/send', type: 'text/plain', bytes: 20 * MIB }],
    [415, { path: '/upload', bytes: 20 * MIB }],
    [401, { token: 'sk_none', bytes: 20 * MIB }],
    [401, { token: 'sk_none', bytes: 20 * MIB, isChunked: true }],
    [404, { path: '/nowhere', bytes: 20 * MIB }],
    [405, { path: '/small', method: 'PUT', bytes: 20 * MIB }],
  ])('%i for %o', async (status, sent) => {
    const answer = await exchange(sent)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(LAST)
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).statusCode).toBe(status)
  })

  test('403 and 429, decided before the body', async () => {
    const free = await api.givenTeam({ plan: 'free' })
    const { token } = await free.givenKey({ permission: 'send' })
    expect(await exchange({ token, bytes: 20 * MIB })).toMatch(/^HTTP\/1\.1 403 /)
    for (let count = 0; count < 60; count++) await free.post('/send', {})
    expect(await exchange({ path: '/send', token, bytes: 20 * MIB })).toMatch(/^HTTP\/1\.1 429 /)
  })

  test('503 without memory for the body', async () => {
    const narrow = await startApi({ routes: ROUTES, server: { connections: { bodyRoomMs: 1 } } })
    onTestFinished(() => narrow.stop())
    const { token } = await narrow.givenTeam()
    // Requests whose bodies never arrive hold all the memory of one team.
    for (let count = 0; count < 8; count++) {
      const socket = open(narrow)
      await write(socket, headOf({ path: '/send', token, bytes: 80 * MIB }))
    }
    const ask = () => exchange({ path: '/send', token, bytes: 79 * MIB }, narrow)
    await expect.poll(ask, { timeout: 60_000 }).toMatch(/^HTTP\/1\.1 503 /)
  })

  test('431 for an endless header before a body', async () => {
    const bytes = 20 * MIB
    expect(await exchange({ fields: `X: ${'x'.repeat(20_000)}\r\n`, bytes })).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe('100-continue', () => {
  const fields = 'Expect: 100-continue\r\n'

  test.each<[number, Sent]>([
    [413, { bytes: 5 * MIB, fields }],
    [413, { bytes: 10_001, path: '/upload', type: 'text/csv', fields }],
    [415, { bytes: 100, type: 'text/plain', fields }],
    [401, { bytes: 100, token: 'sk_none', fields }],
    [404, { bytes: 100, path: '/nowhere', fields }],
  ])('%i alone, and the end of the connection, for %o', async (status, sent) => {
    const socket = open()
    await write(socket, headOf(sent))
    const answer = await readToEnd(socket)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(LAST)
  })

  test.each<[string, Sent, string]>([
    ['JSON', { bytes: 12, fields }, '{"name":"a"}'],
    ['an upload', { bytes: 3, path: '/upload', type: 'text/csv', fields }, 'a,b'],
  ])('100, then 200 once the body has come: %s', async (_name, sent, body) => {
    const socket = open()
    await write(socket, headOf(sent))
    expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    await write(socket, body)
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('connections', () => {
  test('kept after a rejection whose short body arrives, even later', async () => {
    const socket = open()
    const bytes = 20_000
    await write(socket, headOf({ token: 'sk_none', bytes }))
    const apiError = String((await once(socket, 'data'))[0])
    expect(apiError).toMatch(/^HTTP\/1\.1 401 /)
    expect(apiError).not.toMatch(LAST)
    await write(socket, Buffer.alloc(bytes, 0x20))
    await write(socket, whole('later'))
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('ended after a rejected body: bytes behind it are not a request', async () => {
    const socket = open()
    const sent = { bytes: 5 * MIB }
    await write(socket, headOf(sent))
    await writeBody(socket, sent)
    await write(socket, whole('behind'))
    const answer = await readToEnd(socket)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413'])
    expect(handled).not.toContain('behind')
  })

  test('200 for a pipelined request, then 413 for the next', async () => {
    const socket = open()
    const sent = { bytes: 5 * MIB }
    await write(socket, `${whole('first')}${headOf(sent)}`)
    await writeBody(socket, sent)
    const answer = await readToEnd(socket)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 413'])
  })

  test.each<[string, Partial<LingerLimits>, number]>([
    ['the bytes that may follow', { lingerBytesMax: 2 * MIB }, 3 * MIB],
    ['the time without bytes', { lingerStallMs: 50 }, 0],
    ['the time in all', { lingerMs: 50 }, 0],
  ])('closed after %s', async (_limit, limits, bytes) => {
    const { socket, closed } = await refuseOn(limits, 100 * MIB)
    socket.write(Buffer.alloc(bytes))
    await closed
  })

  test('closed after the total time, although bytes trickle in', async () => {
    const { socket, closed } = await refuseOn({ lingerMs: 200 }, 100 * MIB)
    const drip = setInterval(() => socket.write(' '), 10)
    onTestFinished(() => clearInterval(drip))
    await closed
  })

  test('closed if a short body never arrives after its rejection', async () => {
    const { closed } = await refuseOn({ lingerMs: 50 }, 100)
    await closed
  })

  test("closed by the server's stop without waiting", async () => {
    const short = await startApi({ routes: ROUTES })
    const socket = open(short)
    socket.on('error', () => {})
    await write(socket, headOf({ bytes: 100 * MIB, token: 'sk_none' }))
    await once(socket, 'data')
    await Promise.all([once(socket, 'close'), short.stop()])
  })
})
