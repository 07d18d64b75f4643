import Type, { type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { cutPage, listOf, PageQuery, pageReply, readPage } from '../../http/page.ts'
import { type Reply, type Route, routesOf } from '../../http/route.ts'
import { IdParams, Text, TextOrNull, Timestamp, Uuid } from '../../http/schemas.ts'
import { ApiError, invalidField, orNotFound } from '../../lib/api-error.ts'
import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'
import { partId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { parseNaturalTime } from '../../lib/time/natural-time.ts'
import { workOnContent } from '../content/heavy-content.ts'
import type { AttachmentRecord } from '../emails-queries.ts'
import { readInTurn } from '../read/large-reads.ts'
import { readAttachment, requireDetail } from '../read/read-attachment.ts'
import { type Email, findEmail } from '../read/read-emails-queries.ts'
import { makeShareToken, readShareToken, type ShareLink } from './share-link.ts'
import { renderSharedPage, SHARED_POLICY } from './shared-page.ts'

interface Deps {
  db: Db
  clock: Clock
  config: Config
  largeReads: FairSemaphore
  linkKeys: { share: Buffer; tracking: Buffer }
}

const { route } = routesOf<Deps>()

const HOUR_MS = 3_600_000
const DOWNLOAD_MS = HOUR_MS
const SHARE_MS = 48 * HOUR_MS
const SHARE_MAX_MS = 30 * 24 * HOUR_MS
const COMMON = { tag: 'Emails', permission: 'full', limit: 'general' } as const
const ID = '0198c0de-0000-7000-8000-0000000000e1'

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

function linkTo({ config, linkKeys }: Deps, link: ShareLink): string {
  return `${config.publicUrl}/shared/${makeShareToken(linkKeys.share, link)}`
}

function attachmentToJson(deps: Deps, email: Email, record: AttachmentRecord, attachment: number) {
  const expiresAt = new Date(deps.clock.now().getTime() + DOWNLOAD_MS)
  return {
    object: 'attachment',
    id: partId(email.id, attachment),
    filename: record.filename,
    size: record.size,
    content_type: record.content_type,
    content_disposition: record.content_id === null ? 'attachment' : 'inline',
    content_id: record.content_id,
    download_url: linkTo(deps, { teamId: email.teamId, emailId: email.id, attachment, expiresAt }),
    expires_at: formatTime(expiresAt),
  }
}

async function requireEmail({ db }: Deps, teamId: string, id: string): Promise<Email> {
  return orNotFound(await findEmail(db, teamId, id.toLowerCase()))
}

const getAttachments = route('GET', '/emails/:id/attachments', {
  ...COMMON,
  operationId: 'listAttachments',
  summary: 'List the attachments of an email',
  description: 'Each has a download link that needs no key and ends after an hour.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'In the order of the email.', schema: listOf(AttachmentAnswer) } },
  async handle(request) {
    const { params, deps } = request
    const { teamId } = request.caller
    const email = await requireEmail(deps, teamId, params.id)
    const { attachments } = await readInTurn(deps, teamId, email.sizeBytes, () =>
      requireDetail(deps.db, email),
    )
    const data = attachments.map((record, index) => attachmentToJson(deps, email, record, index))
    const page = readPage(request.query)
    const path = `/emails/${email.id}/attachments`
    return pageReply(request, path, { ...cutPage(data, page), page, total: data.length }, (each) => each)
  },
})

const AttachmentParams = Type.Object({
  ...IdParams.properties,
  index: Type.String({
    pattern: '^(?:0|[1-9][0-9]{0,2}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
    description: 'Index in `attachments` of the email, from 0, or an id.',
  }),
})

const getAttachment = route('GET', '/emails/:id/attachments/:index', {
  ...COMMON,
  operationId: 'getAttachment',
  summary: 'Download an attachment',
  description:
    'PNG, JPEG, GIF, and WebP images keep their media type. All other files are returned as `application/octet-stream`. With an id, returns the record of the list as JSON.',
  params: AttachmentParams,
  responses: { 200: { description: 'The attachment.', type: 'application/octet-stream' } },
  async handle({ caller: { teamId }, params, deps }) {
    const email = await requireEmail(deps, teamId, params.id)
    const { index } = params
    const read = () =>
      index.length > 3
        ? describeAttachment(deps, email, index)
        : readAttachment(deps.db, email, Number(index))
    return readInTurn(deps, teamId, email.sizeBytes, read)
  },
})

async function describeAttachment(deps: Deps, email: Email, id: string): Promise<Reply> {
  const { attachments } = await requireDetail(deps.db, email)
  const index = attachments.findIndex((_, place) => partId(email.id, place) === id.toLowerCase())
  const record = orNotFound(attachments[index] ?? null)
  return { status: 200, json: attachmentToJson(deps, email, record, index) }
}

const ShareBody = Type.Object(
  {
    expires_in: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'How long the link works: `2 hours`, up to 30 days. Default: 48 hours.',
      }),
    ),
  },
  { examples: [{ expires_in: '2 hours' }] },
)

