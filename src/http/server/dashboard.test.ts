import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveDashboard } from './dashboard.ts'

const PAGE = '<!doctype html><title>Page</title>'
const SCRIPT = 'console.log(1)'
let folder: string
let app: FastifyInstance
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-dashboard-'))
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of [
    ['index.html', PAGE],
    ['assets/app-1.js', SCRIPT],
  ] as const) {
    writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
  }
  app = fastify()
  serveDashboard(app, folder)
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

/** Sends path and header unchanged, unlike `fetch`. */
async function ask(path: string, accepted: string) {
  const { port } = new URL(url)
  const headers = { 'accept-encoding': accepted }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers }, resolve).on('error', reject)
  })
  const coding = response.headers['content-encoding'] ?? 'identity'
  const bytes = await buffer(response)
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[coding] ?? ((as: Buffer) => as)
  return { status: response.statusCode, coding, text: () => unpack(bytes).toString() }
}

test.each([
  { accepted: 'br, gzip', coding: 'br' },
  { accepted: 'gzip', coding: 'gzip' },
  { accepted: 'GZIP;q=0.5', coding: 'gzip' },
  { accepted: 'br;q=0, gzip', coding: 'gzip' },
  { accepted: 'br; q=0.000, gzip;q=0', coding: 'identity' },
  { accepted: 'zbr, x-gzip', coding: 'identity' },
  { accepted: 'identity', coding: 'identity' },
  { accepted: 'br;q=0,'.repeat(1_800), coding: 'identity' },
])('200, packed as its client can unpack: $coding', async ({ accepted, coding }) => {
  const [page, script] = [await ask('/app', accepted), await ask('/assets/app-1.js', accepted)]
  expect([page.status, page.coding, page.text()]).toEqual([200, coding, PAGE])
  expect([script.status, script.coding, script.text()]).toEqual([200, coding, SCRIPT])
})

test.each([
  '/assets/../index.html',
  '/assets/%2e%2e/index.html',
  '/assets/..%2findex.html',
  '/assets/app-1.js.br',
  '/assets/__proto__',
  '/assets/',
])('404 for %s: nothing but assets is there', async (path) => {
  expect((await ask(path, 'identity')).status).toBe(404)
})

test('200 with the new page soon after a new build replaced the old one', async () => {
  expect((await ask('/app', 'identity')).text()).toBe(PAGE)
  const newer = PAGE.replace('Page', 'Newer')
  writeFileSync(join(folder, 'newer.html'), newer)
  renameSync(join(folder, 'newer.html'), join(folder, 'index.html'))
  await expect.poll(async () => (await ask('/app', 'identity')).text(), { timeout: 60_000 }).toBe(newer)
})
