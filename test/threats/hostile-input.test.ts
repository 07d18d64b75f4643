import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { draftEmail, type SendRequest } from '../../src/emails/request/draft-email.ts'
import { parseJson } from '../../src/http/json/json.ts'
import { PASSES_MAX, passesOf } from '../support/passes.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('capture')
  ann = await service.givenSender()
})

/** Posts these bytes unchanged. */
async function post(path: string, body: string | Buffer): Promise<{ status: number; text: string }> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return { status: response.status, text: await response.text() }
}

const FIELDS = () => `"from":"a@${ann.domain}","to":"delivered@simulator.test","subject":"x","text":"x"`
const HOSTILE: [title: string, body: () => string | Buffer][] = [
  ['__proto__', () => `{${FIELDS()},"__proto__":{"polluted":true}}`],
  ['__proto__ in headers', () => `{${FIELDS()},"headers":{"__proto__":"x"}}`],
  ['a name twice', () => `{${FIELDS()},"subject":"y"}`],
  ['a depth of 100,000', () => `{${FIELDS()},"tags":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['1e400', () => `{${FIELDS()},"x":1e400}`],
  ['U+0000 in the text', () => `{${FIELDS().replace('"text":"x"', '"text":"a\\u0000b"')},"html":7}`],
  ['bytes that are not UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['a string', () => '"text"'],
  ['a number', () => '7'],
  ['null', () => 'null'],
  ['a list', () => `[{${FIELDS()}}]`],
  ['half of it', () => `{${FIELDS()}`],
  ['NaN', () => `{${FIELDS()},"x":NaN}`],
  ['a comment', () => `{${FIELDS()}/* x */}`],
]

describe('4xx for JSON that is or contains', () => {
  for (const [title, body] of HOSTILE) {
    test(title, async () => {
      for (const path of ['/emails', '/domains', '/api-keys', '/suppressions']) {
        const { status, text } = await post(path, body())
        expect([400, 413, 422], `${path} ${text}`).toContain(status)
        expect(JSON.parse(text)).toMatchObject({ statusCode: status, name: expect.any(String) })
      }
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    })
  }
})

test('202 for names that are dangerous elsewhere, stored unchanged', async () => {
  const headers = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', prototype: 'd' }
  const id = await ann.send({ headers, constructor: { prototype: { polluted: true } } })
  expect((await ann.get(`/emails/${id}`)).json.headers).toEqual(headers)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('202 for lone surrogates, returned as U+FFFD, or a rejection, never 5xx', async () => {
  for (const path of ['subject', 'text', 'html']) {
    const { status, text } = await post(
      '/emails',
      `{${FIELDS()}}`.replace('"x"', '"a\\ud800b"').replace('"subject"', `"${path}"`),
    )
    expect([202, 422], text).toContain(status)
  }
})

/** Pieces that cause catastrophic backtracking in careless expressions. */
const PIECES = [
  '{{',
  '(',
  '-',
  '"',
  '\\"',
  '<',
  '@',
  'a.',
  ',',
  '=?utf-8?q?',
  ' ',
  '\t ',
  '[',
  'ü',
  '😀',
  '\\',
  ';',
  '/',
  ':',
  '0',
  '%',
  '>',
  '<a@',
]
const PLACES: Record<string, (text: string) => SendRequest> = {
  from: (text) => ({ from: text }),
  to: (text) => ({ to: text }),
  'a name in to': (text) => ({ to: `"${text}" <a@b.test>` }),
  'a bare name in to': (text) => ({ to: `${text} <a@b.test>` }),
  'a domain in to': (text) => ({ to: `a@${text}.test` }),
  cc: (text) => ({ cc: [text] }),
  reply_to: (text) => ({ reply_to: text }),
  subject: (text) => ({ subject: text }),
  'a header name': (text) => ({ headers: { [text]: 'x' } }),
  'a header value': (text) => ({ headers: { 'X-A': text } }),
  'a tag': (text) => ({ tags: [{ name: text, value: text }] }),
  'a filename': (text) => ({ attachments: [{ filename: text, content: '' }] }),
  scheduled_at: (text) => ({ scheduled_at: text }),
}
const CHARS = 1_000_000

describe('validated in linear time: a megabyte in', () => {
  for (const [place, make] of Object.entries(PLACES)) {
    test(place, () => {
      for (const piece of PIECES) {
        const text = piece.repeat(CHARS / piece.length)
        const request = make(text)
        const judge = () => {
          try {
            draftEmail({ from: 'a@b.test', to: 'a@b.test', subject: 'x', text: 'x', ...request }, new Date())
          } catch {
            // Either outcome is acceptable here.
          }
        }
        expect(passesOf(judge, text), piece).toBeLessThan(PASSES_MAX)
      }
    })
  }

  test('any string in the JSON', () => {
    for (const piece of PIECES) {
      const text = JSON.stringify({ text: piece.repeat(CHARS / piece.length) })
      const bytes = Buffer.from(text)
      expect(
        passesOf(() => parseJson(bytes), text),
        piece,
      ).toBeLessThan(PASSES_MAX)
    }
  })
})

test('4xx, never 5xx, for a megabyte in every field of every body', async () => {
  const long = 'x('.repeat(400_000)
  const bodies: [string, Record<string, unknown>[]][] = [
    ['/emails', Object.values(PLACES).map((make) => ann.email(make(long) as Record<string, unknown>))],
    ['/domains', [{ name: long }, { name: '-'.repeat(100_000) }, { name: 'a.test', tls: long }]],
    [
      '/api-keys',
      [
        { name: long },
        { name: 'x', domain_id: long },
        { name: 'x', expires_at: long },
        { name: 'x', permission: long },
      ],
    ],
    [
      '/suppressions',
      [
        { email: long },
        { email: `${'('.repeat(50_000)}a@b.test` },
        { email: `a@${'-'.repeat(100_000)}.test` },
      ],
    ],
  ]
  for (const [path, list] of bodies) {
    for (const body of list) {
      const reply = await ann.post(path, body)
      expect(reply.status, `${path} ${Object.keys(body)} ${reply.text.slice(0, 200)}`).toBe(422)
      expect(reply.text.length).toBeLessThan(20_000)
    }
  }
})

/** Writes these bytes to the port. Resolves to the status of the first response; null when there was none. */
function statusOfRaw(bytes: string): Promise<number | null> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
      if (/^HTTP\/1\.1 \d{3}/.test(answer)) socket.destroy()
    })
    socket.once('error', () => {})
    socket.once('close', () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
      resolve(status === undefined ? null : Number(status))
    })
    socket.write(bytes)
  })
}

describe('rejected at the protocol level', () => {
  const head = (...lines: string[]) =>
    `${['POST /emails HTTP/1.1', 'Host: x', ...lines].join('\r\n')}\r\n\r\n`
  const key = () => `Authorization: Bearer ${ann.token}`
  const json = 'Content-Type: application/json'
  const requests: [title: string, status: number[], bytes: () => string][] = [
    [
      'both lengths',
      [400],
      () => `${head(key(), json, 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    [
      'two lengths that differ',
      [400],
      () => `${head(key(), json, 'Content-Length: 2', 'Content-Length: 3')}{}`,
    ],
    ['a length with a sign', [400], () => `${head(key(), json, 'Content-Length: +2')}{}`],
    [
      'a chunked body with a bad size',
      [400],
      () => `${head(key(), json, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'a transfer coding beside chunked',
      [415],
      () => `${head(key(), json, 'Transfer-Encoding: gzip, chunked')}2\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'a compressed body',
      [415],
      () => `${head(key(), json, 'Content-Encoding: gzip', 'Content-Length: 2')}{}`,
    ],
    ['a folded header', [400], () => head(key(), 'X-A: a\r\n b', 'Content-Length: 0')],
    ['a space before the colon', [400], () => head('Authorization : Bearer x', 'Content-Length: 0')],
    ['a bare LF in a header', [400], () => head(key(), 'X-A: a\nX-B: b', 'Content-Length: 0')],
    ['two keys', [401], () => head(key(), key(), 'Content-Length: 0')],
    ['a key in a cookie', [401], () => head(`Cookie: token=${ann.token}`, 'Content-Length: 0')],
    [
      'Basic',
      [401],
      () =>
        head(`Authorization: Basic ${Buffer.from(`${ann.token}:`).toString('base64')}`, 'Content-Length: 0'),
    ],
    ['SMTP on the HTTP port', [400], () => 'EHLO evil.test\r\nMAIL FROM:<a@b.test>\r\n'],
  ]
  for (const [title, statuses, bytes] of requests) {
    test(`${statuses.join(' or ')} for ${title}`, async () => {
      const status = await statusOfRaw(bytes())
      expect(statuses).toContain(status)
    })
  }
})
