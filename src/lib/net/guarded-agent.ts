import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { Guard } from './egress-guard.ts'

/** A request that we ourselves blocked; the message may be shown to customers. */
export class Refused extends Error {}

interface ConnectorOptions {
  guard: Guard
  /** For one connection, including the lookup of its host. */
  timeoutMs: number
  /** Returns the addresses of a host; default: the system resolver. */
  addressesOf?: (host: string) => Promise<readonly string[]>
  /** False: HTTP/1.1 alone. */
  allowH2?: boolean
}

interface AgentOptions extends ConnectorOptions {
  /** For connecting, for the header and between two parts of the body, each. */
  timeoutMs: number
}

/**
 * Opens connections to hosts that third parties name: the guard checks every address at connect time. undici's `lookup`
 * never runs for literal addresses, so those are checked before the connector is called.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { guard, timeoutMs, addressesOf, allowH2 = true } = options
  const validate = (address: string) => {
    const reason = guard.refuse(address)
    if (reason !== null) throw new Refused('the address is not allowed')
  }
  const find = addressesOf === undefined ? findBySystem : findBy(addressesOf)
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2,
    lookup: (hostname, _options, callback) => {
      find(hostname)
        .then((addresses) => {
          for (const { address } of addresses) validate(address)
          callback(null, addresses)
        })
        .catch((error: Error) => callback(error, []))
    },
  } as { timeout: number; lookup: LookupFunction })
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    try {
      if (isIP(host) !== 0) validate(host)
    } catch (refused) {
      return callback(refused as Error, null)
    }
    connect(options, callback)
  }
}

/** Returns an agent over such connections that follows no redirects. */
export function createGuardedAgent(options: AgentOptions): Agent {
  return new Agent({
    connect: createGuardedConnector(options),
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    maxRedirections: 0,
  } as Agent.Options)
}

function findBySystem(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    dnsLookup(host, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    )
  })
}

const findBy =
  (addressesOf: (host: string) => Promise<readonly string[]>) =>
  async (host: string): Promise<LookupAddress[]> => {
    const addresses = await addressesOf(host)
    if (addresses.length === 0) throw new Error('no address')
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }
