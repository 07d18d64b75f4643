import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Relay } from '../../config/relay.ts'
import type { MxHost, MxResolver } from '../../lib/dns/mx.ts'
import type { Guard } from '../../lib/net/egress-guard.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { isThisMachine } from '../client/smtp-auth.ts'
import type { OpenOptions, SmtpTarget } from '../client/smtp-types.ts'
import type { SiteKey } from '../sites/site-key.ts'
import type { Source } from '../sources/source.ts'

export interface CandidateDeps {
  mx: MxResolver
  mxPort: number
  guard: Guard
  /** The local sink of capture mode. */
  captureTarget: SmtpTarget | null
}

/** Hosts and addresses tried for one delivery before it is deferred. */
export const TARGETS_MAX = 8

/** One address of one host, and what is special about connecting to it. */
export type Candidate = SmtpTarget & { options: Partial<OpenOptions> }

/** The current addresses of a site, by the guard's verdict. */
export interface Candidates {
  /** Addresses that the guard allows, in the order of attempts. */
  allowed: Candidate[]
  /** Addresses that the guard refuses. */
  refused: Candidate[]
  /** Whether DNS answered for every host. If not, `allowed` may lack addresses. */
  isComplete: boolean
}

/** Returns the addresses to which the mail of a site can go, and those that the guard refuses. */
export async function findCandidates(
  deps: CandidateDeps,
  key: SiteKey,
  { domain, teamId }: Pick<DueDelivery, 'domain' | 'teamId'>,
): Promise<Candidates> {
  const { relay, source } = key
  const chosen = (allowed: Candidate[]) => ({ allowed, refused: [], isComplete: true })
  if (deps.captureTarget !== null) {
    return chosen([{ ...deps.captureTarget, options: { guard: null, tls: 'off' } }])
  }
  if (relay !== null) return chosen(thoseInReach(source, await relayTargets(deps, relay)))
  const allowed: Candidate[] = []
  const refused: Candidate[] = []
  let isComplete = true
  const hosts = await hostsFor(deps, key, domain, teamId)
  for (let at = 0; at < hosts.length; at += TARGETS_MAX) {
    // Together: names that nobody answers for cost their time once, not each after the other.
    const asked = hosts.slice(at, at + TARGETS_MAX)
    for (const found of await Promise.all(asked.map((host) => targetsOf(deps, host, teamId)))) {
      isComplete &&= found.isComplete
      for (const target of found.targets) {
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
 * In the order that the domain itself asks for: others share its MX set, with preferences of their own. Where DNS says
 * something else by now, or nothing, the site is where the mail was on its way to.
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

/** From an IPv4 source only IPv4 hosts can be reached. Where that is none, all are tried, each of which says why. */
function thoseInReach({ address: from }: Source, targets: Candidate[]): Candidate[] {
  if (from === null) return targets
  const inReach = targets.filter(({ address }) => isIP(address) === isIP(from))
  return inReach.length > 0 ? inReach : targets
}

/**
 * Relays are the operator's choice: the guard has nothing to say about them. A password goes only where a certificate
 * proves the relay's name, or to this machine itself, which the wire between does not leave.
 */
async function relayTargets(deps: CandidateDeps, relay: Relay): Promise<Candidate[]> {
  const host = relay.host.replace(/^\[|\]$/g, '')
  const addresses = await relayAddresses(deps, host)
  const auth = relay.user === null ? null : { user: relay.user, password: relay.password ?? '' }
  const isGuarded = relay.implicitTls || auth !== null
  return addresses.map((address) => {
    // Where nothing is said here, what the sender's domain wants of TLS counts.
    const tls = isGuarded && !isThisMachine(address) ? ({ tls: 'enforced' } as const) : {}
    return {
      host,
      address,
      port: relay.port,
      options: { guard: null, implicitTls: relay.implicitTls, auth, ...tls },
    }
  })
}

/** A relay may be named by its address, or as only this machine knows it (/etc/hosts, a container's network). */
async function relayAddresses(deps: CandidateDeps, host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const named = await deps.mx.addressesOf(host)
  if (named.length > 0) return named
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
