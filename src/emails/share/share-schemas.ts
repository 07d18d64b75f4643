import Type, { type Static } from 'typebox'
import { Text, Timestamp, Uuid } from '../../http/route/schemas.ts'

export const ShareBody = Type.Object(
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
export type ShareBody = Static<typeof ShareBody>

export const SharedEmailAnswer = Type.Object(
  { object: Type.Literal('email'), id: Uuid, url: Text('The link.'), expires_at: Timestamp },
  {
    title: 'SharedEmail',
    examples: [
      {
        object: 'email',
        id: '0198c0de-0000-7000-8000-0000000000e1',
        url: 'https://mail.example.com/shared/AZjA3g',
        expires_at: '2026-01-17 09:30:00',
      },
    ],
  },
)

export const ShareToken = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1024, description: 'Token of the link.' }),
})
