import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import type { Dispatcher } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSmtp, openSmtps } from '../support/smtp-client.ts'
import { type Asked, ask, withKey } from './support/ask.ts'
import { API_HOST, installHaproxy } from './support/balancer.ts'
import { type Cell, type Cells, startCells } from './support/cells.ts'

const absent = await installHaproxy()
if (absent !== null) process.stderr.write(`${absent}\n`)

/** Clients that are not the balancer, which connects from 127.0.0.1. */
const CLIENT = '127.0.0.66'
const OTHER_CLIENT = '127.0.0.67'
const WRONG = 'x'.repeat(40)

describe.skipIf(absent !== null)('the address of two cells, to', () => {
  let cells: Cells
  let api: string
  let client: Dispatcher
  let clientH2: Dispatcher
  beforeAll(async () => {
    cells = await startCells({ a1: {}, b2: {} })
    api = `https://${API_HOST}:${cells.balancer.port}`
    client = cells.balancer.clientFrom(CLIENT)
    clientH2 = cells.balancer.clientFrom(CLIENT, { allowH2: true })
  })
  afterAll(() => cells?.remove())

  /** Returns the response without what differs between any two. */
  const bareOf = ({ status, headers, text }: Asked) => {
    const { date, 'x-request-id': id, ...others } = headers
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(Date.parse(date ?? '')).toBeGreaterThan(0)
    return { status, headers: others, text }
  }

  describe('a request without a valid key', () => {
    test.each([
      ['none', []],
      ['an empty one', ['authorization', '']],
      ['no token', ['authorization', 'Bearer ']],
      ['another scheme', ['authorization', `Basic ${Buffer.from('sw_a1_:x').toString('base64')}`]],
      ['no key', withKey('x')],
      ['a comma', withKey(`sw_a1_${WRONG},sw_b2_${WRONG}`)],
      ['an unknown cell', withKey(`sw_zz_${WRONG}`)],
      ['a cell in upper case', withKey(`sw_A1_${WRONG}`)],
      ['an unknown key of a1', withKey(`sw_a1_${WRONG}`)],
      ['an unknown key of b2', withKey(`sw_b2_${WRONG}`)],
      ['an unknown key without a cell', withKey(`sw_${WRONG}`)],
      ['a prefix alone', withKey('sw_a1_')],
      ['the longest token', withKey('x'.repeat(1_000))],
      ['one too long', withKey(`sw_b2_${'x'.repeat(995)}`)],
      ['one of 12 KB', withKey(`sw_b2_${'x'.repeat(12_000)}`)],
      ['two of them', [...withKey(`sw_a1_${WRONG}`), ...withKey(`sw_b2_${WRONG}`)]],
    ])('401 as from a cell itself: %s', async (_what, headers) => {
      const direct = bareOf(await ask(client, `${cells.a1.url}/emails`, { headers }))
      expect(direct.status).toBe(401)
      for (const dispatcher of [client, clientH2])
        for (let count = 0; count < 2; count++)
          expect(bareOf(await ask(dispatcher, `${api}/emails`, { headers }))).toEqual(direct)
    })

    test('two keys, each valid in its cell', async () => {
      const [one, other] = [withKey(cells.a1.sender.token), withKey(cells.b2.sender.token)]
      for (const headers of [
        [...one, ...other],
        [...other, ...one],
      ])
        for (const dispatcher of [client, clientH2]) {
          const reply = await ask(dispatcher, `${api}/domains`, { headers })
          expect([reply.status, reply.json.name]).toEqual([401, 'invalid_api_key'])
        }
    })

    test('a key at the host name of another cell', async () => {
      for (const [at, of] of [
        ['a1', 'b2'],
        ['b2', 'a1'],
      ] as const) {
        const url = `https://${cells[at].host}:${cells.balancer.port}/domains`
        expect((await ask(client, url, { headers: withKey(cells[of].sender.token) })).status).toBe(401)
        expect((await ask(client, url, { headers: withKey(cells[at].sender.token) })).status).toBe(200)
      }
    })
  })

  /** Sends bytes over TLS, and returns everything that the balancer answers until it closes, or until `count` responses. */
  async function exchange(bytes: string, servername = API_HOST): Promise<string> {
    const { balancer, authority } = cells
    const socket = connectTls({ host: '127.0.0.1', port: balancer.port, servername, ca: authority.cert })
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    socket.write(bytes)
    await once(socket, 'close')
    return text
  }
  const statusesOf = (text: string) =>
    [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))

  /** A request of HTTP/1.1, after which the connection closes. */
  const requestOf = (...fields: string[]) =>
    ['GET /domains HTTP/1.1', `Host: ${API_HOST}`, ...fields, 'Connection: close', '', ''].join('\r\n')

  describe('what clients write differently', () => {
    test.each(['bearer', 'BEARER', 'BeArEr ', 'Bearer  '])('200 for the scheme "%s"', async (scheme) => {
      for (const { sender } of [cells.a1, cells.b2])
        for (let count = 0; count < 2; count++) {
          const text = await exchange(requestOf(`aUTHORIZATION:${scheme} ${sender.token}\t `))
          expect(statusesOf(text)).toEqual([200])
        }
    })

    test('200 for a header that is continued in the next line', async () => {
      for (const { sender } of [cells.a1, cells.b2])
        expect(statusesOf(await exchange(requestOf(`Authorization: Bearer\r\n ${sender.token}`)))).toEqual([
          200,
        ])
    })

    test('the host, and not the name in the TLS handshake, leads to a cell', async () => {
      const { a1, b2 } = cells
      const request = requestOf(`Authorization: Bearer ${b2.sender.token}`).replace(
        API_HOST,
        b2.host.toUpperCase(),
      )
      expect(statusesOf(await exchange(request, a1.host))).toEqual([200])
    })
  })

  describe('400 of the balancer, and no cell sees it', () => {
    const twoHosts = (one: string, other: string) => requestOf(`Host: ${other}`).replace(API_HOST, one)
    test.each([
      ['two hosts', () => twoHosts(cells.a1.host, cells.b2.host)],
      [
        'another host in the target',
        () => requestOf().replace('/domains', `http://${cells.b2.host}/domains`),
      ],
      ['a space before the colon', () => requestOf(`Authorization : Bearer ${cells.a1.sender.token}`)],
      ['a key of 20 KB', () => requestOf(`Authorization: Bearer sw_a1_${'x'.repeat(20_000)}`)],
      ['two lengths', () => requestOf('Content-Length: 1', 'Content-Length: 2')],
    ])('%s', async (_what, request) => {
      expect(statusesOf(await exchange(request()))).toEqual([400])
      expect(cells.balancer.log().trim().split('\n').at(-1)).toContain('<NOSRV>')
    })
  })

  test.each([
    ['a length beside chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['chunks by another name', ['Content-Length: 4', 'Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['chunks twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['chunks after a tab', ['Content-Length: 4', 'Transfer-Encoding:\tchunked'], '0\r\n\r\n'],
  ])('no cell takes a body for a request: %s', async (_what, fields, end) => {
    const { a1, b2 } = cells
    const hidden = requestOf(`Authorization: Bearer ${b2.sender.token}`)
    const first = ['POST /domains HTTP/1.1', `Host: ${API_HOST}`, `Authorization: Bearer ${a1.sender.token}`]
    const text = await exchange(`${[...first, ...fields].join('\r\n')}\r\n\r\n${end}${hidden}`)
    const [status, ...others] = statusesOf(text)
    expect([400, 415, 422]).toContain(status)
    // What follows a body is the next request of this client, with its own key, and goes to its own cell.
    expect(others.filter((other) => other !== 200)).toEqual([])
    if (others.length > 0) expect(text).toContain(`sender.${b2.name}.test`)
    expect(text).not.toContain(`"sender.${a1.name}.test"`)
  })

  describe('SMTP', () => {
    const greetingOf = async (port: number, name: string) => {
      const options = { host: '127.0.0.1', port, servername: name, ca: cells.authority.cert }
      const socket = connectTls(options)
      let text = ''
      socket.on('error', () => {})
      socket.on('data', (chunk: Buffer) => {
        text += chunk
        socket.destroy()
      })
      await new Promise((resolve) => socket.once('close', resolve))
      return text
    }

    test('the name in the handshake leads to its cell, in any case; any other name, or none, to nowhere', async () => {
      const port = cells.balancer.submissionsPort
      expect(await greetingOf(port, cells.a1.submissionsHost)).toContain(`220 ${cells.a1.smtpHost} `)
      expect(await greetingOf(port, cells.b2.submissionsHost.toUpperCase())).toContain(
        `220 ${cells.b2.smtpHost} `,
      )
      expect(await greetingOf(port, 'smtps.c3.mail.example.com')).toBe('')
      expect(await greetingOf(port, '')).toBe('')
      const plain = await openSmtp(port)
      expect(await plain.say('EHLO client.test')).toBe(null)
    })

    /** Opens a session through the balancer. */
    async function openFrom(localAddress: string, { submissionsHost }: Cell) {
      const proxied = await openSmtp(cells.balancer.submissionsPort, '127.0.0.1', localAddress)
      const session = await proxied.secure(submissionsHost)
      await session.hear()
      await session.say('EHLO client.test')
      return session
    }
    const logInAt = async (session: { say(line: string): Promise<string | null> }, password: string) =>
      (await session.say(`AUTH PLAIN ${Buffer.from(`\0any\0${password}`).toString('base64')}`))?.slice(0, 3)

    test('limits and logs have the address of the client', async () => {
      const { a1 } = cells
      const logged = a1.server.waitForLine(`"address":"${CLIENT}"`, 30_000)
      for (let count = 0; count < 10; count++) {
        const session = await openFrom(CLIENT, a1)
        expect(await logInAt(session, `sw_a1_${WRONG}`)).toBe('535')
        session.close()
      }
      expect(await logged).toContain('a login for SMTP submission failed')
      const throttled = await openFrom(CLIENT, a1)
      expect(await logInAt(throttled, a1.sender.token)).toBe('454')
      throttled.close()
      const other = await openFrom(OTHER_CLIENT, a1)
      expect(await logInAt(other, a1.sender.token)).toBe('235')
      other.close()
    })
  })

  describe('the ports of a cell itself', () => {
    /** A header of version 2 for a client at 198.51.100.7. */
    const HEADER = Buffer.from('0d0a0d0a000d0a515549540a2111000cc6336407c0000201d4310019', 'hex')

    test('the balancer names the client', async () => {
      const { a1 } = cells
      const logged = a1.server.waitForLine('"address":"198.51.100.7"', 30_000)
      const proxy = await openSmtp(a1.ports.submissions)
      proxy.write(HEADER)
      const session = await proxy.secure(a1.smtpHost)
      expect(await session.hear()).toContain(`220 ${a1.smtpHost} `)
      await session.say('EHLO client.test')
      expect(await session.say(`AUTH PLAIN ${Buffer.from('\0any\0wrong').toString('base64')}`)).toMatch(
        /^535 /,
      )
      await logged
      session.close()
    })

    test.each(['submission', 'inbound'] as const)(
      '%s: from the balancer without a header, nothing',
      async (name) => {
        const bare = await openSmtp(cells.b2.ports[name])
        expect(await bare.say('EHLO client.test')).toBe(null)
        await cells.b2.server.waitForLine('did not begin with a valid PROXY header', 30_000)
      },
    )

    test.each(['submission', 'inbound'] as const)(
      '%s: from elsewhere, the header ends the connection',
      async (name) => {
        const foreign = await openSmtp(cells.b2.ports[name], '127.0.0.1', CLIENT)
        foreign.write(HEADER)
        expect(await foreign.rest()).not.toMatch(/^2(?!20)/m)
        const direct = await openSmtp(cells.b2.ports[name], '127.0.0.1', CLIENT)
        expect(await direct.hear()).toContain(`220 ${cells.b2.smtpHost} `)
        expect(await direct.codes('EHLO client.test', 'QUIT')).toEqual(['250', '221 2.0.0'])
      },
    )

    test('submissions: from elsewhere, a header is not TLS, and a client without one is served', async () => {
      const { b2 } = cells
      const foreign = await openSmtp(b2.ports.submissions, '127.0.0.1', CLIENT)
      foreign.write(HEADER)
      foreign.write('EHLO client.test\r\n')
      expect(await foreign.hear()).toBe(null)
      const direct = await openSmtps(b2.ports.submissions, CLIENT)
      expect(await direct.hear()).toContain(`220 ${b2.smtpHost} `)
      direct.close()
    })
  })
})
