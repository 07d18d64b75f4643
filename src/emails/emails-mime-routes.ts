import Type from 'typebox'
import { type Route, routesOf } from '../http/route.ts'
import type { AcceptMime } from './accept/accept-mime.ts'
import { Accepted, ClassInput, IDEMPOTENCY_HEADERS } from './email-schemas.ts'
import type { Idempotent } from './idempotency/idempotency.ts'
import { type Idempotency, readIdempotency } from './idempotency/idempotency-key.ts'

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

const DESCRIPTION = `The message is validated, repaired, and signed.

Repairs: bare CR and LF become CRLF. A missing Date, Message-ID, or MIME-Version is added, and an invalid Message-ID replaced. Bcc, Return-Path, Resent-*, Authentication-Results, Received-SPF, ARC-*, and X-Sendwright-* fields are removed, as are DKIM signatures of the From domain. A body with non-ASCII bytes or lines over 998 bytes is encoded, and DKIM signatures that this invalidates are removed. Unencoded UTF-8 in the header is encoded, except in addresses.

Returns 422 for: no From field or several; a From or Sender that is not one plain address at a verified domain; a repeated field that may occur once; over 50 Received fields; ambiguous header lines, or header lines over 998 bytes; a header over 1,000 fields or 256 KiB; over 1,000 parts, 100 levels, or 500,000 lines in multiparts that begin with two hyphens; 8-bit text that declares a charset other than UTF-8; overlong lines in signed, encrypted, or forwarded parts.

Requests count against the rate limit of \`POST /emails\`.`

const sendMime = route('POST', '/emails/mime', {
  tag: 'Emails',
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