const SharedEmailAnswer = Type.Object(
  { object: Type.Literal('email'), id: Uuid, url: Text('The link.'), expires_at: Timestamp },
  {
    title: 'SharedEmail',
    examples: [
      {
        object: 'email',
        id: ID,
        url: 'https://mail.example.com/shared/AZjA3g',
        expires_at: '2026-01-17 09:30:00',
      },
    ],
  },
)

const shareEmail = route('POST', '/emails/:id/share', {
  ...COMMON,
  operationId: 'shareEmail',
  action: 'emails.share',
  summary: 'Share an email by a public link',
  description:
    'Anyone who has the link sees the email, without bcc, until it ends. A link cannot be revoked earlier. Deleting the content, by retention or erasure, ends it too.',
  params: IdParams,
  body: ShareBody,
  responses: { 200: { description: 'The link.', schema: SharedEmailAnswer } },
  async handle({ caller: { teamId }, params, body, deps, audited }) {
    const email = await requireEmail(deps, teamId, params.id)
    const expiresAt = readExpiry(body, deps.clock.now())
    // The transaction writes the audit entry: nothing else is stored.
    await audited.transaction(async () => true)
    const url = linkTo(deps, { teamId, emailId: email.id, attachment: null, expiresAt })
    return { status: 200, json: { object: 'email', id: email.id, url, expires_at: formatTime(expiresAt) } }
  },
})

function readExpiry({ expires_in: text }: Static<typeof ShareBody>, now: Date): Date {
  const at = text === undefined ? new Date(now.getTime() + SHARE_MS) : parseNaturalTime(`in ${text}`, now)
  const ms = at === null ? 0 : at.getTime() - now.getTime()
  if (at !== null && ms > 0 && ms <= SHARE_MAX_MS) return at
  throw invalidField(
    'expires_in',
    'The expires_in field must be a duration of at most 30 days, such as 2 hours.',
  )
}

const Token = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1024, description: 'Token of the link.' }),
})

const showShared = route('GET', '/shared/:token', {
  ...COMMON,
  permission: 'public',
  operationId: 'showSharedEmail',
  summary: 'Show a shared email or attachment',
  description: 'The page or file behind a public link. Returns 410 once the link has ended.',
  params: Token,
  responses: { 200: { description: 'The page or file.', type: 'text/html' } },
  async handle({ params, deps }) {
    const link = orNotFound(readShareToken(deps.linkKeys.share, params.token))
    const { teamId, emailId, attachment, expiresAt } = link
    if (expiresAt.getTime() <= deps.clock.now().getTime()) {
      throw new ApiError('invalid_link', 'This link has ended.')
    }
    const email = await requireEmail(deps, teamId, emailId)
    const read = () =>
      attachment === null ? showEmail(deps, email, expiresAt) : readAttachment(deps.db, email, attachment)
    return readInTurn(deps, teamId, email.sizeBytes, read)
  },
})

async function showEmail(deps: Deps, email: Email, expiresAt: Date): Promise<Reply> {
  const { attachments, encoding, message } = await requireDetail(deps.db, email)
  const { id: emailId, teamId, sizeBytes } = email
  // Visits of the page are not those of the recipient.
  const untracking = { key: deps.linkKeys.tracking, email: { teamId, emailId } }
  const job = { stored: { encoding, message }, untracking }
  const { html, text } = await workOnContent('texts', { teamId, sizeBytes, handedOver: [message] }, job)
  const page = renderSharedPage({
    from: email.sender,
    to: email.addressees.to,
    cc: email.addressees.cc,
    subject: email.subject,
    date: formatTime(email.createdAt),
    html,
    text,
    attachments: attachments.map(({ filename }, attachment) => ({
      filename,
      url: linkTo(deps, { teamId, emailId, attachment, expiresAt }),
    })),
  })
  const headers = { 'content-security-policy': SHARED_POLICY }
  return { status: 200, bytes: page, type: 'text/html; charset=utf-8', headers }
}

export const shareRoutes: readonly Route<Deps>[] = [getAttachments, getAttachment, shareEmail, showShared]
