import { newId } from '../../base/ids.ts'
import { hashToken, newToken } from '../../base/random-token.ts'
import { Refusal } from '../../base/refusal.ts'
import { deleteAccountLinks, insertAccountLink, takeAccountLink } from '../../store/account-links.ts'
import type { Db, Tx } from '../../store/db.ts'
import { hintAccessChanged } from '../../store/domains.ts'
import { insertMembership } from '../../store/memberships.ts'
import { findFirstTeam, updateTeamName } from '../../store/teams.ts'
import { hasUsers } from '../../store/users.ts'
import { createTeam } from '../access.ts'
import { type NewSession, startSession } from '../session-access.ts'
import { accountLink, LINK_LIFETIME_MS } from './account-links.ts'
import type { AccountDeps, Browser } from './log-in.ts'
import { createUser, readUserEmail } from './new-user.ts'
import { requireGoodPassword } from './password-rules.ts'

/** Two who come at once, by whatever process, must not both be the first. */
const LOCK = 7_306_085_243

/**
 * The link that makes the first user, in place of all made before; null where there are users. It stands in this answer and
 * nowhere else.
 */
export async function makeFirstOwnerLink(db: Db, publicUrl: string, now: Date): Promise<string | null> {
  return db.transaction(async (tx) => {
    await lockFirst(tx)
    if (await hasUsers(tx)) return null
    const { token, hash } = newToken()
    await deleteAccountLinks(tx, null)
    const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS)
    const whose = { kind: 'first_owner', userId: null } as const
    await insertAccountLink(tx, { tokenHash: hash, ...whose, createdAt: now, expiresAt })
    return accountLink(publicUrl, 'welcome', token)
  })
}

export interface FirstOwner {
  token: string
  email: string
  name: string
  password: string
  /** Null: the team keeps its name. */
  teamName: string | null
}

/** Makes the first user: owner of the first team, and operator. Throws Refusal: 410 for a link that is over, 422. */
export async function createFirstOwner(
  { db, clock, passwords }: AccountDeps,
  given: FirstOwner,
  browser: Browser,
): Promise<NewSession> {
  const now = clock.now()
  const email = readUserEmail(given.email)
  requireGoodPassword(given.password, email)
  if (await hasUsers(db)) throw new Refusal('invalid_link')
  const passwordHash = await passwords.hash(given.password)
  return db.transaction(async (tx) => {
    await lockFirst(tx)
    if (await hasUsers(tx)) throw new Refusal('invalid_link')
    if ((await takeAccountLink(tx, 'first_owner', hashToken(given.token), now)) === null)
      throw new Refusal('invalid_link')
    const userId = newId(now.getTime())
    await createUser(tx, { id: userId, email, name: given.name, isOperator: true, passwordHash }, now)
    const teamId = await nameFirstTeam(tx, given.teamName, now)
    const times = { createdAt: now, updatedAt: now }
    await insertMembership(tx, { teamId, userId, role: 'owner', ...times })
    await deleteAccountLinks(tx, null)
    await hintAccessChanged(tx)
    return startSession(tx, { userId, ...browser }, now)
  })
}

async function lockFirst(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
}

/** Of the first team: it is there since the first start, unless somebody took it away. */
async function nameFirstTeam(tx: Tx, name: string | null, now: Date): Promise<string> {
  const team = await findFirstTeam(tx)
  if (team === null) return (await createTeam(tx, { name: name ?? 'Default', plan: 'unlimited' }, now)).id
  if (name !== null) await updateTeamName(tx, team.id, name, now)
  return team.id
}
