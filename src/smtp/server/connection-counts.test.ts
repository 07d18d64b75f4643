import { expect, test } from 'vitest'
import { networkOf } from '../../lib/net/network-of.ts'
import { createConnectionCounts } from './connection-counts.ts'

const codeOf = (answer: { enhanced: string | null } | null) => answer?.enhanced ?? 'taken'

test('421 4.7.0 above the limit of an IPv6 /64, counted over all its addresses', () => {
  const counts = createConnectionCounts({ connectionsMax: 10, connectionsPerAddressMax: 2 })
  const answers = ['1', '2', 'ffff:1'].map((end) => codeOf(counts.take(`2001:db8:1:2::${end}`)))
  expect(answers).toEqual(['taken', 'taken', '4.7.0'])
  expect(codeOf(counts.take('2001:db8:1:3::1'))).toBe('taken')
  counts.giveBack('2001:db8:1:2::2')
  expect(codeOf(counts.take('2001:db8:1:2::9'))).toBe('taken')
})

test('421 4.3.2 above the total limit', () => {
  const counts = createConnectionCounts({ connectionsMax: 2, connectionsPerAddressMax: 2 })
  const answers = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => codeOf(counts.take(address)))
  expect(answers).toEqual(['taken', 'taken', '4.3.2'])
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001::1:2:3:4:5', '2001:0:0:1'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4'],
])('counted: %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
