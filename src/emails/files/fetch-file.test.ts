import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { listenHere } from '../../../test/support/listen-here.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { createFileFetcher, readRedirect } from './fetch-file.ts'

const OPEN = {
  guard: { refuse: (address: string) => (address === '127.0.0.9' ? 'forbidden' : null) },
  ports: 'any' as const,
  addressesOf: async (host: string) => (host === 'files.test' ? ['127.0.0.1'] : []),
}

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Fetches `path` from a server that responds as `listener` does. */
async function fetchFrom(listener: RequestListener, options: { timeoutMs?: number; bytesMax?: number } = {}) {
  const { url, close } = await listenHere(createServer(listener))
  const files = createFileFetcher({ ...OPEN, timeoutMs: options.timeoutMs ?? 5000 })
  stops.push(close, files.close)
  return files.fetchFile(`${url}/dir/a%2fb.txt?x=1`, options.bytesMax ?? 1000)
}

test('returned with the name of the last path segment and the bare media type', async () => {
  const file = await fetchFrom((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('hello')
  })
  expect(file).toEqual({ content: Buffer.from('hello'), filename: 'a/b.txt', contentType: 'text/html' })
})

test('returned as sent on the wire: compression is neither requested nor undone', async () => {
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

test('returned at exactly the limit, rejected one byte above it', async () => {
  const answer: RequestListener = (_request, response) => response.end(Buffer.alloc(10))
  expect(await fetchFrom(answer, { bytesMax: 10 })).toMatchObject({ content: Buffer.alloc(10) })
  expect(await fetchFrom(answer, { bytesMax: 9 })).toEqual({
    problem: 'could not be fetched: it is larger than 9 bytes',
  })
})

test('followed for up to five redirects, with the name of the last segment', async () => {
  const asked: (string | undefined)[] = []
  const redirecting: RequestListener = ({ url, headers }, response) => {
    asked.push(headers.host)
    const hop = Number(new URL(url ?? '', 'http://x').searchParams.get('x'))
    if (hop < 6)
      response.writeHead([301, 302, 303, 307, 308][hop - 1] as number, { location: `/f\u00fc?x=${hop + 1}` })
    response.end(hop < 6 ? 'x'.repeat(5000) : 'hello')
  }
  expect(await fetchFrom(redirecting)).toMatchObject({ content: Buffer.from('hello') })
  expect(asked).toHaveLength(6)
})

test.each<[string, (port: string) => string | undefined, string]>([
  ['in a circle', () => '/again', 'the server redirected more than 5 times'],
  ['without a place', () => undefined, 'the server answered 302'],
  ['to a file on the disk', () => 'file:///etc/passwd', 'the server redirected to a forbidden URL'],
  ['with a password', (port) => `http://u:p@127.0.0.1:${port}/`, 'the server redirected to a forbidden URL'],
  [
    'to a forbidden address',
    (port) => `http://127.0.0.9:${port}/`,
    'no server at a public address returned it in time',
  ],
])('rejected if the server redirects %s', async (_title, locationOf, end) => {
  const found = await fetchFrom((request, response) => {
    const location = locationOf(request.headers.host?.split(':')[1] ?? '')
    response.writeHead(302, location === undefined ? {} : { location }).end()
  })
  expect(found).toEqual({ problem: `could not be fetched: ${end}` })
})

test('rejected if a redirect leads to a port that is not allowed', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:25/' }).end(),
  )
  const { port, url, close } = await listenHere(server)
  const files = createFileFetcher({ ...OPEN, ports: [port] })
  stops.push(close, files.close)
  expect(await files.fetchFile(`${url}/`, 10)).toEqual({
    problem: 'could not be fetched: the server redirected to a forbidden URL',
  })
})

