import type { HashAddress } from '../base/erased-address.ts'
import type { Queryable } from '../store/db.ts'
import { findEmailFacts } from '../store/email-facts.ts'
import { findList } from '../store/lists.ts'
import { findTeam } from '../store/teams.ts'
import { findUnsubscription } from '../store/unsubscriptions.ts'
import type { UnsubscribeLink } from './unsubscribe-links.ts'
import { scopeText } from './unsubscribe-scope.ts'

/** What a reader is shown of a link. */
export interface ToldUnsubscribe {
  isUnsubscribed: boolean
  /** The From of the email; the name of the account once the email is not kept any more. */
  sender: string
  /** The name of the list or topic. */
  subject: string
}

/** Null when the team is no more. */
export async function tellUnsubscribe(
  db: Queryable,
  hashAddress: HashAddress,
  link: UnsubscribeLink,
): Promise<ToldUnsubscribe | null> {
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
