import { insertMembership, type Role } from '../../src/access/memberships-queries.ts'
import { SESSION_LIFETIME_MS, startSession } from '../../src/access/session-access.ts'
import { createPasswords } from '../../src/accounts/passwords/password-hash.ts'
import { insertUser } from '../../src/accounts/users/users-queries.ts'
import { writeSessionCookie } from '../../src/http/auth/session-cookie.ts'
import { newId } from '../../src/lib/ids.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import type { Api } from './api.ts'
import { type Browser, openBrowser, PASSWORD, type Person } from './people.ts'
import type { TestSendwright } from './sendwright.ts'

export interface GivenUser {
  id: string
  email: string
  password: string
}

/**
 * The parts of a running service that creating a user needs: of the API alone, or of a complete service
 * (`givenWhole`).
 */
type Given = Pick<Api, 'db' | 'url'> & { deps: Pick<Api['deps'], 'clock' | 'config'> }

/** Returns these parts of a complete running service. */
export function givenWhole({ db, url, config }: Pick<TestSendwright, 'db' | 'url' | 'config'>): Given {
  return { db, url, deps: { clock: systemClock, config } }
}

/** One hash for all users, because it takes 50 ms. */
const hashed = createPasswords().hash(PASSWORD)
let counter = 0

/** Creates a user who is in no team. */
export async function givenUser({ db, deps }: Given, address?: string): Promise<GivenUser> {
  const given = { id: newId(), email: address ?? `person${++counter}@people.test` }
  const now = deps.clock.now()
  const times = { passwordChangedAt: now, createdAt: now, updatedAt: now }
  const passwordHash = await hashed
  await db.transaction((tx) =>
    insertUser(tx, { ...given, name: 'Ann', passwordHash, isOperator: false, ...times }),
  )
  return { ...given, password: PASSWORD }
}

/** Returns a browser with a new session, without the cost of a password check. */
export async function givenBrowser(
  { db, url, deps }: Given,
  { id: userId }: Pick<GivenUser, 'id'>,
): Promise<Browser> {
  const { token } = await db.transaction((tx) =>
    startSession(tx, { userId, ipAddress: '127.0.0.1', userAgent: null }, deps.clock.now()),
  )
  const cookie = writeSessionCookie(token, SESSION_LIFETIME_MS, deps.config.publicUrl)
  return openBrowser(() => url, cookie.split(';', 1)[0])
}

/** Creates a user with a role in a team, logged in. */
export async function givenMember(
  given: Given,
  teamId: string,
  role: Role,
  address?: string,
): Promise<Person> {
  const { id, email } = await givenUser(given, address)
  const now = given.deps.clock.now()
  const membership = { teamId, userId: id, role, createdAt: now, updatedAt: now }
  await given.db.transaction((tx) => insertMembership(tx, membership))
  return Object.assign(await givenBrowser(given, { id }), { id, email })
}
