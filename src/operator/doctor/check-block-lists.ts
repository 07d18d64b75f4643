import { isIPv4 } from 'node:net'
import type { AskDns } from './ask-dns.ts'
import { type Finding, note, ok, problem, warning } from './finding.ts'

interface BlockList {
  zone: string
  /** The page for removal requests. */
  page: string
}

/** Lists that many receivers use, and that allow free queries in small numbers. */
const BLOCK_LISTS: readonly BlockList[] = [
  { zone: 'zen.spamhaus.org', page: 'https://check.spamhaus.org' },
  { zone: 'b.barracudacentral.org', page: 'https://www.barracudacentral.org/rbl/removal-request' },
  { zone: 'bl.spamcop.net', page: 'https://www.spamcop.net/bl.shtml' },
  { zone: 'psbl.surriel.com', page: 'https://psbl.org/remove' },
]

/** Checks an address against each list (RFC 5782 section 2.1; IPv6: section 2.4). */
export async function checkBlockLists(dns: AskDns, address: string): Promise<Finding[]> {
  return Promise.all(BLOCK_LISTS.map((list) => checkBlockList(dns, address, list)))
}

async function checkBlockList(dns: AskDns, address: string, { zone, page }: BlockList): Promise<Finding> {
  const check = `${zone} on ${address}`
  const answers = await dns.addresses(`${reverseOf(address)}.${zone}`)
  if (answers === null) return note(check, 'The look-up of the list failed.')
  // 127.255.255.x is an error code, not a listing: Spamhaus does not answer public resolvers.
  if (answers.some((answer) => answer.startsWith('127.255.255.'))) {
    return note(check, 'The list does not answer this DNS resolver.', 'Use your own resolver.')
  }
  const listed = answers.filter((answer) => answer.startsWith('127.'))
  if (listed.length > 0) {
    return problem(
      check,
      `It is listed (${listed.join(', ')}).`,
      `Find and fix the cause, then request removal at ${page}.`,
    )
  }
  return answers.length === 0
    ? ok(check, 'It is not listed.')
    : warning(
        check,
        `${answers.join(', ')} is not a valid answer from a block list.`,
        'The DNS resolver alters answers. Use another one.',
      )
}

/** Returns the reversed octets or nibbles of an address, as block lists name it. */
function reverseOf(address: string): string {
  if (isIPv4(address)) return address.split('.').reverse().join('.')
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [head = [], tail = []] = groups.map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  const nibbles = [...head, ...(groups.length > 1 ? zeros : []), ...tail]
    .map((group) => group.padStart(4, '0'))
    .join('')
  return Array.from(nibbles).reverse().join('.')
}
