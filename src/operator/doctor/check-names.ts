import { isIPv4 } from 'node:net'
import type { AskDns } from './ask-dns.ts'
import { type AdvisedRecord, type Finding, note, ok, problem, warning } from './finding.ts'

/** A source address and its EHLO name. */
export interface SendingAddress {
  address: string
  ehloName: string
}

export const LOOKUP_FAILED = 'The DNS look-up failed.'
export const CHECK_DNS = 'Check the DNS servers of this machine, or set SENDWRIGHT_DNS_SERVERS.'

/**
 * Checks that the name of this server resolves. Many receivers reject mail from servers whose name does not (RFC 5321
 * section 2.3.5).
 * @param own the public addresses of this machine, if known
 */
export async function checkHostname(
  dns: AskDns,
  hostname: string,
  own: readonly string[] = [],
): Promise<Finding> {
  const check = `name ${hostname}`
  if (hostname === 'localhost' || !hostname.includes('.')) {
    return problem(
      check,
      'It is not a public DNS name.',
      'Set SENDWRIGHT_HOSTNAME to a full name of this machine, such as mail.example.com, and publish its A (and AAAA) record.',
    )
  }
  const addresses = await dns.addresses(hostname)
  if (addresses === null) return warning(check, LOOKUP_FAILED, CHECK_DNS)
  if (addresses.length === 0) {
    const record = addressRecord(hostname, own)
    const advice = `Publish: ${hostname}. ${record?.type ?? 'A'} ${record?.value ?? '<the source address of your mail>'}`
    return problem(check, 'It has no A or AAAA record.', advice, record)
  }
  return ok(check, `It resolves to ${addresses.join(', ')}.`)
}

/** Checks forward-confirmed reverse DNS, without which large providers reject or distrust mail. */
export async function checkReverse(dns: AskDns, { address, ehloName }: SendingAddress): Promise<Finding> {
  const check = `reverse DNS of ${address}`
  const names = await dns.names(address)
  if (names === null) return warning(check, LOOKUP_FAILED, CHECK_DNS)
  const record: AdvisedRecord = { type: 'PTR', name: address, value: ehloName }
  const [first] = names
  if (first === undefined) {
    return problem(
      check,
      'It has no PTR record.',
      `Ask the provider of this address to set its reverse DNS (PTR) to ${ehloName}. Hosting panels often have a field for it.`,
      record,
    )
  }
  const answers = await Promise.all(names.map((name) => dns.addresses(name)))
  if (!answers.some((addresses) => addresses?.some((one) => isSame(one, address)))) {
    if (answers.includes(null)) return warning(check, LOOKUP_FAILED, CHECK_DNS)
    return problem(
      check,
      `It is ${names.join(', ')}, which does not resolve back to ${address}.`,
      `Publish an A or AAAA record of ${first} with ${address}, or point the PTR record to ${ehloName}.`,
      record,
    )
  }
  if (names.includes(ehloName.toLowerCase())) return ok(check, `It is ${ehloName}, which resolves back.`)
  return warning(
    check,
    `It is ${names.join(', ')}, but mail from this address uses EHLO ${ehloName}.`,
    `Point the PTR record to ${ehloName}, or set the EHLO name of this source to ${first}.`,
    record,
  )
}

/** Checks that the host of the return path can receive bounces: it needs an MX or address record. */
export async function checkBounceHost(dns: AskDns, hostname: string): Promise<Finding> {
  const check = `bounces to ${hostname}`
  const hosts = await dns.mx(hostname)
  if (hosts === null) return warning(check, LOOKUP_FAILED, CHECK_DNS)
  if (hosts.length > 0) return ok(check, `Its MX is ${hosts.join(', ')}.`)
  const record: AdvisedRecord = { type: 'MX', name: hostname, value: `10 ${hostname}.` }
  const addresses = await dns.addresses(hostname)
  if (addresses === null) return warning(check, LOOKUP_FAILED, CHECK_DNS)
  if (addresses.length === 0) {
    return problem(
      check,
      'It has neither an MX nor an address record.',
      `Publish: ${hostname}. MX 10 ${hostname}. and ${hostname}. A <the address of this server>`,
      record,
    )
  }
  return note(
    check,
    'It has no MX; senders fall back to its address.',
    `Publish: ${hostname}. MX 10 ${hostname}. Some senders require it.`,
    record,
  )
}

/** Returns the address record of a name for the first of these addresses, preferably IPv4; undefined if there is none. */
export function addressRecord(name: string, addresses: readonly string[]): AdvisedRecord | undefined {
  const value = addresses.find(isIPv4) ?? addresses[0]
  return value === undefined ? undefined : { type: isIPv4(value) ? 'A' : 'AAAA', name, value }
}

/** Returns whether two texts are the same address. An IPv6 address can be written in several ways. */
function isSame(one: string, other: string): boolean {
  return canonical(one) === canonical(other)
}

function canonical(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname : address
}
