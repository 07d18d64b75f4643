import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { createGuard, OWN_ADDRESSES_AGE_MS } from './egress-guard.ts'

const guard = createGuard({ allowPrivate: false })
const open = createGuard({ allowPrivate: true })

const REFUSED: readonly (readonly [string, string])[] = [
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['fc00::1', 'private'],
  ['fd12:3456::1', 'private'],
  ['169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['febf::1', 'link-local'],
  ['fec0::1', 'link-local'],
  ['100.64.0.1', 'CGNAT'],
  ['100.127.255.255', 'CGNAT'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['ff02::1', 'multicast'],
  ['0.0.0.0', 'unspecified'],
  ['::', 'unspecified'],
  ['0.1.2.3', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['240.0.0.1', 'reserved'],
  ['192.0.0.8', 'reserved'],
  ['192.88.99.1', 'reserved'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.7', 'documentation'],
  ['2001:db8::1', 'documentation'],
  ['3fff:fff::1', 'documentation'],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['2001:2::1', 'benchmarking'],
  ['::ffff:127.0.0.1', 'loopback|IPv4-mapped'],
  ['::ffff:7f00:1', 'IPv4-mapped'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['0:0:0:0:0:ffff:0a00:0001', 'IPv4-mapped'],
  ['::ffff:0:127.0.0.1', 'IPv4-mapped'],
  ['::127.0.0.1', 'reserved'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b::8.8.8.8', 'NAT64'],
  ['64:ff9b:1:1::1', 'NAT64'],
  ['2002:7f00:1::', '6to4'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'Teredo'],
  ['100::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'reserved'],
  ['fe80::1%eth0', 'literal'],
  ['2a00::1%lo', 'literal'],
  ['127.1', 'literal'],
  ['0x7f.1', 'literal'],
  ['0x7f000001', 'literal'],
  ['2130706433', 'literal'],
  ['017700000001', 'literal'],
  ['127.0.0.1.', 'literal'],
  ['[::ffff:7f00:1]', 'literal'],
  ['localhost', 'literal'],
  ['', 'literal'],
]

describe('refused addresses', () => {
  test.each(REFUSED)('refused: %s is %s', (address, reason) => {
    expect(guard.refuse(address)).toMatch(new RegExp(reason))
  })

  test("refused: every address of this host's own interfaces", () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
    expect(own.length).toBeGreaterThan(0)
    for (const { address } of own) expect(guard.refuse(address.replace(/%.*$/, ''))).not.toBeNull()
  })
})

describe('allowed addresses', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '169.253.0.1',
    '192.0.1.1',
    '198.17.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1a',
    '2001:4860:4860::8888',
    '2001:200::1',
  ])('allowed: %s', (address) => {
    expect(guard.refuse(address)).toBeNull()
  })
})

describe('with private networks allowed', () => {
  test.each(['127.0.0.1', '::1', '10.0.0.1', '192.168.0.1', 'fd00::1', '::ffff:127.0.0.1'])(
    'allowed: %s',
    (address) => {
      expect(open.refuse(address)).toBeNull()
    },
  )

  test.each([
    '0.0.0.0',
    '::',
    '::ffff:0.0.0.0',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    'localhost',
    '127.1',
  ])('refused: %s is never one host', (address) => {
    expect(open.refuse(address)).not.toBeNull()
  })
})

describe("this host's own addresses while it runs", () => {
  test('refused while an interface has them, allowed again afterwards, within a second', () => {
    let addresses: string[] = ['1.1.1.1']
    let nowMs = 0
    let readCount = 0
    const host = {
      addressesOf() {
        readCount++
        return addresses
      },
      elapsedMs: () => nowMs,
    }
    const following = createGuard({ allowPrivate: false }, host)
    expect(following.refuse('1.1.1.1')).toBe("this host's own address")
    expect(following.refuse('2606:4700::1')).toBeNull()
    addresses = ['8.8.8.8', '2606:4700::1']
    nowMs += OWN_ADDRESSES_AGE_MS
    expect(following.refuse('8.8.8.8')).toBe("this host's own address")
    expect(following.refuse('2606:4700::1')).toBe("this host's own address")
    expect(following.refuse('1.1.1.1')).toBeNull()
    expect(OWN_ADDRESSES_AGE_MS).toBeLessThanOrEqual(5_000)
    expect(readCount).toBe(2)
  })
})
