import { BlockList, isIPv4 } from 'node:net'
import { canonicalAddress } from './canonical-address.ts'
import { BadSetting } from './values.ts'

/** A CIDR network: the addresses that share a prefix. */
export interface Network {
  /** As canonicalAddress returns it. */
  address: string
  prefix: number
}

const V4_BITS = 32
const V6_BITS = 128

/** Parses comma-separated IP addresses and CIDR networks (RFC 4632, RFC 4291 section 2.3). Throws BadSetting. */
export function networks(text: string | undefined): readonly Network[] {
  return text === undefined ? [] : text.split(',').map((part) => network(part.trim()))
}

/** Returns a function that tells whether one of the networks contains an address, in the form of canonicalAddress. */
export function matchNetworks(all: readonly Network[]): (address: string) => boolean {
  const list = new BlockList()
  for (const { address, prefix } of all) list.addSubnet(address, prefix, familyOf(address))
  return (address) => list.check(address, familyOf(address))
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

function network(text: string): Network {
  const [, host = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = canonicalAddress(host)
  if (address === null)
    throw new BadSetting(
      `"${text}" is not an IP address or a network: use entries such as 10.0.0.0/8 or fd00::/8, comma-separated`,
    )
  const isMapped = isIPv4(address) && !isIPv4(host)
  const bits = isIPv4(address) ? V4_BITS : V6_BITS
  const prefix = length === undefined ? bits : Number(length) - (isMapped ? V6_BITS - V4_BITS : 0)
  if (prefix > bits || prefix < 0)
    throw new BadSetting(`"${text}" has an invalid prefix length: use at most 32 for IPv4 and 128 for IPv6`)
  if (prefix === 0) throw new BadSetting(`"${text}" would trust every client: list only your proxies`)
  return { address, prefix }
}