test.each([
  ['http://a.test/x/y', '/z', 'http://a.test/z'],
  ['http://a.test/x/y', 'z?q', 'http://a.test/x/z?q'],
  ['http://a.test/', '//b.test/z', 'http://b.test/z'],
  ['http://a.test/', 'https://b.test/', 'https://b.test/'],
  ['http://a.test/', Buffer.from('/ü').toString('latin1'), 'http://a.test/%C3%BC'],
  ['https://a.test/', 'http://a.test/', null],
  ['https://a.test/', 'http://', null],
])('from %s to %s: %s', (from, location, to) => {
  expect(readRedirect(location, new URL(from))?.href ?? null).toBe(to)
})

const NO_ANSWER = { problem: 'could not be fetched: no server at a public address returned it in time' }

test('rejected within the time limit when the server sends nothing or trickles', async () => {
  expect(await fetchFrom(() => {}, { timeoutMs: 200 })).toEqual(NO_ANSWER)
  const trickle: RequestListener = (_request, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  }
  expect(await fetchFrom(trickle, { timeoutMs: 300 })).toEqual(NO_ANSWER)
})

test('503 when the fetcher is closed, although the server still sends', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<ServerResponse>()
  const begin: RequestListener = (_request, response) => {
    response.write('one ')
    resolve(response)
  }
  const { url, close } = await listenHere(createServer(begin))
  const files = createFileFetcher(OPEN)
  stops.push(close)
  // The file is not at fault: an email of a batch must not be rejected for good.
  const refused = expect(files.fetchFile(`${url}/`, 10)).rejects.toMatchObject({
    code: 'service_unavailable',
  })
  const response = await begun
  const closed = files.close()
  response.end('two')
  await refused
  await closed
})

test('resolved by the given resolver and by no other', async () => {
  const { port, close } = await listenHere(createServer((_request, response) => response.end('hello')))
  const files = createFileFetcher(OPEN)
  stops.push(close, files.close)
  expect(await files.fetchFile(`http://files.test:${port}/a.txt`, 10)).toMatchObject({ filename: 'a.txt' })
  // The system resolver knows this name.
  expect(await files.fetchFile(`http://localhost:${port}/a.txt`, 10)).toEqual(NO_ANSWER)
})

test('the same problem for a closed port, a name without addresses, a silent port, another protocol and a forbidden address', async () => {
  const silent = await listenHere(createTcpServer((socket) => socket.resume().on('error', () => {})))
  const greet = (socket: Socket) => {
    socket.resume().on('error', () => {})
    socket.end('220 mail.test ESMTP\r\n')
  }
  const chatty = await listenHere(createTcpServer(greet))
  stops.push(silent.close, chatty.close)
  const files = createFileFetcher({ ...OPEN, timeoutMs: 300 })
  const guarded = createFileFetcher({ ...OPEN, guard: createGuard({ allowPrivate: false }) })
  stops.unshift(files.close, guarded.close)
  const apiErrors = [
    await files.fetchFile('http://127.0.0.1:1/', 10),
    await files.fetchFile('http://does-not-exist.invalid/', 10),
    await files.fetchFile(`${silent.url}/`, 10),
    await files.fetchFile(`https://127.0.0.1:${chatty.port}/`, 10),
    await files.fetchFile(`${chatty.url}/`, 10),
    await guarded.fetchFile('http://127.0.0.1:1/', 10),
    await guarded.fetchFile('http://files.test/', 10),
  ]
  expect(apiErrors).toEqual(Array(apiErrors.length).fill(NO_ANSWER))
})

test.each([
  ['http://files.test:8080/', [80, 443], 'must be a URL on port 80 or 443'],
  ['https://files.test:80/', [443], 'must be a URL on port 443'],
  ['https://files.test:25/', [80, 443], 'must be a URL on port 80 or 443'],
])('rejected without a lookup: %s with the ports %j', async (url, ports, problem) => {
  const addressesOf = () => Promise.reject(new Error('asked'))
  const files = createFileFetcher({ ...OPEN, ports, addressesOf })
  stops.push(files.close)
  expect(await files.fetchFile(url, 10)).toEqual({ problem })
})

test.each(['http://files.test/', 'http://files.test:80/', 'https://files.test/', 'http://files.test:443/'])(
  'looked up with the ports 80 and 443: %s',
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
