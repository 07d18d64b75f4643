import type { DueDelivery } from '../../queue/types.ts'
import type { Hop } from '../routing/routing.ts'

/**
 * The TLS demands of connections as text: mail of one class shares connections, because all of it demands the same of
 * each host. `opportunistic` demands nothing; others join their demands by `+`, for example `enforced` (the sender's
 * domain), `mta-sts:<hash of the policy's hosts>`, `dane:<hash of the proven hosts>`.
 */
export type TlsClass = string

/** The class of one delivery on one hop; `usual` is the class of mail to its domain from a sender without demands. */
export type TlsClassOf = (delivery: DueDelivery, hop: Hop) => Promise<{ tls: TlsClass; usual: TlsClass }>
