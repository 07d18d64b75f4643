import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { networks } from '../../config/networks.ts'
import { createLog } from '../../lib/log.ts'
import { createClientAddress } from './client-address.ts'

function reader(trusted?: string) {
  const stream = new PassThrough()
  let nowMs = 0
  const read = createClientAddress({
    trusted: networks(trusted),
    clock: { now: () => new Date(nowMs) },
    log: createLog('info', stream),
  })
  return {
    read: (peer: string, forwarded?: string) =>
      read({
        socket: { remoteAddress: peer } as Socket,
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      }),
    pass(ms: number) {
      nowMs += ms
    },
    warnings: () =>
      String(stream.read() ?? '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  }
}

test.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.0.1', 'fd00::1', '203.0.113.1'])(
  'no peer is trusted by default: %s',
  (peer) => {
    expect(reader().read(peer, '198.51.100.7')).toBe(peer)
  },
)

test.each([
  ['one hop', '198.51.100.7', '198.51.100.7'],
  ['the last of several, which the client cannot write', '6.6.6.6, 198.51.100.7', '198.51.100.7'],
  ['past trusted hops', '6.6.6.6, 198.51.100.7, 10.9.9.9 ,10.0.0.2', '198.51.100.7'],
  ['IPv6 in its canonical form', '2001:DB8:0::7', '2001:db8::7'],
  ['IPv4-mapped', '::ffff:198.51.100.7', '198.51.100.7'],
  ['past a trusted hop that is IPv4-mapped', '198.51.100.7, ::ffff:a01:203', '198.51.100.7'],
  ['all are trusted: the first', '10.0.0.9, 10.0.0.8', '10.0.0.9'],
  ['a malformed entry ends the walk', '198.51.100.7, unknown', '10.0.0.1'],
  ['a malformed entry ends the walk at the hop before', '198.51.100.7, x, 10.0.0.5', '10.0.0.5'],
  ['an address with a port', '198.51.100.7:443', '198.51.100.7'],
  ['an IPv6 address with a port', '[2001:db8::7]:443', '2001:db8::7'],
  ['an IPv6 address in brackets', '[2001:db8::7]', '2001:db8::7'],
  ['a port without an address is malformed', ':443', '10.0.0.1'],
  ['two ports are malformed', '198.51.100.7:443:443', '10.0.0.1'],
  ['nothing', '', '10.0.0.1'],
  ['commas', ',,', '10.0.0.1'],
])('from a trusted peer: %s', (_, forwarded, client) => {
  const { read, warnings } = reader('10.0.0.0/8, fd00::/8')
  for (const peer of ['10.0.0.1', '::ffff:10.0.0.1']) expect(read(peer, forwarded)).toBe(client)
  expect(warnings()).toEqual([])
})

test('trusted: the listed IPv6 networks, IPv4-mapped networks and single addresses', () => {
  const { read } = reader('fd00::/8,::ffff:192.0.2.0/120,2001:db8::5')
  expect(read('fd12::1', '198.51.100.7')).toBe('198.51.100.7')
  expect(read('192.0.2.77', '198.51.100.7')).toBe('198.51.100.7')
  expect(read('2001:db8::5', '198.51.100.7')).toBe('198.51.100.7')
  expect(read('2001:db8::6', '198.51.100.7')).toBe('2001:db8::6')
  expect(read('192.0.3.1', '198.51.100.7')).toBe('192.0.3.1')
})

test('warned of an untrusted peer once an hour, and not of one without the field', () => {
  const { read, pass, warnings } = reader()
  read('10.0.0.1')
  expect(warnings()).toEqual([])
  for (let count = 0; count < 3; count++) read('10.0.0.1', '198.51.100.7')
  expect(warnings()).toMatchObject([
    { level: 'warn', peer: '10.0.0.1', msg: expect.stringContaining('SENDWRIGHT_TRUSTED_PROXIES') },
  ])
  pass(3_600_000)
  read('10.0.0.2', '198.51.100.7')
  expect(warnings()).toMatchObject([{ peer: '10.0.0.2' }])
})
