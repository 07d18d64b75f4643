import type { AskDns } from './ask-dns.ts'
import { type Finding, note, ok, problem, warning } from './finding.ts'

/** One address that mail leaves from, and what it calls itself there. */
export interface SendingAddress {
  address: string
  ehloName: string
}

const NO_ANSWER = 'DNS gave no answer'
const CHECK_DNS = 'Check the DNS servers of this machine, or set SENDWRIGHT_DNS_SERVERS.'

/** The name of this server: receivers look it up, and many refuse who has none (RFC 5321 section 2.3.5). */
export async function checkHostname(dns: AskDns, hostname: string): Promise<Finding> {
  const check = `name ${hostname}`
  if (hostname === 'localhost' || !hostname.includes('.')) {
    return problem(
      check,
      'It is no name that receivers can look up.',
      'Set SENDWRIGHT_HOSTNAME to a full name of this machine, such as mail.example.com, and publish its A (and AAAA) record.',
    )
  }
  const addresses = await dns.addresses(hostname)
  if (addresses === null) return warning(check, NO_ANSWER, CHECK_DNS)
  if (addresses.length === 0) {
    return problem(
      check,
      'It has no A or AAAA record.',
      'Publish one with the address that mail leaves from.',
    )
  }
  return ok(check, `It leads to ${addresses.join(', ')}.`)
}

/** PTR and back again (forward-confirmed reverse DNS): without it the large providers refuse or distrust mail. */
export async function checkReverse(dns: AskDns, { address, ehloName }: SendingAddress): Promise<Finding> {
  const check = `reverse DNS of ${address}`
  const names = await dns.names(address)
  if (names === null) return warning(check, NO_ANSWER, CHECK_DNS)
  const [first] = names
  if (first === undefined) {
    return problem(
      check,
      'It has no PTR record.',
      `Ask whoever gave you the address (the hosting provider's panel) to set it to ${ehloName}.`,
    )
  }
  const confirmed = await Promise.all(
    names.map(async (name) => ((await dns.addresses(name)) ?? []).some((found) => isSame(found, address))),
  )
  if (!confirmed.includes(true)) {
    return problem(
      check,
      `It is ${names.join(', ')}, which does not lead back to ${address}.`,
      `Publish an A or AAAA record of ${first} with ${address}, or let the PTR name ${ehloName}.`,
    )
  }
  if (names.includes(ehloName.toLowerCase())) return ok(check, `It is ${ehloName}, and leads back.`)
  return warning(
    check,
    `It is ${names.join(', ')}, but mail from there says EHLO ${ehloName}.`,
    `Let the PTR name ${ehloName}, or let that source's EHLO name be ${first}.`,
  )
}

/** Bounces go to the return path's host: without an MX or address record there nobody hears of them. */
export async function checkBounceHost(dns: AskDns, hostname: string): Promise<Finding> {
  const check = `bounces to ${hostname}`
  const hosts = await dns.mx(hostname)
  if (hosts === null) return warning(check, NO_ANSWER, CHECK_DNS)
  if (hosts.length > 0) return ok(check, `Its MX is ${hosts.join(', ')}.`)
  const addresses = (await dns.addresses(hostname)) ?? []
  if (addresses.length === 0) {
    return problem(
      check,
      'It has neither MX nor address.',
      `Publish "${hostname}. MX 10 ${hostname}." and its A record, and lead port 25 there to SENDWRIGHT_INBOUND_PORT.`,
    )
  }
  return note(
    check,
    'It has no MX; senders fall back to its address.',
    `Publish "${hostname}. MX 10 ${hostname}.": some senders ask for it.`,
  )
}

/** Whether two texts are the same address; IPv6 can be written in several ways. */
function isSame(one: string, other: string): boolean {
  return canonical(one) === canonical(other)
}

function canonical(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname : address
}
