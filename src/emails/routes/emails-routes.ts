import Type, { type Static } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { FUTURE_TIME } from '../../events/example-values.ts'
import { readDate } from '../../http/route/date-query.ts'
import { listOf, PAGE_PARAMETERS, pageReply, readPage, wholeListOf } from '../../http/route/page.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { aliasOf, type Reply, type Route, routesOf } from '../../http/route/route.ts'
import { ADDRESS_CHARS_MAX, IdParams } from '../../http/route/schemas.ts'
import { orNotFound } from '../../lib/api-error.ts'
import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'
import { suppressionKey } from '../../mime/address.ts'
import { decodeMessage } from '../../mime/encoding.ts'
import { withoutRequireTls } from '../../mime/require-tls.ts'
import type { SignatureForm } from '../../mime/signature-form.ts'
import { MAIL_CLASSES } from '../../queue/mail-class.ts'
import type { AcceptEmail } from '../accept/accept-email.ts'
import { workOnContent } from '../content/heavy-content.ts'
import type { Idempotent } from '../idempotency/idempotency.ts'
import { type Idempotency, readIdempotency } from '../idempotency/idempotency-key.ts'
import { type EmailFilter, IN_PROGRESS, type VisitName } from '../read/email-filters-queries.ts'
import { attemptToJson, emailEventToJson, emailToJson, recipientToJson } from '../read/email-json.ts'
import { maySeeContent, withoutHiddenParts } from '../read/email-scope.ts'
import { readInTurn } from '../read/large-reads.ts'
import { INDEXED_SCAN_MAX, listEmails, SCAN_MAX } from '../read/list-emails-queries.ts'
import { type Email, findEmailSize, findWholeEmail, listAttempts } from '../read/read-emails-queries.ts'
import { readSearch } from '../read/read-search.ts'
import { type ContentDeps, loadBody, requireContent, requireEmail } from '../read/require-email.ts'
import { readTagFilter, TAG_PARAMETERS } from '../read/tag-filter.ts'
import { groupHeaders } from '../request/read-headers.ts'
import { findSignatureForms } from '../rows/messages-queries.ts'
import { cancelEmail, rescheduleEmail } from '../schedule/schedule-email.ts'
import {
  Accepted,
  EmailAttempt,
  EmailRef,
  EmailSummary,
  EmailWhole,
  IDEMPOTENCY_HEADERS,
  SendInput,
  STATUSES,
} from './email-schemas.ts'

interface Deps extends ResourceDeps, ContentDeps {
  linkKeys: { unsubscribe: Buffer; tracking: Buffer }
  acceptEmail: AcceptEmail
  idempotent: Idempotent
  /** Creates the DKIM-Signature fields that deliveries of the email carry. */
  signer: {
    sign(
      email: { teamId: string; domainId: string; emailId: string; createdAt: Date },
      message: { bytes: Buffer; smtpUtf8: boolean },
      form: SignatureForm | null,
    ): Promise<Buffer>
  }
  largeReads: FairSemaphore
}

const { route } = routesOf<Deps>()

const SEND_BYTES_MAX = 80 * 1024 * 1024
const sendEmail = route('POST', '/emails', {
  area: 'emails',
  permission: 'send',
  limit: 'send',
  operationId: 'sendEmail',
  summary: 'Send an email',
  description:
    'The API responds after the email is committed. From then on it is either delivered, or an event explains why not.',
  headers: IDEMPOTENCY_HEADERS,
  body: SendInput,
  hasBuffers: true,
  bodyBytesMax: SEND_BYTES_MAX,
  responses: { 202: { description: 'The email was accepted.', schema: Accepted } },
  async handle({ caller, body, bodyHash, headers, deps }) {
    const send = (idempotency: Idempotency | null) => deps.acceptEmail(body, caller, idempotency)
    const key = readIdempotency(headers['idempotency-key'], body, bodyHash)
    const { emailIds } = key === null ? await send(null) : await deps.idempotent(caller.teamId, key, send)
    return { status: 202, json: { id: emailIds[0] } }
  },
})

const SCAN_LIMIT = SCAN_MAX.toLocaleString('en-US')
const INDEXED_SCAN_LIMIT = INDEXED_SCAN_MAX.toLocaleString('en-US')
const LIST_DESCRIPTION = [
  'Newest first.',
  `With several filters, a request scans at most ${INDEXED_SCAN_LIMIT} emails: those that match the most selective filter. With \`q\` or \`class=transactional\` alone, it scans at most ${SCAN_LIMIT}.`,
  'Pages can be short or empty while `has_more` is true, and `meta.total` counts the matches among the emails scanned.',
].join(' ')

