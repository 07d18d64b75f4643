import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { API_ROUTES } from '../../app/routes.ts'
import { docsRoutes } from './docs-routes.ts'
import { guideRoutes } from './guide-routes.ts'
import { createSiteReader, docsSiteRoutes } from './site.ts'

const PUBLIC_URL = 'https://api.test'
const GUIDE = 'docs/guides/sending.md'
const PAGE = '<!doctype html><title>Page</title>'
let folder: string
let api: Api

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-site-'))
  const readSite = createSiteReader(join(folder, 'dist'))
  const docs = join(import.meta.dirname, '../../../docs')
  api = await startApi({
    routes: [
      ...docsRoutes(API_ROUTES, PUBLIC_URL),
      ...docsSiteRoutes(readSite),
      ...guideRoutes(docs, PUBLIC_URL),
    ],
  })
})
afterAll(async () => {
  await api?.stop()
  rmSync(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) =>
  api.server.inject({ url: path, headers: { 'accept-encoding': 'identity', ...headers } })

test('404 with a page that says how to build it, while it is not built', async () => {
  const page = await get('/docs/')
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.body).toContain('npm run docs')
  expect((await get('/docs/install.html')).json()).toMatchObject({ name: 'not_found' })
  build()
  expect((await get('/docs/')).body).toBe(PAGE)
})

function build(): void {
  writeFileSync(join(folder, 'secret.html'), 'secret')
  for (const name of ['guides', 'api', 'assets', 'files'])
    mkdirSync(join(folder, 'dist', name), { recursive: true })
  for (const name of [
    'index.html',
    'emails.html',
    'guides/sending.html',
    'guides/index.html',
    'api/api-keys.html',
  ]) {
    writeFileSync(join(folder, 'dist', name), PAGE)
    writeFileSync(join(folder, 'dist', `${name}.br`), brotliCompressSync(PAGE))
  }
  writeFileSync(join(folder, 'dist', 'assets', 'site.js'), '1')
  writeFileSync(join(folder, 'dist', 'files', 'compose.yaml'), 'services:')
  writeFileSync(join(folder, 'dist', '.hidden'), 'hidden')
}

test.each([
  ['/docs/', 'text/html; charset=utf-8'],
  ['/docs/emails.html', 'text/html; charset=utf-8'],
  ['/docs/guides/sending.html', 'text/html; charset=utf-8'],
  ['/docs/guides/', 'text/html; charset=utf-8'],
  ['/docs/assets/site.js', 'text/javascript; charset=utf-8'],
  ['/docs/files/compose.yaml', 'text/plain; charset=utf-8'],
])('200 for %s, which may load only its own files', async (path, type) => {
  const { statusCode, headers } = await get(path)
  expect([statusCode, headers['content-type']]).toEqual([200, type])
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  )
  expect(headers['content-security-policy']).not.toContain('unsafe')
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('the guides in Markdown stay where they are', async () => {
  expect((await get(`/${GUIDE}`)).body).toMatch(/^# /)
})

test.each([
  ['/docs', 'docs/'],
  ['/docs/api-keys', 'api/api-keys.html'],
])('302 from %s to %s', async (path, location) => {
  const { statusCode, headers } = await get(path)
  expect([statusCode, headers.location]).toEqual([302, location])
})

test('packed for clients that can unpack it, and sent once', async () => {
  const packed = await get('/docs/', { 'accept-encoding': 'gzip, br' })
  expect(packed.headers['content-encoding']).toBe('br')
  expect(packed.rawPayload).toEqual(brotliCompressSync(PAGE))
  expect(packed.headers.vary).toBe('accept-encoding')
  const again = await get('/docs/', { 'if-none-match': String(packed.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test.each([
  '/docs/../secret.html',
  '/docs/%2e%2e/secret.html',
  '/docs/..%2fsecret.html',
  '/docs/guides/..%2f..%2fsecret.html',
  '/docs/guides%5c..%5csecret.html',
  '/docs/.hidden',
  '/docs/index.html.br',
  '/docs/guides',
  '/docs/none/',
  '/docs/index.html%00',
  `/docs/${'a/'.repeat(200)}`,
  '/docs/index.html/more.html',
])('nothing for %s', async (path) => {
  const { statusCode, body } = await get(path)
  // Without a key, paths outside /docs are 401.
  expect(statusCode).toSatisfy((status) => status === 404 || status === 401)
  expect(body).not.toContain('secret')
})
