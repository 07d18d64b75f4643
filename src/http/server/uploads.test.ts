import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { route } from '../route/route.ts'

const common = {
  summary: 'x',
  area: 'operation',
  permission: 'full',
  limit: 'general',
  responses: {},
} as const
const seen: string[] = []
let asked = 0
let left = 0

const TAKE = route('POST', '/take', {
  ...common,
  upload: { type: 'text/csv', bytesMax: 10_000, description: 'x', example: 'x' },
  async handle({ upload }) {
    let bytes = 0
    try {
      for await (const chunk of upload) {
        bytes += chunk.length
        seen.push('bytes')
      }
    } catch (error) {
      seen.push((error as Error).message)
      throw error
    }
    return { status: 200, json: { bytes } }
  },
})
const REFUSE = route('POST', '/refuse', {
  ...common,
  upload: { type: 'text/csv', bytesMax: 100_000_000, description: 'x', example: 'x' },
  handle: async () => ({ status: 200, json: { unread: true } }),
})
const GIVE = route('GET', '/give', {
  ...common,
  query: Type.Object({ fails: Type.Optional(Type.Integer()) }),
  async handle({ query: { fails } }) {
    async function* lines() {
      try {
        for (let count = 0; count < 10_000; count++) {
          if (count === fails) throw new Error('The source is dry.')
          asked = count
          yield `${'x'.repeat(9_999)}\n`
        }
      } finally {
        left++
      }
    }
    return { status: 200, chunks: lines(), type: 'text/csv; charset=utf-8' }
  },
})
const PLAIN = route('POST', '/plain', {
  ...common,
  body: Type.Object({}),
  handle: async () => ({ status: 200, json: {} }),
})

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({
    routes: [TAKE, REFUSE, GIVE, PLAIN],
    server: { connections: { requestTimeoutMs: 300, uploadStallMs: 2000 } },
  })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

function open(path: string, type: string, length: number | 'chunked'): Socket & { text: string } {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1') as Socket & { text: string }
  socket.text = ''
  socket.on('data', (data) => {
    socket.text += data
  })
  socket.on('error', () => {})
  const size = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${team.token}\r\nContent-Type: ${type}\r\n${size}\r\n\r\n`,
  )
  return socket
}

async function give(path: string): Promise<IncomingMessage> {
  const [reply] = await once(
    get(api.url + path, { headers: { authorization: `Bearer ${team.token}` } }),
    'response',
  )
  return reply
}

async function countBytes(reply: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const chunk of reply) bytes += chunk.length
  return bytes
}

const waitForHeader = (socket: { text: string }) => expect.poll(() => socket.text).toContain('\r\n\r\n')

test('200 for an upload that takes longer than other requests may, while bytes arrive', async () => {
  const socket = open('/take', 'text/csv', 10)
  for (let count = 0; count < 10; count++) {
    socket.write('x')
    await pause(60)
  }
  await waitForHeader(socket)
  expect(socket.text).toMatch(/^HTTP\/1\.1 200 .*\{"bytes":10\}$/s)
  socket.destroy()
})

test('400 for an upload that stops arriving', async () => {
  const socket = open('/take', 'text/csv', 10)
  socket.write('x')
  await waitForHeader(socket)
  expect(socket.text).toMatch(/^HTTP\/1\.1 400 .*No bytes of the upload arrived/s)
  socket.destroy()
})

test('408 for another request whose body does not arrive', async () => {
  const socket = open('/plain', 'application/json', 10)
  socket.write('{')
  await waitForHeader(socket)
  expect(socket.text).toMatch(/^HTTP\/1\.1 408 /)
})

test('413 at the first byte above the limit, announced or not', async () => {
  const announced = open('/take', 'text/csv', 10_001)
  await waitForHeader(announced)
  expect(announced.text).toMatch(/^HTTP\/1\.1 413 /)
  announced.destroy()
  const chunked = open('/take', 'text/csv', 'chunked')
  chunked.write(`2711\r\n${'x'.repeat(10_001)}\r\n`)
  await waitForHeader(chunked)
  expect(chunked.text).toMatch(/^HTTP\/1\.1 413 /)
  chunked.destroy()
})

test('aborted in the handler when the connection breaks', async () => {
  seen.length = 0
  const socket = open('/take', 'text/csv', 10)
  socket.write('x')
  await expect.poll(() => seen).toEqual(['bytes'])
  socket.destroy()
  await expect.poll(() => seen).toEqual(['bytes', 'aborted'])
})

test('200 before the body has arrived, read by a client that sends the whole body first', async () => {
  const body = Buffer.alloc(20_000_000, 'x')
  for (let count = 0; count < 3; count++) {
    const socket = open('/refuse', 'text/csv', body.length)
    socket.pause()
    await new Promise((resolve) => socket.write(body, resolve))
    socket.resume()
    await waitForHeader(socket)
    expect(socket.text).toMatch(/^HTTP\/1\.1 200 .*\{"unread":true\}$/s)
    socket.destroy()
  }
})

test('200 with all chunks; no more are generated than the client reads, and none after it disconnects', async () => {
  left = 0
  expect(await countBytes(await give('/give'))).toBe(100_000_000)
  expect(left).toBe(1)
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.write(`GET /give HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${team.token}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  // The kernel buffers some megabytes for a client that reads nothing.
  for (let before = -1; asked !== before; ) {
    before = asked
    await pause(100)
  }
  expect(asked).toBeLessThan(3_000)
  socket.destroy()
  await expect.poll(() => left).toBe(2)
})

test('500 if the first chunk fails, a broken response if a later one does', async () => {
  const first = await team.get('/give?fails=0')
  expect(first.status).toBe(500)
  expect(first.json.name).toBe('internal_server_error')
  await expect(countBytes(await give('/give?fails=5000'))).rejects.toThrow('aborted')
})