const EmailQuery = Type.Object({
  ...PAGE_PARAMETERS,
  status: Type.Optional(
    Type.Enum([...STATUSES, IN_PROGRESS], {
      description: 'Emails with this status. `in_progress`: `queued`, `delivery_delayed`, or `scheduled`.',
    }),
  ),
  event: Type.Optional(
    Type.Enum(['opened', 'clicked', 'complained'], {
      description: 'Emails of the last 100 days that a person opened, clicked, or complained about.',
    }),
  ),
  simulated: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Emails to the simulator only, or all others.' }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: ADDRESS_CHARS_MAX,
      description: 'Emails to this address in `to`, `cc`, or `bcc`.',
    }),
  ),
  from: Type.Optional(
    Type.String({
      maxLength: ADDRESS_CHARS_MAX,
      description: 'Emails from this address, case-insensitive.',
    }),
  ),
  ...TAG_PARAMETERS,
  domain_id: Type.Optional(Type.String({ format: 'uuid', description: 'Emails from this domain.' })),
  template_id: Type.Optional(Type.String({ format: 'uuid', description: 'Emails that use this template.' })),
  start_date: Type.Optional(
    Type.String({ description: 'Emails accepted at or after this ISO 8601 date or timestamp.' }),
  ),
  end_date: Type.Optional(
    Type.String({ description: 'Emails accepted before this time. A date includes the whole day.' }),
  ),
  class: Type.Optional(Type.Enum([...MAIL_CLASSES], { description: 'Emails of this class.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Part of the subject, case-insensitive.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 998,
      description:
        'An id, a Message-ID, the start of an address, `name:value` of a tag, or a part of the subject.',
    }),
  ),
})

const getEmails = route('GET', '/emails', {
  area: 'emails',
  permission: 'full',
  operationId: 'listEmails',
  summary: 'List emails',
  description: LIST_DESCRIPTION,
  query: EmailQuery,
  responses: { 200: { description: 'A page of emails.', schema: listOf(EmailSummary) } },
  async handle(request) {
    const { caller, query, deps } = request
    const page = readPage(query)
    const filter = readFilter(query)
    if (caller.domainId !== null) filter.scopeDomainId = caller.domainId
    const emails = await listEmails(deps.lists, caller.teamId, filter, page)
    return pageReply(request, '/emails', { ...emails, page }, emailToJson)
  },
})

function readFilter(query: Static<typeof EmailQuery>): EmailFilter {
  const filter: EmailFilter = query.search === undefined ? {} : readSearch(query.search)
  if (query.status !== undefined) filter.status = String(query.status)
  if (query.event !== undefined) filter.event = query.event as VisitName
  if (query.simulated !== undefined) filter.isSimulated = query.simulated === 'true'
  if (query.to !== undefined) filter.toKey = suppressionKey(query.to)
  if (query.from !== undefined) filter.from = query.from.toLowerCase()
  const tag = readTagFilter(query)
  if (tag !== null) filter.tag = tag
  if (query.template_id !== undefined) filter.templateId = query.template_id.toLowerCase()
  if (query.domain_id !== undefined) filter.domainId = query.domain_id.toLowerCase()
  if (query.class !== undefined) filter.isBulk = query.class === 'bulk'
  if (query.start_date !== undefined) filter.createdFrom = readDate('start_date', query.start_date, false)
  if (query.end_date !== undefined) filter.createdBefore = readDate('end_date', query.end_date, true)
  if (query.q !== undefined) filter.subjectPart = query.q
  return filter
}

const getEmail = route('GET', '/emails/:id', {
  area: 'emails',
  permission: 'send',
  operationId: 'getEmail',
  summary: 'Get an email',
  description:
    'Includes the content, the status of each recipient, and the events. A `send` key sees the content of its own emails.',
  params: IdParams,
  responses: { 200: { description: 'The email.', schema: EmailWhole } },
  async handle({ caller, params, deps }) {
    const id = params.id.toLowerCase()
    const sizeBytes = orNotFound(await findEmailSize(deps.db, caller, id))
    return readInTurn(deps, caller.teamId, sizeBytes, () => readWhole(deps, caller, id))
  },
})

