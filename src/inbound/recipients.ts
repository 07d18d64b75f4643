import type { Queryable } from '../db/db-types.ts'
import { domainOfReturnPathHost } from '../domains/domain-records.ts'
import type { ReportedKey } from '../emails/rows/reported-deliveries-queries.ts'
import type { ReturnPath } from '../mime/return-path.ts'
import { readReturnPath } from '../mime/return-path.ts'
import { readUnsubscribeAddress } from '../mime/unsubscribe-address.ts'
import { reply, type ServerReply } from '../smtp/server/smtp-types.ts'
import { findReturnPathTeam } from '../teams/teams-queries.ts'
import type { AddressKeys } from './find-proof.ts'

/** The purpose of mail to one of our addresses. */
export type InboundTarget =
  | { kind: 'return_path'; key: ReportedKey }
  | { kind: 'unsubscribe'; key: ReportedKey }
  | { kind: 'feedback' }

export interface RecipientDeps {
  db: Queryable
  keys: AddressKeys
  /** SENDWRIGHT_HOSTNAME. */
  hostname: string
  /** SENDWRIGHT_FEEDBACK_ADDRESS. */
  feedbackAddress: string
}

const NO_RELAY = reply(
  550,
  '5.7.1',
  'Relaying denied: this server takes bounces and complaints of its own mail only',
)
const UNKNOWN = reply(
  550,
  '5.1.1',
  'No such address here: this server takes bounces and complaints of its own mail only',
)
const NO_POSTMASTER = reply(
  550,
  '5.1.1',
  'This server has no mailboxes: its operator reads the addresses that the website and WHOIS name',
)

/**
 * Returns the purpose of an address, or a reply that rejects it. Accepts only addresses that this service created;
 * without its secret, none can be guessed. Rejects if the database is unavailable.
 */
export async function findTarget(deps: RecipientDeps, address: string): Promise<InboundTarget | ServerReply> {
  if (address.toLowerCase() === deps.feedbackAddress.toLowerCase()) return { kind: 'feedback' }
  const at = address.lastIndexOf('@')
  const local = at < 0 ? address : address.slice(0, at)
  const host =
    at < 0
      ? deps.hostname
      : address
          .slice(at + 1)
          .replace(/\.$/, '')
          .toLowerCase()
  const isHostname = host === deps.hostname.toLowerCase()
  if (isHostname && local.toLowerCase() === 'postmaster') return NO_POSTMASTER
  const named = readAddress(deps.keys, local)
  const domainName = isHostname ? null : domainOfReturnPathHost(host)
  if (named === null || (!isHostname && domainName === null)) return isHostname ? UNKNOWN : NO_RELAY
  const teamId = await findReturnPathTeam(deps.db, named.path.teamTag, domainName)
  if (teamId === null) return isHostname ? UNKNOWN : NO_RELAY
  return { kind: named.kind, key: { teamId, emailId: named.path.emailId, no: named.path.no } }
}

function readAddress(
  keys: AddressKeys,
  local: string,
): { kind: 'return_path' | 'unsubscribe'; path: ReturnPath } | null {
  const returnPath = readReturnPath(keys.returnPath, local)
  if (returnPath !== null) return { kind: 'return_path', path: returnPath }
  const unsubscribe = readUnsubscribeAddress(keys.unsubscribe, local)
  return unsubscribe === null ? null : { kind: 'unsubscribe', path: unsubscribe }
}
