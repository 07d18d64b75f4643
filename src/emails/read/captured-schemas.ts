import { setImmediate as nextTurn } from 'node:timers/promises'
import Type from 'typebox'
import { EXAMPLES } from '../../events/example-values.ts'
import { Text, TextOrNull, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { parseHeader } from '../../mime/raw/parse.ts'
import type { Captured } from './captured-queries.ts'

const Mailbox = Type.Object(
  {
    name: Text('Display name. Empty if there is none.'),
    address: Text('Address.'),
  },
  { title: 'Mailbox' },
)

const summaryFields = {
  object: Type.Literal('captured'),
  id: Uuid,
  email_id: Type.Union([Uuid, Type.Null()]),
  envelope_from: Text('Return path from MAIL FROM.'),
  envelope_to: Text('Recipient from RCPT TO.'),
  from: Type.Array(Mailbox),
  to: Type.Array(Mailbox),
  subject: TextOrNull('Subject.'),
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
    html: TextOrNull('Null if there is none.'),
    text: TextOrNull('Null if there is none.'),
    headers: Type.Array(
      Type.Object({
        name: Text('Name of the field, as written.'),
        value: Text('Value of the field, unfolded but not decoded.'),
      }),
    ),
    attachments: Type.Array(
      Type.Object({
        filename: TextOrNull('File name in the message.'),
        content_type: Text('Media type.'),
        content_id: TextOrNull('Id of an inline image.'),
        size: Type.Integer({ description: 'Size in bytes.' }),
        content: Type.String({ description: 'Base64.' }),
      }),
    ),
    raw: Type.String({
      description: 'Message as it would be sent. Each character is one byte (Latin-1).',
    }),
  },
  { title: 'CapturedEmail', 'x-extends': 'CapturedEmailSummary', examples: [EXAMPLES.captured] },
)

/** Returns the rows of a list. Each has its turn of the event loop, because a long header takes up to 20 ms. */
export async function capturedSummariesToJson(rows: readonly Captured[]) {
  const data = []
  for (const row of rows) {
    const { from, to, subject } = parseHeader(row.message)
    data.push({ ...envelopeToJson(row), from, to, subject })
    await nextTurn()
  }
  return data
}

/** Returns the fields that do not come from the message itself. */
export function envelopeToJson(captured: Captured) {
  return {
    object: 'captured',
    id: captured.id,
    email_id: captured.emailId,
    envelope_from: captured.mailFrom,
    envelope_to: captured.rcptTo,
    received_at: formatTime(captured.receivedAt),
  }
}
