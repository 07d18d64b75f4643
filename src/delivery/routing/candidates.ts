import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Relay } from '../../config/relay.ts'
import type { MxHost, MxResolver } from '../../lib/dns/mx.ts'
import type { Guard } from '../../lib/net/egress-guard.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { isThisMachine } from '../client/smtp-auth.ts'
import type { OpenOptions, SmtpTarget } from '../client/smtp-types.ts'
import type { Source } from '../rules/source-rules.ts'
import type { SiteKey } from '../sites/site-key.ts'

export interface CandidateDeps {
  mx: MxResolver
  mxPort: number
  guard: Guard
  /** The local sink of capture mode. */
  captureTarget: SmtpTarget | null
}

/** The most hosts and addresses tried for one delivery before it is deferred. */
export const TARGETS_MAX = 8

/** One address of one host, with the options for connecting to it. */
export type Candidate = SmtpTarget & { options: Partial<OpenOptions> }

/** The current addresses of a site, split by the guard's verdict. */
export interface Candidates {
  /** Addresses that the guard allows, in the order of attempts. */
  allowed: Candidate[]
  /** Addresses that the guard refuses. */
  refused: Candidate[]
  /** Whether DNS answered for every host. If not, `allowed` may lack addresses. */
  isComplete: boolean
}

/** Returns the addresses that the mail of a site can go to, and those that the guard refuses. */
export async function findCandidates(
  deps: CandidateDeps,
  key: SiteKey,
  { domain, teamId }: Pick<DueDelivery, 'domain' | 'teamId'>,
): Promise<Candidates> {
  const { relay, source } = key
  const complete = (allowed: Candidate[]) => ({ allowed, refused: [], isComplete: true })
  if (deps.captureTarget !== null) {
    return complete([{ ...deps.captureTarget, options: { guard: null, tls: 'off' } }])
  }
  if (relay !== null) return complete(thoseInReach(source, await relayTargets(deps, relay)))
  const allowed: Candidate[] = []
  const refused: Candidate[] = []
  let isComplete = true
  const hosts = await hostsFor(deps, key, domain, teamId)
  for (let at = 0; at < hosts.length; at += TARGETS_MAX) {
    // Resolved in parallel: names without an answer cost one timeout, not one each.
    const batch = hosts.slice(at, at + TARGETS_MAX)
    for (const answer of await Promise.all(batch.map((host) => targetsOf(deps, host, teamId)))) {
      isComplete &&= answer.isComplete
      for (const target of answer.targets) {
        const isRefused = deps.guard.refuse(target.address) !== null
        ;(isRefused ? refused : allowed).push(target)
      }
    }
    if (thoseInReach(source, allowed).length >= TARGETS_MAX) break
  }
  return { allowed: thoseInReach(source, allowed), refused, isComplete }
}

async function targetsOf(deps: CandidateDeps, { name }: MxHost, teamId: string) {
  const { addresses, isComplete } = await deps.mx.lookUp(name, teamId)
  const targets = addresses.map((address) => ({ host: name, address, port: deps.mxPort, options: {} }))
  return { targets, isComplete }
}

/**
 * Returns the hosts in the domain's own order: other domains share its MX set with preferences of their own. If DNS
 * returns something else by now, or nothing, the hosts known at routing apply.
 */
async function hostsFor(
  deps: CandidateDeps,
  key: SiteKey,
  domain: string,
  teamId: string,
): Promise<readonly MxHost[]> {
  const answer = await deps.mx.resolve(domain, teamId)
  if (answer.kind !== 'hosts') return key.hosts
  const isSame = key.site === answer.site || key.site.startsWith(`${answer.site} (`)
  return isSame ? answer.hosts : key.hosts
}

/**
 * From an IPv4 source only IPv4 addresses are reachable. If there are none, all are tried, and each fails with its
 * reason.
 */
function thoseInReach({ address: from }: Source, targets: Candidate[]): Candidate[] {
  if (from === null) return targets
  const inReach = targets.filter(({ address }) => isIP(address) === isIP(from))
  return inReach.length > 0 ? inReach : targets
}

/**
 * The guard does not apply to relays, because the operator chose them. A password is sent only where a certificate
 * proves the relay's name, or to a loopback address.
 */
async function relayTargets(deps: CandidateDeps, relay: Relay): Promise<Candidate[]> {
  const host = relay.host.replace(/^\[|\]$/g, '')
  const addresses = await relayAddresses(deps, host)
  const auth = relay.user === null ? null : { user: relay.user, password: relay.password ?? '' }
  const isGuarded = relay.implicitTls || auth !== null
  return addresses.map((address) => {
    // Without a setting of the relay's own, the TLS demand of the sender's domain applies.
    const tls = isGuarded && !isThisMachine(address) ? ({ tls: 'enforced' } as const) : {}
    return {
      host,
      address,
      port: relay.port,
      options: { guard: null, implicitTls: relay.implicitTls, auth, ...tls },
    }
  })
}

/** A relay may be an address, or a name that only this machine knows (/etc/hosts, a container network). */
async function relayAddresses(deps: CandidateDeps, host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const addresses = await deps.mx.addressesOf(host)
  if (addresses.length > 0) return addresses
  const lookups = await lookup(host, { all: true }).catch(() => [])
  return lookups.map(({ address }) => address)
}
