import Type from 'typebox'
import { type Route, routesOf } from '../../http/route/route.ts'
import type { AcceptMime } from '../accept/accept-mime.ts'
import type { Idempotent } from '../idempotency/idempotency.ts'
import { type Idempotency, readIdempotency } from '../idempotency/idempotency-key.ts'
import { Accepted, ClassInput, IDEMPOTENCY_HEADERS } from './email-schemas.ts'

interface Deps {
  acceptMime: AcceptMime
  idempotent: Idempotent
}

const { route } = routesOf<Deps>()

const MIME_BYTES_MAX = 80 * 1024 * 1024
const ADDRESS_CHARS_MAX = 2000

const MimeInput = Type.Object(
  {
    envelope_from: Type.String({
      minLength: 1,
      maxLength: ADDRESS_CHARS_MAX,
      description:
        'Sender at a verified domain, with an optional display name. MAIL FROM is a return path of Sendwright, which receives the bounces.',
    }),
    envelope_to: Type.String({
      minLength: 1,
      maxLength: ADDRESS_CHARS_MAX,
      description:
        'Recipient, with an optional display name. Addresses in the header of the message are ignored.',
    }),
    raw_message: Type.String({
      minLength: 10,
      maxLength: 37_500_000,
      description:
        'The message (RFC 5322) in UTF-8: a header, an empty line, and the body. At most 37,500,000 bytes. The header must have exactly one From field, with one address at a verified domain.',
    }),
    class: ClassInput,
  },
  {
    examples: [
      {
        envelope_from: 'hello@example.com',
        envelope_to: 'delivered@simulator.test',
        raw_message:
          'From: Acme <hello@example.com>\r\nTo: delivered@simulator.test\r\nSubject: Hello\r\n\r\nIt works.\r\n',
      },
    ],
  },
)

const DESCRIPTION = `The message is validated, repaired where that is safe, and signed: bare CR and LF become CRLF, a missing Date or Message-ID is added, Bcc is removed, and text beyond ASCII is encoded. Returns 422 for a message that programs may read in different ways, or that names a sender at an unverified domain. The guide to raw messages lists all.

Requests count against the rate limit of \`POST /emails\`.`

const sendMime = route('POST', '/emails/mime', {
  area: 'emails',
  permission: 'send',
  limit: 'send',
  operationId: 'sendMimeEmail',
  summary: 'Send a raw MIME message',
  description: DESCRIPTION,
  headers: IDEMPOTENCY_HEADERS,
  body: MimeInput,
  bodyBytesMax: MIME_BYTES_MAX,
  responses: {
    202: {
      description: 'The email was accepted.',
      schema: Accepted,
    },
  },
  async handle({ caller, body, bodyHash, headers, deps }) {
    const send = (idempotency: Idempotency | null) => deps.acceptMime(body, caller, idempotency)
    const key = readIdempotency(headers['idempotency-key'], body, bodyHash)
    const { emailIds } = key === null ? await send(null) : await deps.idempotent(caller.teamId, key, send)
    return { status: 202, json: { id: emailIds[0] } }
  },
})

export const emailMimeRoutes: readonly Route<Deps>[] = [sendMime]
