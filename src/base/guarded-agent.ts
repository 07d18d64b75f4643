import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { Guard } from './egress-guard.ts'

/** What we ourselves did not let happen, in words that a customer may read. */
export class Refused extends Error {}

interface AgentOptions {
  guard: Guard
  /** For connecting, for the header and between two parts of the body, each. */
  timeoutMs: number
  /** The addresses of a host; default: as the system finds them. */
  addressesOf?: (host: string) => Promise<readonly string[]>
}

/**
 * Connections to whatever host others name: every address is judged by the guard at connect time, redirects are not
 * followed. undici's `lookup` never runs for literal addresses, so those are judged before the connector is called.
 */
export function createGuardedAgent({ guard, timeoutMs, addressesOf }: AgentOptions): Agent {
  const judge = (address: string) => {
    const reason = guard.refuse(address)
    if (reason !== null) throw new Refused('the address is not allowed')
  }
  const find = addressesOf === undefined ? findBySystem : findBy(addressesOf)
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: (hostname, _options, callback) => {
      find(hostname)
        .then((found) => {
          for (const { address } of found) judge(address)
          callback(null, found)
        })
        .catch((error: Error) => callback(error, []))
    },
  } as { timeout: number; lookup: LookupFunction })
  return new Agent({
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      try {
        if (isIP(host) !== 0) judge(host)
      } catch (refused) {
        return callback(refused as Error, null)
      }
      connect(options, callback)
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxRedirections: 0,
  } as Agent.Options)
}

function findBySystem(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    dnsLookup(host, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)))
  })
}

const findBy =
  (addressesOf: (host: string) => Promise<readonly string[]>) =>
  async (host: string): Promise<LookupAddress[]> => {
    const found = await addressesOf(host)
    if (found.length === 0) throw new Error('no address')
    return found.map((address) => ({ address, family: isIP(address) }))
  }
