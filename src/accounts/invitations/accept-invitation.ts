import { type LoggedIn, type NewSession, startSession } from '../../access/session-access.ts'
import type { AuditEntry } from '../../audit/audit-queries.ts'
import { auditedTransactions } from '../../audit/audited-transactions.ts'
import type { Config } from '../../config/config.ts'
import type { Db, Transactions } from '../../db/db-types.ts'
import { violates } from '../../db/sqlstate.ts'
import type { Browser } from '../../http/route/browser-of.ts'
import { ApiError, throwInvalid } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { PasswordDeps } from '../passwords/account-deps.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { followLink } from '../sessions/login-attempts.ts'
import { requirePasswordLogin } from '../sessions/password-login.ts'
import { createUser } from '../users/new-user.ts'
import { findUser, findUserByEmail, type User } from '../users/users-queries.ts'
import { findInvitation, joinTeam } from './invitations.ts'
import type { DescribedInvitation } from './invitations-queries.ts'

const ACCOUNT_EXISTS = 'An account with this email address exists: log in first, then follow the link again.'

interface Deps extends PasswordDeps {
  config: Pick<Config, 'passwordLogin'>
}

interface Acceptance {
  token: string
  /** Only for a new user. */
  name: string | null
  password: string | null
  requestId: string
}

/**
 * Joins a team. A new person creates an account and is logged in. A person with an account must be logged in to it,
 * because the link alone must not control it. Throws ApiError: 410, 409, 422, 429, and
 * 403 for a new person without single sign-on where that is the only way in.
 * @returns the session of a new user; null if the current session continues
 */
export async function acceptInvitation(
  deps: Deps,
  acceptance: Acceptance,
  session: LoggedIn | null,
  browser: Browser,
): Promise<NewSession | null> {
  const { db, clock } = deps
  const now = clock.now()
  const find = () => findInvitation(db, acceptance.token, now)
  const invitation = await followLink(db, browser.ipAddress, now, find)
  const account = await findUserByEmail(db, invitation.email)
  if (account === null) {
    requirePasswordLogin(deps.config)
    return acceptAsNew(deps, acceptance, invitation, browser)
  }
  const user = session === null ? null : await findUser(db, session.userId)
  if (user === null || user.id !== account.id) throw new ApiError('conflict', ACCOUNT_EXISTS)
  const audited = auditOf(db, acceptance, { invitation, user, browser }, now)
  await audited.transaction((tx) =>
    joinTeam(tx, invitation, { userId: user.id, token: acceptance.token }, now),
  )
  return null
}

async function acceptAsNew(
  { db, clock, passwords }: PasswordDeps,
  acceptance: Acceptance,
  invitation: DescribedInvitation,
  browser: Browser,
): Promise<NewSession> {
  const { email } = invitation
  const { name, password } = requireFields(acceptance)
  requireGoodPassword(password, email)
  const passwordHash = await passwords.hash(password)
  const now = clock.now()
  const userId = newId(now.getTime())
  const audited = auditOf(db, acceptance, { invitation, user: { id: userId }, browser }, now)
  try {
    return await audited.transaction(async (tx) => {
      await createUser(tx, { id: userId, email, name, isOperator: false, passwordHash }, now)
      await joinTeam(tx, invitation, { userId, token: acceptance.token }, now)
      return startSession(tx, { userId, ...browser }, now)
    })
  } catch (error) {
    if (violates(error, 'user_account_email_unique')) throw new ApiError('conflict', ACCOUNT_EXISTS)
    throw error
  }
}

function requireFields({ name, password }: Acceptance): { name: string; password: string } {
  const missing = Object.entries({ name, password }).filter(([, value]) => value === null)
  const errors = Object.fromEntries(missing.map(([field]) => [field, [`The ${field} field is required.`]]))
  throwInvalid(errors)
  return { name: name as string, password: password as string }
}

/** Returns transactions that record the entry in the audit log. */
function auditOf(
  db: Db,
  { requestId }: Acceptance,
  {
    invitation,
    user,
    browser,
  }: { invitation: DescribedInvitation; user: Pick<User, 'id'>; browser: Browser },
  now: Date,
): Transactions {
  const entry: AuditEntry = {
    teamId: invitation.teamId,
    id: newId(now.getTime()),
    actorKind: 'user',
    actorId: user.id,
    action: 'team.invitations.accept',
    targetId: invitation.id,
    fields: [],
    ...browser,
    requestId,
    createdAt: now,
  }
  return auditedTransactions(db, entry)
}
