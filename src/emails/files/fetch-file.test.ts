import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { createFileFetcher } from './fetch-file.ts'

const OPEN = {
  guard: createGuard({ allowPrivate: true }),
  ports: 'any' as const,
  addressesOf: async (host: string) => (host === 'files.test' ? ['127.0.0.1'] : []),
}

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Fetches `path` of a server that answers as `listener` does. */
async function fetchFrom(listener: RequestListener, options: { timeoutMs?: number; bytesMax?: number } = {}) {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const files = createFileFetcher({ ...OPEN, timeoutMs: options.timeoutMs ?? 5000 })
  stops.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }, files.close)
  const { port } = server.address() as AddressInfo
  return files.fetchFile(`http://127.0.0.1:${port}/dir/a%2fb.txt?x=1`, options.bytesMax ?? 1000)
}

test('fetched with the name of its last segment and its bare type', async () => {
  const file = await fetchFrom((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('hello')
  })
  expect(file).toEqual({ content: Buffer.from('hello'), filename: 'a/b.txt', contentType: 'text/html' })
})

test('fetched as it is on the wire: compression is not asked for and not undone', async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000))
  let asked: string | undefined
  const file = await fetchFrom(
    (request, response) => {
      asked = request.headers['accept-encoding']
      response.setHeader('content-encoding', 'gzip')
      response.end(bomb)
    },
    { bytesMax: 2000 },
  )
  expect(asked).toBe('identity')
  expect(file).toMatchObject({ content: bomb })
})

test('fetched at exactly the limit, refused one byte beyond it', async () => {
  const answer: RequestListener = (_request, response) => response.end(Buffer.alloc(10))
  expect(await fetchFrom(answer, { bytesMax: 10 })).toMatchObject({ content: Buffer.alloc(10) })
  expect(await fetchFrom(answer, { bytesMax: 9 })).toEqual({
    problem: 'could not be fetched: it is larger than 9 bytes',
  })
})

const NO_ANSWER = { problem: 'could not be fetched: no server at a public address gave it in time' }

test('refused when the server says nothing, and when it trickles, within the time allowed', async () => {
  expect(await fetchFrom(() => {}, { timeoutMs: 200 })).toEqual(NO_ANSWER)
  const trickle: RequestListener = (_request, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  }
  expect(await fetchFrom(trickle, { timeoutMs: 300 })).toEqual(NO_ANSWER)
})

test('found by the resolver that it was given, and by no other', async () => {
  const server = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const files = createFileFetcher(OPEN)
  stops.push(() => new Promise((resolve) => server.close(resolve)), files.close)
  const { port } = server.address() as AddressInfo
  expect(await files.fetchFile(`http://files.test:${port}/a.txt`, 10)).toMatchObject({ filename: 'a.txt' })
  // The system's own resolver knows this name.
  expect(await files.fetchFile(`http://localhost:${port}/a.txt`, 10)).toEqual(NO_ANSWER)
})

test('one refusal for a closed port, a name without address, a silent port, another protocol and a forbidden address', async () => {
  const silent = createTcpServer((socket) => socket.resume().on('error', () => {}))
  const chatty = createTcpServer((socket) =>
    socket
      .resume()
      .on('error', () => {})
      .end('220 mail.test ESMTP\r\n'),
  )
  for (const server of [silent, chatty]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stops.push(() => new Promise((resolve) => server.close(resolve)))
  }
  const portOf = (server: typeof silent) => (server.address() as AddressInfo).port
  const files = createFileFetcher({ ...OPEN, timeoutMs: 300 })
  const guarded = createFileFetcher({ ...OPEN, guard: createGuard({ allowPrivate: false }) })
  stops.unshift(files.close, guarded.close)
  const apiErrors = [
    await files.fetchFile('http://127.0.0.1:1/', 10),
    await files.fetchFile('http://does-not-exist.invalid/', 10),
    await files.fetchFile(`http://127.0.0.1:${portOf(silent)}/`, 10),
    await files.fetchFile(`https://127.0.0.1:${portOf(chatty)}/`, 10),
    await files.fetchFile(`http://127.0.0.1:${portOf(chatty)}/`, 10),
    await guarded.fetchFile('http://127.0.0.1:1/', 10),
    await guarded.fetchFile('http://files.test/', 10),
  ]
  expect(apiErrors).toEqual(Array(apiErrors.length).fill(NO_ANSWER))
})

test.each([
  ['http://files.test:8080/', [80, 443], 'must be a URL on port 80 or 443'],
  ['https://files.test:80/', [443], 'must be a URL on port 443'],
  ['https://files.test:25/', [80, 443], 'must be a URL on port 80 or 443'],
])('refused without a look-up: %s where the ports are %j', async (url, ports, problem) => {
  const addressesOf = () => Promise.reject(new Error('asked'))
  const files = createFileFetcher({ ...OPEN, ports, addressesOf })
  stops.push(files.close)
  expect(await files.fetchFile(url, 10)).toEqual({ problem })
})

test.each(['http://files.test/', 'http://files.test:80/', 'https://files.test/', 'http://files.test:443/'])(
  'looked up where the ports are 80 and 443: %s',
  async (url) => {
    const asked: string[] = []
    const addressesOf = async (host: string) => {
      asked.push(host)
      return []
    }
    const files = createFileFetcher({ ...OPEN, ports: [80, 443], addressesOf })
    stops.push(files.close)
    expect(await files.fetchFile(url, 10)).toEqual(NO_ANSWER)
    expect(asked).toEqual(['files.test'])
  },
)
