import type { Db, Queryable } from '../../db/db-types.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import {
  type Email,
  type EmailDetail,
  type EmailScope,
  findEmail,
  findEmailDetail,
} from './read-emails-queries.ts'

/** Returns an email that the caller may read. Throws ApiError (404) if there is none with this id. */
export async function requireEmail(db: Queryable, scope: EmailScope, id: string): Promise<Email> {
  return orNotFound(await findEmail(db, scope, id.toLowerCase()))
}

/** Returns the content of an email. Throws ApiError (404) if it is no longer stored. */
export async function requireDetail(db: Db, email: Email): Promise<EmailDetail> {
  const detail = await findEmailDetail(db, email.teamId, email.id, email.sizeBytes)
  if (detail === null) throw new ApiError('not_found', 'The content of this email is no longer stored.')
  return detail
}
