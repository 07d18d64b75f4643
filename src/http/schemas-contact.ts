import Type from 'typebox'
import { Timestamp, Uuid } from './schemas.ts'

const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** A list as a contact shows it. */
const ContactList = Type.Object({
  object: Type.Literal('list'),
  id: Uuid,
  name: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The answer for one contact. */
export const ContactAnswer = Type.Object({
  object: Type.Literal('contact'),
  id: Uuid,
  email: Type.String({
    description: 'In lower case, the domain as A-label. No two contacts of a team have the same.',
  }),
  first_name: TextOrNull('Null when there is none.'),
  last_name: TextOrNull('Null when there is none.'),
  user_id: TextOrNull("The contact's id in your own application."),
  unsubscribed: Type.Boolean({
    description: 'Concerns campaigns and automations, never transactional email.',
  }),
  properties: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description:
      'Own values by the key of their property in upper case: numbers as numbers, dates as `YYYY-MM-DD HH:MM:SS` in UTC.',
  }),
  lists: Type.Array(ContactList, {
    description: 'Newest first, at most 1,000; GET /contacts/{id}/lists has all.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const CONTACT_EXAMPLE = {
  object: 'contact',
  id: '019a5c1e-7c1a-7d3e-9a51-3f0c2b6a8d10',
  email: 'ann@example.com',
  first_name: 'Ann',
  last_name: 'Smith',
  user_id: 'user-42',
  unsubscribed: false,
  properties: { PLAN: 'pro', SEATS: 12, RENEWS_AT: '2027-01-31 00:00:00' },
  lists: [
    {
      object: 'list',
      id: '019a5c1e-7c1a-7d3e-9a51-3f0c2b6a8d20',
      name: 'Newsletter',
      created_at: '2026-11-01 09:00:00',
      updated_at: '2026-11-01 09:00:00',
    },
  ],
  created_at: '2026-11-02 10:15:00',
  updated_at: '2026-11-02 10:15:00',
}
