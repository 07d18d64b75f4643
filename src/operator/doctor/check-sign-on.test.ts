import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkSignOn } from './check-sign-on.ts'

const server = createServer((request, response) => {
  const path = request.url ?? ''
  response.statusCode = path.startsWith('/missing') ? 404 : 200
  if (path.startsWith('/large')) response.write(' '.repeat(2 * 1024 * 1024))
  response.end(path.startsWith('/text') ? 'no JSON' : JSON.stringify({ issuer: `${url}/right` }))
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test.each([
  ['/right', 'ok', 'responds'],
  ['/right/', 'problem', 'issuer is'],
  ['/missing', 'problem', '404'],
  ['/text', 'warning', 'cannot be reached'],
  ['/large', 'warning', 'sent more than 1048576 bytes'],
])('a provider at %s: %s', async (path, level, found) => {
  expect(await checkSignOn(url + path)).toMatchObject({ level, found: expect.stringContaining(found) })
})

test('a warning for a provider that does not respond', async () => {
  expect(await checkSignOn('http://127.0.0.1:1')).toMatchObject({
    level: 'warning',
    advice: expect.any(String),
  })
})
