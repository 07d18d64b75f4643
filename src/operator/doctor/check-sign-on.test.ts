import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { listenHere } from '../../../test/support/listen-here.ts'
import { checkSignOn } from './check-sign-on.ts'

const server = createServer((request, response) => {
  const path = request.url ?? ''
  response.statusCode = path.startsWith('/missing') ? 404 : 200
  if (path.startsWith('/large')) response.write(' '.repeat(2 * 1024 * 1024))
  response.end(path.startsWith('/text') ? 'no JSON' : JSON.stringify({ issuer: `${url}/right` }))
})
const { url, close } = await listenHere(server)
afterAll(close)

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
