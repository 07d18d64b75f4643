import type { Tx } from '../db/db-types.ts'
import { invalidField } from '../lib/api-error.ts'
import { readAddressKey } from '../mime/address.ts'
import { insertUser, type User } from './users-queries.ts'

/** An address as users have it. Throws ApiError (422). */
export function readUserEmail(text: string): string {
  const email = readAddressKey(text)
  if (email === null) throw invalidField('email', 'The email field must be a valid email address.')
  return email
}

/** @param given its id is new, or names one that does not exist yet. Violates `user_account_email_unique` when somebody has the address already. */
export async function createUser(
  tx: Tx,
  given: Pick<User, 'id' | 'email' | 'name' | 'isOperator'> & { passwordHash: string },
  now: Date,
): Promise<User> {
  const user: User = {
    ...given,
    passwordChangedAt: now,
    createdAt: now,
    updatedAt: now,
  }
  await insertUser(tx, user)
  return user
}
