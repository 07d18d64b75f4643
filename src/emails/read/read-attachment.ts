import { attachmentDisposition } from '../../http/route/content-disposition.ts'
import type { Reply } from '../../http/route/route.ts'
import { ApiError } from '../../lib/api-error.ts'
import { workOnContent } from '../content/heavy-content.ts'
import type { Email } from './read-emails-queries.ts'
import { type ContentDeps, requireContent } from './require-email.ts'

/** Types that run no code, whatever the file contains. */
const INLINE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Responds with the content of an attachment. Throws ApiError (404) if there is none at this index. */
export async function readAttachment(deps: ContentDeps, email: Email, index: number): Promise<Reply> {
  const { attachments: records, encoding, message } = await requireContent(deps, email)
  const record = records[index]
  const job = { stored: { encoding, message }, records, index }
  const of = { teamId: email.teamId, sizeBytes: email.sizeBytes, handedOver: [message] }
  const bytes = record === undefined ? null : await workOnContent('attachment', of, job)
  if (record === undefined || bytes === null) throw new ApiError('not_found')
  const type = record.content_type.toLowerCase()
  return {
    status: 200,
    bytes,
    type: INLINE_TYPES.has(type) ? type : 'application/octet-stream',
    headers: { 'content-disposition': attachmentDisposition(record.filename) },
  }
}
