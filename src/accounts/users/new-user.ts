import type { Tx } from '../../db/db-types.ts'
import { invalidField } from '../../lib/api-error.ts'
import { readAddressKey } from '../../mime/address.ts'
import { insertUser, type User } from './users-queries.ts'

/** Returns a user's address in normalized form. Throws ApiError (422). */
export function readUserEmail(text: string): string {
  const email = readAddressKey(text)
  if (email === null) throw invalidField('email', 'The email field must be a valid email address.')
  return email
}

/**
 * Creates a user. Violates `user_account_email_unique` if the address is taken.
 * @param fields its id must be new
 */
export async function createUser(
  tx: Tx,
  fields: Pick<User, 'id' | 'email' | 'name' | 'isOperator'> & { passwordHash: string },
  now: Date,
): Promise<User> {
  const user: User = {
    ...fields,
    passwordChangedAt: now,
    createdAt: now,
    updatedAt: now,
  }
  await insertUser(tx, user)
  return user
}
