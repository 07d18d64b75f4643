import { isIPv6 } from 'node:net'

const GROUPS = 8
const GROUPS_OF_NETWORK = 4

/**
 * Returns the network that a client's limits are counted by: its IPv4 address, or its IPv6 /64, because one customer
 * usually has all of that.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const before = groupsOf(head)
  const behind = groupsOf(tail ?? '')
  const zeros = Math.max(0, GROUPS - before.length - behind.length)
  return [...before, ...Array<string>(zeros).fill('0'), ...behind].slice(0, GROUPS_OF_NETWORK).join(':')
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
