import Type from 'typebox'
import { IdParams, Text, TextOrNull, Timestamp, Uuid } from '../../http/route/schemas.ts'

export const AttachmentAnswer = Type.Object(
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

export const AttachmentParams = Type.Object({
  ...IdParams.properties,
  index: Type.String({
    pattern: '^(?:0|[1-9][0-9]{0,2}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
    description: 'Index in `attachments` of the email, from 0, or an id.',
  }),
})
