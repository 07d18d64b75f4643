import { hintAccessChanged } from '../../access/access-changes-queries.ts'
import { insertMembership } from '../../access/memberships-queries.ts'
import { type NewSession, startSession } from '../../access/session-access.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import { lockAlone } from '../../db/locks.ts'
import type { Browser } from '../../http/route/browser-of.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashToken, newToken } from '../../lib/crypto/random-token.ts'
import { newId } from '../../lib/ids.ts'
import { createTeam } from '../../teams/teams.ts'
import { findFirstTeam, updateTeamName } from '../../teams/teams-queries.ts'
import type { PasswordDeps } from '../passwords/account-deps.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { accountLink, LINK_LIFETIME_MS } from '../users/account-links.ts'
import { deleteAccountLinks, insertAccountLink, takeAccountLink } from '../users/account-links-queries.ts'
import { createUser, readUserEmail } from '../users/new-user.ts'
import { hasUsers } from '../users/users-queries.ts'

/**
 * Creates the link for the first user, replacing earlier ones. Returns null if there are users. The link is returned
 * here only and never stored.
 */
export async function makeFirstOwnerLink(db: Db, publicUrl: string, now: Date): Promise<string | null> {
  return db.transaction(async (tx) => {
    await lockAlone(tx, 'firstUser')
    if (await hasUsers(tx)) return null
    const { token, hash } = newToken()
    await deleteAccountLinks(tx, null)
    const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS)
    const owner = { kind: 'first_owner', userId: null } as const
    await insertAccountLink(tx, { tokenHash: hash, ...owner, createdAt: now, expiresAt })
    return accountLink(publicUrl, 'welcome', token)
  })
}

export interface FirstOwner {
  token: string
  email: string
  name: string
  password: string
  /** Null to keep the team's name. */
  teamName: string | null
}

/** Creates the first user as owner of the first team and operator. Throws ApiError: 410 for an invalid link, 422. */
export async function createFirstOwner(
  { db, clock, passwords }: PasswordDeps,
  owner: FirstOwner,
  browser: Browser,
): Promise<NewSession> {
  const now = clock.now()
  const email = readUserEmail(owner.email)
  if (await hasUsers(db)) throw new ApiError('invalid_link')
  requireGoodPassword(owner.password, email)
  const passwordHash = await passwords.hash(owner.password)
  return db.transaction(async (tx) => {
    await lockAlone(tx, 'firstUser')
    if (await hasUsers(tx)) throw new ApiError('invalid_link')
    if ((await takeAccountLink(tx, 'first_owner', hashToken(owner.token), now)) === null)
      throw new ApiError('invalid_link')
    const userId = newId(now.getTime())
    await createUser(tx, { id: userId, email, name: owner.name, isOperator: true, passwordHash }, now)
    const teamId = await nameFirstTeam(tx, owner.teamName, now)
    const times = { createdAt: now, updatedAt: now }
    await insertMembership(tx, { teamId, userId, role: 'owner', ...times })
    await deleteAccountLinks(tx, null)
    await hintAccessChanged(tx)
    return startSession(tx, { userId, ...browser }, now)
  })
}

/** Names the first team. It exists since the first start, unless it was deleted. */
async function nameFirstTeam(tx: Tx, name: string | null, now: Date): Promise<string> {
  const team = await findFirstTeam(tx)
  if (team === null) return (await createTeam(tx, { name: name ?? 'Default', plan: 'unlimited' }, now)).id
  if (name !== null) await updateTeamName(tx, team.id, name, now)
  return team.id
}
