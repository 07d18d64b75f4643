import type { DueDelivery } from '../../queue/types.ts'
import type { Hop } from '../routing/routing.ts'

/**
 * What connections must be able to prove, as a text: mail of one class shares connections, because all of it demands the
 * same of each host. `opportunistic` demands nothing; others join what they demand by `+`, for example `enforced` (the
 * sender's domain), `mta-sts:<hash of the policy's hosts>`, `dane:<hash of the proven hosts>`.
 */
export type TlsClass = string

/** The class of one delivery by one way; `usual` is that of mail to its domain whose sender demands nothing. */
export type TlsClassOf = (delivery: DueDelivery, hop: Hop) => Promise<{ tls: TlsClass; usual: TlsClass }>
