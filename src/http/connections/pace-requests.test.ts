import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listenHere } from '../../../test/support/listen-here.ts'
import { paceRequests, type RequestPace } from './pace-requests.ts'

const PACE: RequestPace = { pipelinedMax: 4, perTurnMax: 50 }
/** A slice holds fewer requests than this. */
const SLICE_REQUESTS = 18
/** More responses of 20 KB than the buffers of the system and of Node hold. */
const LATE = 500
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

const STATUS = 'HTTP/1.1 200'

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(handle)
  paceRequests(server, PACE)
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const { port, close } = await listenHere(server)
  onTestFinished(close)
  return port
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Resolves to what arrives when `count` responses have begun. */
async function readResponses(socket: Socket, count: number): Promise<string> {
  const chunks: string[] = []
  let [end, begun] = ['', 0]
  for await (const chunk of socket) {
    chunks.push(chunk)
    // A status line may be split over two chunks.
    const searched = end + chunk
    begun += searched.split(STATUS).length - 1
    end = searched.slice(1 - STATUS.length)
    if (begun >= count) break
  }
  return chunks.join('')
}

test('a few requests of a connection in progress, however many it pipelines, and all are answered in order', async () => {
  let [inProgress, most, count] = [0, 0, 0]
  const port = await serve((_request, response) => {
    most = Math.max(most, ++inProgress)
    const number = ++count
    setImmediate(() => {
      inProgress--
      response.end(`[${number}]`)
    })
  })
  const socket = open(port)
  socket.write(GET.repeat(2_000))
  const text = await readResponses(socket, 2_000)
  const numbers = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1))
  expect(numbers.length).toBeGreaterThanOrEqual(1_999)
  expect(most).toBeLessThanOrEqual(PACE.pipelinedMax + SLICE_REQUESTS)
})

test('no more requests in one turn of the loop than its share, from many connections that pipeline', async () => {
  let [inTurn, most, count] = [0, 0, 0]
  const port = await serve((_request, response) => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0))
    most = Math.max(most, ++inTurn)
    count++
    response.end('x')
  })
  const sockets = Array.from({ length: 40 }, () => open(port))
  for (const socket of sockets) socket.write(GET.repeat(200))
  await Promise.all(sockets.map((socket) => readResponses(socket, 200)))
  expect(count).toBe(8_000)
  // Immediates of one phase run in turn, so two shares may meet.
  expect(most).toBeLessThanOrEqual(2 * PACE.perTurnMax + SLICE_REQUESTS)
})

test('all requests of a client that reads late are answered, and few answers wait for it', async () => {
  let count = 0
  const port = await serve((_request, response) => {
    count++
    response.end('x'.repeat(20_000))
  })
  const socket = open(port)
  socket.pause()
  socket.write(GET.repeat(LATE))
  await expect.poll(() => count).toBeGreaterThan(0)
  expect(count).toBeLessThan(LATE)
  await readResponses(socket, LATE)
  expect(count).toBe(LATE)
})

test('bodies of any form arrive whole, split at any byte, between other requests', async () => {
  const bodies: string[] = []
  const port = await serve(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    bodies.push(text)
    response.end(String(text.length))
  })
  const long = 'x'.repeat(100_000)
  const withLength = (body: string) =>
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const chunked = (body: string) =>
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const all = [
    withLength(''),
    withLength(long),
    chunked(long),
    withLength('short'),
    chunked('c'),
    withLength(GET),
  ]
  for (const size of [1_000_000, 7, 1_024]) {
    bodies.length = 0
    const socket = open(port)
    const bytes = Buffer.from(all.join(''))
    const text = readResponses(socket, all.length)
    for (let at = 0; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size))
    expect((await text).split('HTTP/1.1 200').length - 1).toBe(all.length)
    expect(bodies).toEqual(['', long, long, 'short', 'c', GET])
  }
})

test('nothing after a malformed request is read', async () => {
  let count = 0
  const port = await serve((_request, response) => {
    count++
    response.end('x')
  })
  const socket = open(port)
  socket.write(`${GET}${'\0'.repeat(600)}${GET.repeat(50)}`)
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text).toContain('HTTP/1.1 400 ')
  expect(count).toBe(1)
})
