import type { Db, Queryable } from '../../db/db-types.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import type { StoredContent } from '../content/content-jobs.ts'
import type { ReadPackedBody } from '../rows/packed-queries.ts'
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

/** What reads the messages of emails, wherever they are. */
export interface ContentDeps {
  db: Db
  readBody: ReadPackedBody
}

/**
 * Returns the message of an email, from the row or from the store of bodies. Throws ApiError (503) if the store does not
 * respond. Call it outside of transactions.
 */
export async function loadBody(
  readBody: ReadPackedBody,
  { body }: Pick<EmailDetail, 'body'>,
): Promise<StoredContent> {
  return 'packId' in body ? { encoding: 'identity', message: await readBody(body) } : body
}

/** Returns the content of an email with its message. Throws ApiError: 404 if it is no longer stored, 503 as `loadBody`. */
export async function requireContent(
  { db, readBody }: ContentDeps,
  email: Email,
): Promise<EmailDetail & StoredContent> {
  const detail = await requireDetail(db, email)
  return { ...detail, ...(await loadBody(readBody, detail)) }
}
