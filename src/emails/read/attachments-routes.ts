import Type from 'typebox'
import { cutPage, listOf, PageQuery, pageReply, readPage } from '../../http/route/page.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Reply, type Route, routesOf } from '../../http/route/route.ts'
import { IdParams, Text, TextOrNull, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { orNotFound } from '../../lib/api-error.ts'
import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'
import { partId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { AttachmentRecord } from '../rows/emails-queries.ts'
import { readInTurn } from './large-reads.ts'
import { readAttachment } from './read-attachment.ts'
import type { Email } from './read-emails-queries.ts'
import { type ContentDeps, requireDetail, requireEmail } from './require-email.ts'
import { shareUrl } from './share-link.ts'

const AttachmentAnswer = Type.Object(
  {
    object: Type.Literal('attachment'),
    id: Uuid,
    filename: Text('File name.'),
    size: Type.Integer({ description: 'Size in bytes.' }),
    content_type: Text('Media type.'),
    content_disposition: Type.Enum(['inline', 'attachment']),
    content_id: TextOrNull('Id of an inline image.'),
    download_url: Text('A public link to the file, without a key.'),
    expires_at: Timestamp,
  },
  {
    title: 'EmailAttachment',
    examples: [
      {
        object: 'attachment',
        id: '0198c0de-0000-7000-8000-0000000000e2',
        filename: 'a.pdf',
        size: 4711,
        content_type: 'application/pdf',
        content_disposition: 'attachment',
        content_id: null,
        download_url: 'https://mail.example.com/shared/AZjA3g',
        expires_at: '2026-01-15 10:30:00',
      },
    ],
  },
)

const AttachmentParams = Type.Object({
  ...IdParams.properties,
  index: Type.String({
    pattern: '^(?:0|[1-9][0-9]{0,2}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
    description: 'Index in `attachments` of the email, from 0, or an id.',
  }),
})

interface Deps extends Pick<ResourceDeps, 'db' | 'clock' | 'config'>, ContentDeps {
  largeReads: FairSemaphore
  linkKeys: { share: Buffer }
}

const { route } = routesOf<Deps>()

const DOWNLOAD_MS = 3_600_000
const COMMON = { area: 'emails', permission: 'full' } as const
/** A longer parameter is an id. */
const INDEX_CHARS_MAX = 3

function attachmentToJson(
  { clock, config, linkKeys }: Deps,
  { teamId, id: emailId }: Email,
  record: AttachmentRecord,
  attachment: number,
) {
  const expiresAt = new Date(clock.now().getTime() + DOWNLOAD_MS)
  return {
    object: 'attachment',
    id: partId(emailId, attachment),
    filename: record.filename,
    size: record.size,
    content_type: record.content_type,
    content_disposition: record.content_id === null ? 'attachment' : 'inline',
    content_id: record.content_id,
    download_url: shareUrl(config, linkKeys.share, { teamId, emailId, attachment, expiresAt }),
    expires_at: formatTime(expiresAt),
  }
}

const getAttachments = route('GET', '/emails/:id/attachments', {
  ...COMMON,
  operationId: 'listAttachments',
  summary: 'List the attachments of an email',
  description: 'Each has a download link that needs no key and expires after an hour.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'In the order of the email.', schema: listOf(AttachmentAnswer) } },
  async handle(request) {
    const { caller, params, deps } = request
    const email = await requireEmail(deps.db, caller, params.id)
    const { attachments } = await readInTurn(deps, caller.teamId, email.sizeBytes, () =>
      requireDetail(deps.db, email),
    )
    const data = attachments.map((record, index) => attachmentToJson(deps, email, record, index))
    const page = readPage(request.query)
    const path = `/emails/${email.id}/attachments`
    return pageReply(request, path, { ...cutPage(data, page), page, total: data.length }, (each) => each)
  },
})

const getAttachment = route('GET', '/emails/:id/attachments/:index', {
  ...COMMON,
  operationId: 'getAttachment',
  summary: 'Download an attachment',
  description:
    'PNG, JPEG, GIF, and WebP images keep their media type. All other files are returned as `application/octet-stream`. With an id, returns the record of the list as JSON.',
  params: AttachmentParams,
  responses: { 200: { description: 'The attachment.', type: 'application/octet-stream' } },
  async handle({ caller, params, deps }) {
    const email = await requireEmail(deps.db, caller, params.id)
    const { index } = params
    const read = () =>
      index.length > INDEX_CHARS_MAX
        ? describeAttachment(deps, email, index)
        : readAttachment(deps, email, Number(index))
    return readInTurn(deps, caller.teamId, email.sizeBytes, read)
  },
})

async function describeAttachment(deps: Deps, email: Email, id: string): Promise<Reply> {
  const { attachments } = await requireDetail(deps.db, email)
  const index = attachments.findIndex((_, place) => partId(email.id, place) === id.toLowerCase())
  const record = orNotFound(attachments[index] ?? null)
  return { status: 200, json: attachmentToJson(deps, email, record, index) }
}

export const attachmentRoutes: readonly Route<Deps>[] = [getAttachments, getAttachment]
