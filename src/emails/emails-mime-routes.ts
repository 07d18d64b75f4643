import Type from 'typebox'
import { type Route, routesOf } from '../http/route.ts'
import type { AcceptMime } from './accept/accept-mime.ts'
import { Accepted, IDEMPOTENCY_HEADERS } from './email-schemas.ts'
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
        'The sender, with or without a display name; its domain must be a verified domain. Bounces come to the service: MAIL FROM carries a return path of its own for each recipient.',
    }),
    envelope_to: Type.String({
      minLength: 1,
      maxLength: ADDRESS_CHARS_MAX,
      description:
        'Who gets it, with or without a display name. The addresses in the header of the message are not looked at.',
    }),
    raw_message: Type.String({
      minLength: 10,
      maxLength: 37_500_000,
      description:
        'The message (RFC 2822): a header with exactly one From field that holds one address of a verified domain, an empty line, the body. Sent as UTF-8, in which it has at most 37,500,000 bytes.',
    }),
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

const DESCRIPTION = `The message is checked, repaired and signed; then it is an email like any other.

Repaired: bare CR and LF become CRLF; a missing Date, Message-ID or MIME-Version is added, and an invalid Message-ID replaced; Bcc, Return-Path, Resent-*, Authentication-Results, Received-SPF, ARC-* and X-Sendwright-* fields are removed, and DKIM signatures of the From domain; a body that is not ASCII, or has lines longer than 998 bytes, is encoded as quoted-printable or base64 (signatures of other domains, which do not outlast that, are removed then).

Refused with 422 on \`raw_message\`: no From field or several; a From or Sender that is not one plain address (comments, groups, lists) of a verified domain; other fields twice of which there may be one; more than 50 Received fields; header lines that readers may understand in different ways, or longer than 998 bytes; a header of more than 1,000 fields or 256 KiB; more than 1,000 parts, 100 levels, or 500,000 lines in multiparts that begin with two hyphens; 8-bit text that says it is in another charset than UTF-8; over-long lines inside signed, encrypted or forwarded parts. A header with unencoded UTF-8 goes only to servers with SMTPUTF8.

With an \`Idempotency-Key\` header the same request may be sent again and is accepted once. Requests count together with those of \`POST /emails\`.`

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
      example: { id: '0198c0de-0000-7000-8000-000000000001' },
    },
  },
  async handle({ caller, body, bodyHash, headers, deps }) {
    const submitter = { teamId: caller.teamId, domainId: caller.domainId }
    const send = (idempotency: Idempotency | null) => deps.acceptMime(body, submitter, idempotency)
    const key = readIdempotency(headers['idempotency-key'], body, bodyHash)
    const { emailIds } = key === null ? await send(null) : await deps.idempotent(caller.teamId, key, send)
    return { status: 202, json: { id: emailIds[0] } }
  },
})

export const emailMimeRoutes: readonly Route<Deps>[] = [sendMime]
