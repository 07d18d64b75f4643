import type { Relay } from '../../config/relay.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { Dane } from './dane.ts'
import type { StsPolicies } from './sts-policies.ts'
import {
  demandOf,
  type HostDemand,
  readSenderWish,
  senderPolicy,
  type TlsClass,
  type TlsPolicy,
  tlsClassOf,
} from './tls-policy.ts'
import type { TlsSession } from './tls-session.ts'

/** The server that a delivery goes to next: null if it is a mail host of the recipient's domain. */
type Hop = { relay: Relay | null }

/** The class of one delivery on one hop; `usual` is the class of mail to its domain from a sender without demands. */
export type TlsClassOf = (delivery: DueDelivery, hop: Hop) => Promise<{ tls: TlsClass; usual: TlsClass }>

export interface TlsPoliciesDeps {
  /** `tls` of the sender's domain. */
  senderTls(delivery: DueDelivery): Promise<'opportunistic' | 'enforced'>
  /** Returns the header of its message. */
  header(delivery: DueDelivery): Promise<Buffer>
  /** Null when recipient policies are not used: relays take all mail, or capture mode. */
  sts: StsPolicies | null
  /** Null without a validating resolver. */
  dane: Dane | null
  /** Counts a session for the daily reports. */
  note(session: TlsSession): void
}

export interface TlsPolicies {
  tlsClass: TlsClassOf
  /**
   * Returns the same policy from dispatch to the end of the attempt, so that a delivery is held to the policy that
   * chose its connection.
   */
  policyOf(delivery: DueDelivery, hop: Hop): Promise<TlsPolicy>
  demandOf(policy: TlsPolicy, host: string): Promise<HostDemand>
  note(session: TlsSession): void
}

/** Combines the TLS demands of recipient domains, the sender's domain and the message. */
export function createTlsPolicies(deps: TlsPoliciesDeps): TlsPolicies {
  const policies = new WeakMap<DueDelivery, Promise<TlsPolicy>>()

  async function find(delivery: DueDelivery): Promise<TlsPolicy> {
    const { domain, teamId } = delivery
    const [sender, header, sts, dane] = await Promise.all([
      deps.senderTls(delivery),
      deps.header(delivery),
      deps.sts?.policyOf(domain, teamId) ?? null,
      deps.sts === null ? null : deps.dane?.hostsOf(domain),
    ])
    const policy = senderPolicy(domain, sender, readSenderWish(header))
    return { ...policy, sts, dane: dane ?? policy.dane, isFromDns: true }
  }

  async function policyOf(delivery: DueDelivery, hop: Hop): Promise<TlsPolicy> {
    const finding = policies.get(delivery) ?? find(delivery)
    policies.set(delivery, finding)
    const policy = await finding
    // The recipient domain's demands apply to its own hosts only.
    return hop.relay === null ? policy : senderPolicy(policy.domain, policy.sender, policy.wish)
  }

  return {
    policyOf,
    demandOf: (policy, host) => demandOf(policy, host, deps.dane),
    note: deps.note,
    async tlsClass(delivery, hop) {
      const policy = await policyOf(delivery, hop)
      const usual = tlsClassOf({ ...policy, sender: 'opportunistic', wish: null })
      return { tls: tlsClassOf(policy), usual }
    },
  }
}
