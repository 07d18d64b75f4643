import { newId } from '../../src/base/ids.ts'
import { writeSessionCookie } from '../../src/http/session-cookie.ts'
import { createPasswords } from '../../src/operations/accounts/password-hash.ts'
import { SESSION_LIFETIME_MS, startSession } from '../../src/operations/session-access.ts'
import { insertUser } from '../../src/store/users.ts'
import type { Api } from './api.ts'
import { type Browser, openBrowser, PASSWORD } from './people.ts'

export interface GivenUser {
  id: string
  email: string
  password: string
}

type Given = Pick<Api, 'db' | 'url' | 'services'>

/** One for all: it costs a twentieth of a second. */
const hashed = createPasswords().hash(PASSWORD)
let counter = 0

/** Somebody who is in no team. */
export async function givenUser({ db, services }: Given): Promise<GivenUser> {
  const given = { id: newId(), email: `person${++counter}@people.test` }
  const now = services.clock.now()
  const times = { passwordChangedAt: now, createdAt: now, updatedAt: now }
  const passwordHash = await hashed
  await db.transaction((tx) =>
    insertUser(tx, { ...given, name: 'Ann', passwordHash, isOperator: false, ...times }),
  )
  return { ...given, password: PASSWORD }
}

/** Where they have just logged in, without the price of a password. */
export async function givenBrowser(
  { db, url, services }: Given,
  { id: userId }: GivenUser,
): Promise<Browser> {
  const { token } = await db.transaction((tx) =>
    startSession(tx, { userId, ipAddress: '127.0.0.1', userAgent: null }, services.clock.now()),
  )
  const cookie = writeSessionCookie(token, SESSION_LIFETIME_MS, services.config.publicUrl)
  return openBrowser(() => url, cookie.split(';', 1)[0])
}
