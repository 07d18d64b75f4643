import type { Queryable } from '../../db/db-types.ts'
import type { UnsubscribeLink } from '../../emails/accept/unsubscribe-links.ts'
import { scopeText } from '../../emails/request/unsubscribe-scope.ts'
import { findEmailFacts } from '../../events/email-facts-queries.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { findList } from '../lists/lists-queries.ts'
import { findUnsubscription } from './unsubscriptions-queries.ts'

/** The parts of an unsubscribe link that its page shows. */
export interface DescribedUnsubscribe {
  isUnsubscribed: boolean
  /** The From of the email, or the name of the account once the email is deleted. */
  sender: string
  /** The name of the list or topic. */
  subject: string
}

/** Returns null if the team no longer exists. */
export async function describeUnsubscribe(
  db: Queryable,
  hashAddress: HashAddress,
  link: UnsubscribeLink,
): Promise<DescribedUnsubscribe | null> {
  const { teamId, emailId, scope, email } = link
  const team = await findTeam(db, teamId)
  if (team === null) return null
  const facts = await findEmailFacts(db, teamId, [emailId])
  const row = await findUnsubscription(db, teamId, scopeText(scope), [email, hashAddress(teamId, email)])
  const list = scope.kind === 'list' ? await findList(db, teamId, scope.listId) : null
  return {
    isUnsubscribed: row !== null,
    sender: facts.get(emailId)?.sender ?? team.name,
    subject: scope.kind === 'topic' ? scope.topic : (list?.name ?? 'this list'),
  }
}
