import Type, { type Static } from 'typebox'
import type { Db } from '../db/db-types.ts'
import { attachmentDisposition } from '../http/content-disposition.ts'
import { type Reply, type Route, routesOf } from '../http/route.ts'
import { IdParams } from '../http/schemas.ts'
import { ApiError, orNotFound } from '../lib/api-error.ts'
import type { FairSemaphore } from '../lib/async/fair-semaphore.ts'
import type { ResendEmail, ResendRequest } from './accept/resend-email.ts'
import { workOnContent } from './content/heavy-content.ts'
import { Accepted, IDEMPOTENCY_HEADERS } from './email-schemas.ts'
import type { Idempotent } from './idempotency/idempotency.ts'
import { type Idempotency, readIdempotency } from './idempotency/idempotency-key.ts'
import { readInTurn } from './read/large-reads.ts'
import { type Email, findEmail, findEmailDetail } from './read/read-emails-queries.ts'

interface Deps {
  db: Db
  resendEmail: ResendEmail
  idempotent: Idempotent
  largeReads: FairSemaphore
}

const { route } = routesOf<Deps>()

const ADDRESS_CHARS_MAX = 2000
const Addresses = (description: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.String({ maxLength: ADDRESS_CHARS_MAX }),
        Type.Array(Type.String({ maxLength: ADDRESS_CHARS_MAX }), { maxItems: 150 }),
      ],
      { 'x-words': 'a string or a list of strings', description },
    ),
  )

const ResendBody = Type.Object(
  {
    to: Addresses(
      'Recipients, at most 50. If absent, all recipients of the original in to, cc, and bcc. If present, `cc` and `bcc` are empty unless given.',
    ),
    cc: Addresses('Recipients of a copy, visible to all.'),
    bcc: Addresses('Hidden recipients.'),
  },
  { examples: [{ to: 'delivered@simulator.test' }] },
)

const resendEmail = route('POST', '/emails/:id/resend', {
  tag: 'Emails',
  permission: 'full',
  limit: 'send',
  operationId: 'resendEmail',
  summary: 'Resend an email',
  description:
    'Sends the same content, attachments, headers, tags, and class immediately, as a new email. The domain, suppressions, and quota are checked again. A raw message is sent as stored. Returns 409 if the content is no longer stored.',
  headers: IDEMPOTENCY_HEADERS,
  params: IdParams,
  body: ResendBody,
  responses: { 202: { description: 'The email was accepted.', schema: Accepted } },
  async handle({ caller, params, body, headers, deps }) {
    const { teamId } = caller
    const email = await requireEmail(deps, teamId, params.id)
    const request = readAddressees(body)
    const submitter = { teamId, domainId: caller.domainId }
    const send = (idempotency: Idempotency | null) =>
      readInTurn(deps, teamId, email.sizeBytes, () =>
        deps.resendEmail(email, request, submitter, idempotency),
      )
    const key = readIdempotency(headers['idempotency-key'], { resend: email.id, ...request })
    const { emailIds } = key === null ? await send(null) : await deps.idempotent(teamId, key, send)
    return { status: 202, json: { id: emailIds[0] } }
  },
})

function readAddressees({ to, cc, bcc }: Static<typeof ResendBody>): ResendRequest {
  return {
    ...(to === undefined ? {} : { to }),
    ...(cc === undefined ? {} : { cc }),
    ...(bcc === undefined ? {} : { bcc }),
  }
}

async function requireEmail({ db }: Deps, teamId: string, id: string): Promise<Email> {
  return orNotFound(await findEmail(db, teamId, id.toLowerCase()))
}

const AttachmentParams = Type.Object({
  ...IdParams.properties,
  index: Type.String({
    pattern: '^(?:0|[1-9][0-9]{0,2})$',
    description: 'Index in `attachments` of the email, from 0.',
  }),
})

const getAttachment = route('GET', '/emails/:id/attachments/:index', {
  tag: 'Emails',
  permission: 'full',
  limit: 'general',
  operationId: 'getAttachment',
  summary: 'Download an attachment',
  description:
    'PNG, JPEG, GIF, and WebP images keep their media type. All other files are returned as `application/octet-stream`.',
  params: AttachmentParams,
  responses: { 200: { description: 'The attachment.', type: 'application/octet-stream' } },
  async handle({ caller: { teamId }, params, deps }) {
    const email = await requireEmail(deps, teamId, params.id)
    return readInTurn(deps, teamId, email.sizeBytes, () => readAttachment(deps, email, Number(params.index)))
  },
})

/** Types that run no code, whatever the file contains. */
const INLINE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

async function readAttachment({ db }: Deps, email: Email, index: number): Promise<Reply> {
  const detail = await findEmailDetail(db, email.teamId, email.id, email.sizeBytes)
  if (detail === null) throw new ApiError('not_found', 'The content of this email is no longer stored.')
  const record = detail.attachments[index]
  const stored = { encoding: detail.encoding, message: detail.message }
  const job = { stored, records: detail.attachments, index }
  const of = { teamId: email.teamId, sizeBytes: email.sizeBytes, handedOver: [detail.message] }
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

export const emailAgainRoutes: readonly Route<Deps>[] = [resendEmail, getAttachment]
