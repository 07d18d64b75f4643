import { insertMembership, type Role } from '../../../src/access/memberships-queries.ts'
import { startSession } from '../../../src/access/session-access.ts'
import { insertUser, type User } from '../../../src/accounts/users/users-queries.ts'
import type { Db } from '../../../src/db/db-types.ts'
import { newId } from '../../../src/lib/ids.ts'

export interface GivenPerson {
  user: User
  /** Logs the user in, and resolves to the session cookie's value, one per browser. */
  logIn(userAgent?: string): Promise<string>
}

const CHROMIUM =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36'

let counter = 0

/** Creates a user with a role in a team, without a password, which takes time to hash. */
export async function givenPerson(
  db: Db,
  teamId: string | null,
  { role, name, isOperator = false }: { role: Role; name: string; isOperator?: boolean },
): Promise<GivenPerson> {
  const now = new Date()
  const user: User = {
    id: newId(now.getTime()),
    email: `${name.toLowerCase().replaceAll(' ', '.')}.${++counter}@people.test`,
    name,
    passwordHash: null,
    passwordChangedAt: null,
    isOperator,
    createdAt: now,
    updatedAt: now,
  }
  await db.transaction(async (tx) => {
    await insertUser(tx, user)
    if (teamId !== null)
      await insertMembership(tx, { teamId, userId: user.id, role, createdAt: now, updatedAt: now })
  })
  return {
    user,
    async logIn(userAgent = CHROMIUM) {
      const from = { userId: user.id, ipAddress: '127.0.0.1', userAgent }
      const { token } = await db.transaction((tx) => startSession(tx, from, new Date()))
      return token
    },
  }
}
