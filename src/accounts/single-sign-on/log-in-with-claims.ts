import { countTeamsOf } from '../../access/memberships-queries.ts'
import type { Config } from '../../config/config.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import { violates } from '../../db/sqlstate.ts'
import type { Browser } from '../../http/route/browser-of.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findFirstTeam } from '../../teams/teams-queries.ts'
import { setPassword } from '../people/set-password.ts'
import { restrictPasskeys } from '../second-factor/passkeys-queries.ts'
import { type Login, startOrChallenge } from '../sessions/log-in-with-password.ts'
import {
  findSsoUser,
  hasSsoIdentity,
  insertSsoIdentity,
  touchSsoIdentity,
} from '../users/sso-identities-queries.ts'
import { findUserByEmail, insertUser, lockUser } from '../users/users-queries.ts'
import { type Claims, isSubject, personNameOf, rolesByTeam, verifiedAddress } from './claims.ts'
import { SignOnFailure } from './sign-on-failure.ts'
import { syncRoles } from './sync-roles.ts'

export interface SsoLoginDeps {
  db: Db
  clock: Clock
  log: Log
  forgetAccess(): void
  config: Pick<Config, 'oidcDomains' | 'oidcGroupsClaim' | 'oidcRoles' | 'oidcSessionMs'>
}

export interface SsoPerson {
  issuer: string
  claims: Claims
  browser: Browser
  requestId: string
}

/**
 * Logs in the user who is linked to the provider's subject. Without such a user, the verified address decides: it links an
 * existing user, or creates one if a group gives a role. Then the roles follow the groups. A second factor of the user is
 * still required. Throws SignOnFailure.
 */
export async function logInWithClaims(deps: SsoLoginDeps, person: SsoPerson): Promise<Login> {
  if (!isSubject(person.claims.sub)) throw new SignOnFailure('sso_failed', 'the subject is not valid')
  try {
    return await logInOnce(deps, person)
  } catch (error) {
    // Another login of the same person was faster, and its user exists now.
    if (!violates(error, 'sso_identity') && !violates(error, 'user_account_email_unique')) throw error
    return logInOnce(deps, person)
  }
}

async function logInOnce(deps: SsoLoginDeps, person: SsoPerson): Promise<Login> {
  const { db, clock, log, config, forgetAccess } = deps
  const { issuer, claims, browser, requestId } = person
  const now = clock.now()
  const { login, added } = await db.transaction(async (tx) => {
    const firstTeamId = (await findFirstTeam(tx))?.id ?? null
    const roles = rolesByTeam(claims, {
      claim: config.oidcGroupsClaim,
      roles: config.oidcRoles,
      firstTeamId,
    })
    const result = await findOrCreateUser(
      tx,
      person,
      { domains: config.oidcDomains, hasRole: roles.size > 0 },
      now,
    )
    const { userId, added } = result
    await syncRoles(tx, { userId, roles, browser, requestId }, now)
    // Locked after the memberships, in the same order as everywhere.
    if (added?.is_new === false) await endEarlierAccess(tx, userId, now)
    const user = await lockUser(tx, userId)
    if (user === null) throw new SignOnFailure('sso_failed', 'the user was removed during the login')
    await touchSsoIdentity(tx, issuer, claims.sub, now)
    if (!user.isOperator && (await countTeamsOf(tx, userId)) === 0) {
      if (added?.is_new === true) throw noAccess()
      // Not thrown here: the roles that the groups no longer give must end.
      return { login: null, added }
    }
    return { login: await startOrChallenge(tx, { userId, ...browser }, now, config.oidcSessionMs), added }
  })
  // Sessions may have ended and roles changed, also if the login is refused or waits for a second factor.
  forgetAccess()
  if (added !== null)
    log.info({ ...added, subject: claims.sub }, 'linked a user to a subject of the OpenID provider')
  if (login === null) throw noAccess()
  return login
}

/**
 * Ends earlier access to an account that is being linked by its address: the password, sessions, pending logins and links.
 * The person who follows an invitation chooses the password, and need not own the address. Passkeys stay, but never log in
 * alone.
 */
async function endEarlierAccess(tx: Tx, userId: string, now: Date): Promise<void> {
  // This locks the user and ends the sessions, so that no session adds a passkey afterwards.
  await setPassword(tx, { userId, passwordHash: null, keptSessionId: null }, now)
  await restrictPasskeys(tx, userId)
}

const noAccess = () => new SignOnFailure('sso_no_access', 'no group of the person gives a role')

/** A user that was linked to a person, or created for them. */
interface Added {
  user_id: string
  is_new: boolean
}

/** Returns the id of the person's user. */
async function findOrCreateUser(
  tx: Tx,
  { issuer, claims }: SsoPerson,
  { domains, hasRole }: { domains: readonly string[]; hasRole: boolean },
  now: Date,
): Promise<{ userId: string; added: Added | null }> {
  const ssoUser = await findSsoUser(tx, issuer, claims.sub)
  if (ssoUser !== null) return { userId: ssoUser, added: null }
  const email = verifiedAddress(claims, domains)
  if (email === null)
    throw new SignOnFailure('sso_no_address', 'the person has no verified address in SENDWRIGHT_OIDC_DOMAINS')
  const user = await findUserByEmail(tx, email)
  // The provider gave the address to another person. The account stays with the first one.
  if (user !== null && (await hasSsoIdentity(tx, issuer, user.id))) {
    // Another login of the same person may have linked the user since the first look.
    if ((await findSsoUser(tx, issuer, claims.sub)) === user.id) return { userId: user.id, added: null }
    throw new SignOnFailure('sso_taken', 'the account with this address belongs to another subject')
  }
  if (user === null && !hasRole) throw noAccess()
  const userId = user?.id ?? newId(now.getTime())
  if (user === null) {
    await insertUser(tx, {
      id: userId,
      email,
      name: personNameOf(claims, email),
      isOperator: false,
      passwordHash: null,
      passwordChangedAt: null,
      createdAt: now,
      updatedAt: now,
    })
  }
  await insertSsoIdentity(tx, { issuer, subject: claims.sub, userId, createdAt: now, lastLoginAt: now })
  return { userId, added: { user_id: userId, is_new: user === null } }
}
