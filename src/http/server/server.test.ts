import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { openDb } from '../../db/db.ts'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import { route } from '../route/route.ts'

const common = {
  summary: 'x',
  area: 'operation',
  permission: 'full',
  limit: 'general',
  responses: {},
} as const

const ROUTES = [
  route('POST', '/echo', {
    ...common,
    body: Type.Object({
      name: Type.String({ maxLength: 10 }),
      list: Type.Optional(Type.Array(Type.Integer())),
    }),
    handle: async ({ body }) => ({ status: 201, json: body }),
  }),
  route('GET', '/echo/:id', { ...common, handle: async ({ params }) => ({ status: 200, json: params }) }),
  route('DELETE', '/echo/:id', { ...common, handle: async () => ({ status: 200, json: { deleted: true } }) }),
  route('GET', '/raw', {
    ...common,
    handle: async () => ({ status: 200, bytes: Buffer.from('<b>'), type: 'text/html' }),
  }),
  route('GET', '/away', {
    ...common,
    handle: async () => {
      throw new DatabaseUnavailable(new Error('connect /var/run/secret'))
    },
  }),
  route('GET', '/slow', {
    ...common,
    handle: async () => {
      const slow = openDb(api.databaseUrl, {
        connectionsMax: 1,
        timeoutMs: 5000,
        statementTimeoutMs: 50,
        name: 'test',
      })
      await slow.query('select pg_sleep(5)').finally(() => slow.close())
      return { status: 200, json: {} }
    },
  }),
  route('GET', '/bug', {
    ...common,
    handle: async () => {
      throw new Error('select secret from table')
    },
  }),
  route('GET', '/open', {
    ...common,
    permission: 'public',
    handle: async () => ({ status: 200, json: { ok: true } }),
  }),
  route('POST', '/send', {
    ...common,
    permission: 'send',
    limit: 'send',
    handle: async () => ({ status: 202, json: {} }),
  }),
]

let api: Api
let team: GivenTeam
beforeAll(async () => {
  api = await startApi({ routes: ROUTES })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

/** Returns the response to raw request bytes that a client library would never send. */
function exchange(request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.write(request))
    socket.on('data', (bytes) => {
      answer += bytes
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

/** Returns a request line and header that only a socket can send. */
const requestFor = (target: string, fields = '') =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${team.token}\r\n${fields}Connection: close\r\n\r\n`

const withKey = (body: string | Uint8Array, headers: Record<string, string>, path = '/echo') =>
  fetch(api.url + path, {
    method: 'POST',
    body: body as NonNullable<RequestInit['body']>,
    headers: { authorization: `Bearer ${team.token}`, ...headers },
  })

describe('every response', () => {
  test.each(['/open', '/echo/1', '/nowhere', '/bug', '/away', '/raw'])(
    'has limits, an id and no cache: %s',
    async (path) => {
      const { headers } = await team.get(path)
      expect(headers.get('ratelimit-limit')).toMatch(/^\d+$/)
      expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
      expect(headers.get('ratelimit-reset')).toMatch(/^\d+$/)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test('is the same for a target in absolute form with any host', async () => {
    for (const target of ['http://other.test/echo/7', 'HTTPS://other.test:99/v1/echo/7'])
      expect(await exchange(requestFor(target)), target).toMatch(/^HTTP\/1\.1 200 [\s\S]*"7"/)
    expect(await exchange(requestFor('http://other.test'))).toMatch(/^HTTP\/1\.1 404 /)
    expect(await exchange(requestFor('ftp://other.test/echo/7'))).toMatch(/^HTTP\/1\.1 (400|404) /)
  })

  test('is the same with an unknown expectation', async () => {
    expect(await exchange(requestFor('/echo/7', 'Expect: 200-ok\r\n'))).toMatch(/^HTTP\/1\.1 200 [\s\S]*"7"/)
  })

  test('is the same under /v1', async () => {
    const [plain, versioned] = [await team.get('/echo/7'), await team.get('/v1/echo/7')]
    expect(versioned.text).toBe(plain.text)
    expect((await team.get('/v1/nowhere')).status).toBe(404)
  })

  test('has a sandbox if it consists of bytes', async () => {
    expect((await team.get('/raw')).headers.get('content-security-policy')).toContain('sandbox')
  })
})

describe('paths and methods', () => {
  test('404 for an unknown path with a key, 401 without', async () => {
    const reply = await team.get('/nowhere')
    const hint = 'No endpoint has this path. The reference is at /docs.'
    expect(reply.json).toEqual({ statusCode: 404, name: 'not_found', message: 'Not found.', hint })
    expect((await api.as(null).get('/nowhere')).status).toBe(401)
  })

  test.each([
    ...['/favicon.ico', '/robots.txt', '/apple-touch-icon-precomposed.png', '/assets/app-old.js'],
    '/.well-known/security.txt',
  ])('404 without a key for %s, which browsers and crawlers ask for', async (path) => {
    expect(await api.as(null).get(path)).toMatchObject({ status: 404, json: { message: 'Not found.' } })
  })

  test('404 before a body of any type is checked', async () => {
    expect(
      (await withKey('a=b', { 'content-type': 'application/x-www-form-urlencoded' }, '/nowhere')).status,
    ).toBe(404)
  })

  test('405 with Allow for a known path and another method', async () => {
    const reply = await team.put('/echo/7', {})
    expect(reply.status).toBe(405)
    expect(reply.json.name).toBe('method_not_allowed')
    expect(reply.headers.get('allow')).toBe('DELETE, GET, HEAD')
  })

  test('405 for public paths without a key', async () => {
    expect((await api.as(null).post('/open', {})).status).toBe(405)
  })

  test('200 without a body for HEAD', async () => {
    const response = await fetch(`${api.url}/open`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  test('400 for an invalid escape', async () => {
    expect(
      await exchange(
        `GET /echo/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${team.token}\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 400/)
  })
})

