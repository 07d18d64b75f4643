import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createGuard } from '../base/egress-guard.ts'
import { createFileFetcher } from './fetch-file.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Fetches `path` of a server that answers as `listener` does. */
async function fetchFrom(listener: RequestListener, options: { timeoutMs?: number; bytesMax?: number } = {}) {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const files = createFileFetcher(createGuard({ allowPrivate: true }), options.timeoutMs ?? 5000)
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
    refusal: 'could not be fetched: it is larger than 9 bytes',
  })
})

test('refused when the server says nothing, and when it trickles, within the time allowed', async () => {
  const late = { refusal: 'could not be fetched: it took too long' }
  expect(await fetchFrom(() => {}, { timeoutMs: 200 })).toEqual(late)
  const trickle: RequestListener = (_request, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  }
  const startedMs = performance.now()
  expect(await fetchFrom(trickle, { timeoutMs: 300 })).toEqual(late)
  expect(performance.now() - startedMs).toBeLessThan(2000)
})

test('refused without a word about our network when nobody answers', async () => {
  const files = createFileFetcher(createGuard({ allowPrivate: true }))
  stops.push(files.close)
  expect(await files.fetchFile('http://127.0.0.1:1/', 10)).toEqual({
    refusal: 'could not be fetched: the server could not be reached',
  })
  expect(await files.fetchFile('http://does-not-exist.invalid/', 10)).toEqual({
    refusal: 'could not be fetched: the server could not be reached',
  })
})
