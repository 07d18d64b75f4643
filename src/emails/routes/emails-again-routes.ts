import Type, { type Static } from 'typebox'
import type { Db } from '../../db/db-types.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import type { FairSemaphore } from '../../lib/async/fair-semaphore.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import type { ResendEmail, ResendRequest } from '../accept/resend-email.ts'
import type { Idempotent } from '../idempotency/idempotency.ts'
import { type Idempotency, readIdempotency } from '../idempotency/idempotency-key.ts'
import { readInTurn } from '../read/large-reads.ts'
import { requireEmail } from '../read/require-email.ts'
import { Accepted, IDEMPOTENCY_HEADERS } from './email-schemas.ts'

interface Deps {
  db: Db
  resendEmail: ResendEmail
  idempotent: Idempotent
  largeReads: FairSemaphore
}

const { route } = routesOf<Deps>()

const ADDRESS_CHARS_MAX = 2000
const Addresses = (description: string, options: { 'x-blank'?: true } = {}) =>
  Type.Optional(
    Type.Union(
      [
        Type.String({ maxLength: ADDRESS_CHARS_MAX }),
        Type.Array(Type.String({ maxLength: ADDRESS_CHARS_MAX }), { maxItems: 150 }),
      ],
      { ...options, 'x-words': 'a string or a list of strings', description },
    ),
  )

const ResendBody = Type.Object(
  {
    to: Addresses(
      'Recipients, at most 50. If absent, all recipients of the original in to, cc, and bcc. If present, `cc` and `bcc` are empty unless given.',
    ),
    // An empty `to` is rejected: without `to`, all recipients get the email again.
    cc: Addresses('Recipients of a copy, visible to all.', { 'x-blank': true }),
    bcc: Addresses('Hidden recipients.', { 'x-blank': true }),
  },
  { examples: [{ to: 'delivered@simulator.test' }] },
)

const resendEmail = route('POST', '/emails/:id/resend', {
  area: 'emails',
  permission: 'full',
  limit: 'send',
  operationId: 'resendEmail',
  summary: 'Resend an email',
  description:
    'Sends the same content, attachments, headers, tags, and class immediately, as a new email with its own Message-ID, date, links, and events. Domain, suppressions, and quota are checked again. A raw message is sent as stored. Returns 409 if the content is no longer stored.',
  headers: IDEMPOTENCY_HEADERS,
  params: IdParams,
  body: ResendBody,
  responses: { 202: { description: 'The email was accepted.', schema: Accepted } },
  async handle({ caller, params, body, headers, deps }) {
    const { teamId } = caller
    const email = await requireEmail(deps.db, caller, params.id)
    const request = readAddressees(body)
    const send = (idempotency: Idempotency | null) =>
      readInTurn(deps, teamId, email.sizeBytes, () => deps.resendEmail(email, request, caller, idempotency))
    const key = readIdempotency(headers['idempotency-key'], { resend: email.id, ...request })
    const { emailIds } = key === null ? await send(null) : await deps.idempotent(teamId, key, send)
    return { status: 202, json: { id: emailIds[0] } }
  },
})

function readAddressees({ to, cc, bcc }: Static<typeof ResendBody>): ResendRequest {
  return omitUndefined({ to, cc, bcc })
}

export const emailAgainRoutes: readonly Route<Deps>[] = [resendEmail]