describe('bodies', () => {
  test('200 for an empty body with the type JSON', async () => {
    const headers = { authorization: `Bearer ${team.token}`, 'content-type': 'application/json' }
    expect((await fetch(`${api.url}/echo/1`, { method: 'DELETE', headers })).status).toBe(200)
  })

  test('422 with every field for an empty body if fields are required', async () => {
    const reply = await team.post('/echo')
    expect(reply.status).toBe(422)
    expect(reply.json).toEqual({
      statusCode: 422,
      name: 'validation_error',
      message: 'The name field is required.',
      errors: { name: ['The name field is required.'] },
    })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    '415 for %s',
    async (type) => {
      expect((await withKey('{"name":"a"}', { 'content-type': type })).status).toBe(415)
    },
  )

  test('415 for a compressed body', async () => {
    const reply = await withKey(gzipSync('{"name":"a"}'), {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    })
    expect(reply.status).toBe(415)
  })

  test('413 above a mebibyte, with and without a length', async () => {
    const large = JSON.stringify({ name: 'a', pad: 'x'.repeat(1024 * 1024) })
    expect((await withKey(large, { 'content-type': 'application/json' })).status).toBe(413)
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(large))
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${team.token}`, 'content-type': 'application/json' }
    const reply = await fetch(`${api.url}/echo`, {
      method: 'POST',
      body: chunked,
      headers,
      duplex: 'half',
    } as RequestInit)
    expect(reply.status).toBe(413)
    expect(((await reply.json()) as { name: string }).name).toBe('payload_too_large')
  })

  test.each([
    '{"name":',
    'nonsense',
    '{"name":"a","name":"b"}',
    '{"__proto__":{"polluted":1},"name":"a"}',
    '{"name":"a","n":1e400}',
    '{"name":"\\ud800"}',
    '{"name":"\\u0000"}',
    '[1]',
    'null',
    '"text"',
    '['.repeat(100_000),
    `{"name":"a","list":[${'"x",'.repeat(100_000)}1]}`,
  ])('422 for %.40s', async (body) => {
    const reply = await withKey(body, { 'content-type': 'application/json' })
    const text = await reply.text()
    expect(reply.status, text).toBe(422)
    expect(text.length).toBeLessThan(20_000)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('201 with unknown fields ignored, `constructor` among them', async () => {
    const reply = await team.post('/echo', {
      name: 'a',
      constructor: { prototype: { polluted: 1 } },
      team_id: 'x',
    })
    expect(reply.status).toBe(201)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('400 for two lengths', async () => {
    const head = `POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${team.token}\r\nContent-Type: application/json\r\n`
    const both = await exchange(`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)
    expect(both).toMatch(/^HTTP\/1.1 400/)
    expect(both).toContain('"name":"bad_request"')
    expect(both).toContain('x-request-id: ')
    expect(await exchange(`${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   `)).toMatch(
      /^HTTP\/1.1 400/,
    )
  })
})