async function readWhole({ db, readBody, linkKeys }: Deps, caller: Caller, id: string): Promise<Reply> {
  const { teamId } = caller
  const isShown = (email: Email) => maySeeContent(caller, email)
  const record = orNotFound(await findWholeEmail(db, caller, id, isShown))
  const whole = isShown(record.email) ? record : withoutHiddenParts(record)
  const { email, detail, hasDetail, recipients, events } = whole
  const before = emailToJson(email)
  const after = {
    headers: groupHeaders(detail?.headers ?? []),
    attachments: detail?.attachments ?? [],
    content_expired: !hasDetail,
    recipients: recipients.map(recipientToJson),
    events: events.map(emailEventToJson),
  }
  if (detail === null) return { status: 200, json: { ...before, html: null, text: null, ...after } }
  const { encoding, message } = await loadBody(readBody, detail)
  const untracking = { key: linkKeys.tracking, email: { teamId, emailId: id } }
  const job = { before, stored: { encoding, message }, untracking, after }
  const of = { teamId, sizeBytes: email.sizeBytes, handedOver: [message] }
  return { status: 200, jsonPieces: await workOnContent('emailJson', of, job) }
}

const getRaw = route('GET', '/emails/:id/raw', {
  area: 'emails',
  permission: 'full',
  operationId: 'getRawEmail',
  summary: 'Get the raw message',
  description: 'The message as sent, with its DKIM signatures.',
  params: IdParams,
  responses: { 200: { description: 'The signed message.', type: 'message/rfc822' } },
  async handle({ caller, params, deps }) {
    const email = await requireEmail(deps.db, caller, params.id)
    return readInTurn(deps, caller.teamId, email.sizeBytes, () => readRaw(deps, email))
  },
})

async function readRaw(deps: Deps, email: Email): Promise<Reply> {
  const { db, signer } = deps
  const { encoding, message, smtpUtf8 } = await requireContent(deps, email)
  const bytes = await decodeMessage(encoding, message)
  const { teamId, id: emailId, domainId, createdAt } = email
  const [form = null] = (await findSignatureForms(db, teamId, emailId)) ?? []
  const signature = await signer.sign({ teamId, domainId, emailId, createdAt }, { bytes, smtpUtf8 }, form)
  return {
    status: 200,
    bytes: [signature, ...withoutRequireTls(bytes)],
    type: 'message/rfc822',
  }
}

const getAttempts = route('GET', '/emails/:id/attempts', {
  area: 'emails',
  permission: 'full',
  operationId: 'listAttempts',
  summary: 'List delivery attempts',
  description: 'Every attempt for every recipient, oldest first, with its SMTP transcript.',
  params: IdParams,
  responses: {
    200: {
      description: 'Oldest first.',
      schema: wholeListOf(EmailAttempt),
    },
  },
  async handle({ caller, params, deps: { db } }) {
    const email = await requireEmail(db, caller, params.id)
    const rows = await listAttempts(db, caller.teamId, email.id)
    return { status: 200, json: { object: 'list', data: rows.map(attemptToJson) } }
  },
})

const moveEmail = route('PATCH', '/emails/:id', {
  area: 'emails',
  permission: 'full',
  operationId: 'rescheduleEmail',
  action: 'emails.update',
  summary: 'Reschedule an email',
  description: 'Returns 409 unless the status is `scheduled`.',
  params: IdParams,
  body: Type.Object(
    {
      scheduled_at: Type.String({
        description: 'When to send, in ISO 8601. UTC unless it has an offset; at most 365 days ahead.',
      }),
    },
    { examples: [{ scheduled_at: FUTURE_TIME }] },
  ),
  responses: { 200: { description: 'The email was rescheduled.', schema: EmailRef } },
  async handle({ caller, params, body, audited, deps: { clock, config } }) {
    const id = params.id.toLowerCase()
    await rescheduleEmail(
      { db: audited, clock, messageLifetimeMs: config.messageLifetimeMs },
      caller,
      id,
      body.scheduled_at,
    )
    return { status: 200, json: { object: 'email', id } }
  },
})

const cancelScheduledEmail = route('POST', '/emails/:id/cancel', {
  area: 'emails',
  permission: 'send',
  operationId: 'cancelEmail',
  action: 'emails.cancel',
  summary: 'Cancel a scheduled email',
  description: 'Returns 409 unless the status is `scheduled`.',
  params: IdParams,
  responses: { 200: { description: 'The email was canceled.', schema: EmailRef } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const id = params.id.toLowerCase()
    await cancelEmail({ db: audited, clock }, caller, id)
    return { status: 200, json: { object: 'email', id } }
  },
})

export const emailRoutes: readonly Route<Deps>[] = [
  sendEmail,
  getEmails,
  getEmail,
  getRaw,
  getAttempts,
  moveEmail,
  aliasOf(moveEmail, { method: 'PUT' }),
  cancelScheduledEmail,
]
