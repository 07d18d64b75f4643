import { once } from 'node:events'
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { openSmtp } from '../../../test/support/smtp-client.ts'
import { startListener } from '../../../test/support/smtp-listener.ts'
import { networks } from '../../config/networks.ts'
import type { SmtpListenerOptions } from './smtp-listener.ts'
import { reply } from './smtp-types.ts'

const SIGNATURE = '0d0a0d0a000d0a515549540a'
const V4 = `${SIGNATURE}2111000cc6336407c0000201d4310019`
const V6 = `${SIGNATURE}2121002420010db800000000000000000000000720010db8000000000000000000000001d4310019`
/** Ends with an extension (PP2_TYPE_NOOP) of five bytes. */
const V4_EXTENDED = `${SIGNATURE}21110011c6336407c0000201d43100190400020000`
const HEALTH_CHECK = `${SIGNATURE}20000000`
const UNIX = `${SIGNATURE}213100d8${'00'.repeat(216)}`

const open = async (proxies: string, options: Partial<SmtpListenerOptions> = {}) => {
  const peers: string[] = []
  const { listener } = await startListener({
    ...options,
    proxies: networks(proxies),
    open(peer) {
      peers.push(peer.address)
      return { onRcpt: async () => null, onMessage: async () => reply(250, '2.0.0', 'kept') }
    },
  })
  return { listener, peers }
}

/** Connects, sends the header, and resolves to the greeting; to null if the connection ends without one. */
async function greetAfter(port: number, header: string): Promise<string | null> {
  const client = await openSmtp(port)
  client.write(Buffer.from(header, 'hex'))
  const greeting = await client.hear()
  client.close()
  return greeting
}

describe('from a trusted proxy', () => {
  test.each([
    ['an IPv4 client', V4, '198.51.100.7'],
    ['an IPv6 client', V6, '2001:db8::7'],
    ['a client, with extensions', V4_EXTENDED, '198.51.100.7'],
    ['a health check', HEALTH_CHECK, '127.0.0.1'],
    ['a socket of UNIX', UNIX, '127.0.0.1'],
  ])('%s', async (_what, header, address) => {
    const { listener, peers } = await open('127.0.0.0/8')
    expect(await greetAfter(listener.port, header)).toMatch(/^220 /)
    expect(peers).toEqual([address])
  })

  test('a header that arrives byte by byte', async () => {
    const { listener, peers } = await open('127.0.0.1')
    const client = await openSmtp(listener.port)
    for (const byte of Buffer.from(V4, 'hex')) {
      client.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await client.hear()).toMatch(/^220 /)
    expect(await client.codes('EHLO client.test', 'QUIT')).toEqual(['250', '221 2.0.0'])
    expect(peers[0]).toBe('198.51.100.7')
    client.close()
  })

  test.each([
    ['no header', Buffer.from('EHLO client.test\r\n').toString('hex')],
    ['version 1', Buffer.from('PROXY TCP4 198.51.100.7 192.0.2.1 4000 25\r\n').toString('hex')],
    ['an unknown version', V4.replace(`${SIGNATURE}21`, `${SIGNATURE}31`)],
    ['an unknown command', V4.replace(`${SIGNATURE}21`, `${SIGNATURE}22`)],
    ['addresses that are too short', `${SIGNATURE}21110004c6336407`],
    ['a header that is too long', `${SIGNATURE}2111ffff${'00'.repeat(100)}`],
  ])('closed without a word: %s', async (_what, header) => {
    const { listener, peers } = await open('127.0.0.1')
    expect(await greetAfter(listener.port, header)).toBe(null)
    expect(peers).toEqual([])
  })

  test('limits count the client, not the proxy', async () => {
    const { listener } = await startListener({
      proxies: networks('127.0.0.1'),
      limits: { connectionsPerAddressMax: 1 },
    })
    const first = await openSmtp(listener.port)
    first.write(Buffer.from(V4, 'hex'))
    expect(await first.hear()).toMatch(/^220 /)
    expect(await greetAfter(listener.port, V4)).toMatch(/^421 /)
    expect(await greetAfter(listener.port, V6)).toMatch(/^220 /)
    first.close()
  })

  test('TLS begins right after the header', async () => {
    const { listener, peers } = await open('127.0.0.1', { isImplicitTls: true })
    const proxy = await openSmtp(listener.port)
    proxy.write(Buffer.from(V4, 'hex'))
    const client = await proxy.secure()
    expect(await client.hear()).toMatch(/^220 /)
    expect(peers).toEqual(['198.51.100.7'])
    client.close()
  })

  test.each([V4, HEALTH_CHECK])('TLS begins in the segment of the header %s', async (header) => {
    const { listener } = await open('127.0.0.1', { isImplicitTls: true })
    const socket = connect(listener.port, '127.0.0.1')
    let ahead = Buffer.from(header, 'hex')
    const joined = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        socket.write(Buffer.concat([ahead, chunk]), done)
        ahead = Buffer.alloc(0)
      },
    })
    socket.on('data', (chunk) => joined.push(chunk)).on('close', () => joined.push(null))
    const client = connectTls({ socket: joined, rejectUnauthorized: false })
    const [greeting] = await once(client, 'data')
    expect(String(greeting)).toMatch(/^220 /)
    client.destroy()
    socket.destroy()
  })
})

test('from elsewhere: the connection ends, and the peer stays the client', async () => {
  // The header comes before the greeting, also on a busy machine.
  const { listener, peers } = await open('192.0.2.1', { limits: { greetingDelayMs: 500 } })
  expect(await greetAfter(listener.port, V4)).toMatch(/^554 5\.5\.1 /)
  expect(peers).toEqual(['127.0.0.1'])
})
