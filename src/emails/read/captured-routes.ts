import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { EXAMPLES } from '../../events/example-values.ts'
import { listOf, listToJson, PageQuery, readPage } from '../../http/page.ts'
import { type Route, routesOf } from '../../http/route.ts'
import { IdParams, Text, TextOrNull, Timestamp, Uuid } from '../../http/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { readHeader } from '../../mime/parse.ts'
import { workOnContent } from '../content/heavy-content.ts'
import {
  type Captured,
  countCaptured,
  deleteCaptured,
  findCaptured,
  findCapturedSize,
  listCaptured,
} from './captured-queries.ts'
import { readInTurn } from './large-reads.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  largeReads: FairSemaphore
}

const { route } = routesOf<Deps>()

const Mailbox = Type.Object(
  {
    name: Text('The display name; empty if there is none.'),
    address: Text('The address.'),
  },
  { title: 'Mailbox' },
)

const summaryFields = {
  object: Type.Literal('captured'),
  id: Uuid,
  email_id: Type.Union([Uuid, Type.Null()]),
  envelope_from: Text('The return path from MAIL FROM.'),
  envelope_to: Text('The recipient from RCPT TO.'),
  from: Type.Array(Mailbox),
  to: Type.Array(Mailbox),
  subject: TextOrNull('The subject.'),
  received_at: Timestamp,
}
export const CapturedSummary = Type.Object(summaryFields, {
  title: 'CapturedEmailSummary',
  examples: [EXAMPLES.capturedSummary],
})
export const CapturedWhole = Type.Object(
  {
    ...summaryFields,
    cc: Type.Array(Mailbox),
    reply_to: Type.Array(Mailbox),
    html: TextOrNull('Null when the message has none.'),
    text: TextOrNull('Null when the message has none.'),
    headers: Type.Array(
      Type.Object({ name: Text('As written.'), value: Text('Unfolded, but not decoded.') }),
    ),
    attachments: Type.Array(
      Type.Object({
        filename: TextOrNull('The name in the message.'),
        content_type: Text('The media type.'),
        content_id: TextOrNull('The id of an inline image.'),
        size: Type.Integer({ description: 'Size in bytes.' }),
        content: Type.String({ description: 'Base64.' }),
      }),
    ),
    raw: Type.String({
      description: 'The message as it would have been sent; each byte is one Latin-1 character.',
    }),
  },
  { title: 'CapturedEmail', examples: [EXAMPLES.captured] },
)

const common = { tag: 'Captured', permission: 'full', limit: 'general' } as const

async function summaryToJson(captured: Captured) {
  const { from, to, subject } = await readHeader(captured.message)
  return { ...envelopeToJson(captured), from, to, subject }
}

const getCapturedList = route('GET', '/captured', {
  ...common,
  operationId: 'listCapturedEmails',
  summary: 'List captured messages',
  description:
    'With `SENDWRIGHT_DELIVERY=capture` no mail leaves the machine: messages are stored here instead.',
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(CapturedSummary) } },
  async handle({ caller, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listCaptured(lists, caller.teamId, page)
    const total = await countCaptured(lists, caller.teamId)
    const data = await Promise.all(rows.map(summaryToJson))
    const list = { publicUrl: config.publicUrl, path: '/captured', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data }) }
  },
})

const getCaptured = route('GET', '/captured/:id', {
  ...common,
  operationId: 'getCapturedEmail',
  summary: 'Get a captured message',
  description: 'The parsed message and its raw source.',
  params: IdParams,
  responses: { 200: { description: 'The message.', schema: CapturedWhole } },
  async handle({ caller: { teamId }, params, deps }) {
    const sizeBytes = await findCapturedSize(deps.db, teamId, params.id)
    if (sizeBytes === null) throw new ApiError('not_found')
    return readInTurn(deps, teamId, sizeBytes, async () => {
      const captured = await findCaptured(deps.db, teamId, params.id, sizeBytes)
      if (captured === null) throw new ApiError('not_found')
      const job = { before: envelopeToJson(captured), message: captured.message }
      const of = { teamId, sizeBytes, handedOver: [job.message] }
      return { status: 200, jsonPieces: await workOnContent('capturedJson', of, job) }
    })
  },
})

/** Returns the fields that do not come from the message itself. */
function envelopeToJson(captured: Captured) {
  return {
    object: 'captured',
    id: captured.id,
    email_id: captured.emailId,
    envelope_from: captured.mailFrom,
    envelope_to: captured.rcptTo,
    received_at: formatTime(captured.receivedAt),
  }
}

const clearCaptured = route('DELETE', '/captured', {
  ...common,
  operationId: 'deleteCapturedEmails',
  action: 'captured.delete',
  summary: 'Delete all captured messages',
  description: 'Empties the mailbox of capture mode.',
  responses: {
    200: {
      description: 'The messages were deleted.',
      schema: Type.Object({
        object: Type.Literal('captured'),
        deleted: Type.Literal(true),
        count: Type.Integer({ description: 'Number of deleted messages.' }),
      }),
    },
  },
  async handle({ caller, audited }) {
    const count = await audited.transaction(async (tx) => (await deleteCaptured(tx, caller.teamId)) || null)
    return { status: 200, json: { object: 'captured', deleted: true, count: count ?? 0 } }
  },
})

export const capturedRoutes: readonly Route<Deps>[] = [getCapturedList, getCaptured, clearCaptured]
