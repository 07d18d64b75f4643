import type { Db } from '../../db/db-types.ts'
import type { Browser } from '../../http/route/browser-of.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashToken } from '../../lib/crypto/random-token.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Login, startOrChallenge } from '../sessions/log-in-with-password.ts'
import { beginAttempt, endAttempt } from '../sessions/login-attempts.ts'
import { makeUserLink } from '../users/account-links.ts'
import { takeAccountLink } from '../users/account-links-queries.ts'
import { lockUser } from '../users/users-queries.ts'

/**
 * Creates a link that replaces the password for one login. Only the command line creates such links: they let users in while
 * passwords are off and the provider is unavailable.
 */
export async function makeLoginLink(db: Db, userId: string, publicUrl: string, now: Date): Promise<string> {
  return makeUserLink(db, { userId, kind: 'login', publicUrl, keepsEarlier: false }, now)
}

/** Logs in with such a link, which works once. A second factor is still required. Throws ApiError: 410, 429. */
export async function logInWithLink(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
  browser: Browser,
): Promise<Login> {
  const now = clock.now()
  const attempt = { what: 'link', ipAddress: browser.ipAddress, account: '' } as const
  await beginAttempt(db, attempt, now)
  const login = await db.transaction(async (tx) => {
    const link = await takeAccountLink(tx, 'login', hashToken(token), now)
    const user = link?.userId == null ? null : await lockUser(tx, link.userId)
    return user === null ? null : startOrChallenge(tx, { userId: user.id, ...browser }, now)
  })
  if (login === null) throw new ApiError('invalid_link')
  await endAttempt(db, attempt, now)
  return login
}