describe('failures', () => {
  test('503 that names the cause if the database canceled a slow statement', async () => {
    const reply = await team.get('/slow')
    expect([reply.status, reply.json.name]).toEqual([503, 'service_unavailable'])
    expect(reply.json.message).toBe('The query took too long. Use a narrower filter or fewer conditions.')
    expect(reply.headers.get('retry-after')).toBe('2')
  })

  test('503 with Retry-After while the database is unavailable, without details in the response', async () => {
    const reply = await team.get('/away')
    expect(reply.status).toBe(503)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(reply.json.name).toBe('service_unavailable')
    expect(reply.text).not.toContain('secret')
  })

  test('500 without details for a bug', async () => {
    const reply = await team.get('/bug')
    expect(reply.json).toEqual({
      statusCode: 500,
      name: 'internal_server_error',
      message: 'Something went wrong on our side.',
    })
  })
})

test('400 without a Host header in HTTP/1.1, as JSON, on any path', async () => {
  for (const path of ['/open', '/echo/7', '/nowhere']) {
    const answer = await exchange(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`)
    expect(answer, path).toMatch(/^HTTP\/1.1 400/)
    expect(answer).toContain('x-request-id: ')
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    expect(body).toEqual({ statusCode: 400, name: 'bad_request', message: 'The request has no Host header.' })
  }
  expect(await exchange('GET /open HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200/)
})

test('431 for an endless header, as JSON', async () => {
  const answer = await exchange(`GET /open HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1.1 431/)
  expect(answer).toContain('"statusCode":431')
})

test('408 for a slow header, and for a silent connection', async () => {
  const slow = await startApi({ routes: ROUTES, server: { connections: { headersTimeoutMs: 100 } } })
  try {
    const port = Number(new URL(slow.url).port)
    const closed = (bytes: string) =>
      new Promise<string>((resolve) => {
        let answer = ''
        const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
        socket.on('data', (chunk) => {
          answer += chunk
        })
        socket.on('close', () => resolve(answer))
      })
    const [halfway, silent] = await Promise.all([closed('GET /open HTTP/1.1\r\nHost:'), closed('')])
    expect(halfway).toMatch(/^HTTP\/1.1 408/)
    expect(silent).toMatch(/^HTTP\/1.1 408/)
  } finally {
    await slow.stop()
  }
})

test('closed at once: connections of one address beyond its share', async () => {
  const narrow = await startApi({ routes: ROUTES, server: { connections: { perAddressMax: 2 } } })
  try {
    const port = Number(new URL(narrow.url).port)
    const open = () =>
      new Promise<{ socket: ReturnType<typeof connect>; closed: Promise<void> }>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve({ socket, closed }))
        const closed = new Promise<void>((done) => socket.on('close', () => done()))
        socket.on('error', () => {})
      })
    const [first, second] = [await open(), await open()]
    const third = await open()
    await third.closed
    first.socket.destroy()
    second.socket.destroy()
    await Promise.all([first.closed, second.closed])
    // The server notices the close a moment after its client.
    const answer = () =>
      narrow
        .as(null)
        .get('/open')
        .then(
          (reply) => reply.status,
          () => 'refused',
        )
    await expect.poll(answer).toBe(200)
  } finally {
    await narrow.stop()
  }
})
