import Type from 'typebox'
import { ADDRESS_CHARS_MAX, Timestamp, Uuid } from '../../http/schemas.ts'

export const CONTACT_EXAMPLE = {
  object: 'contact',
  id: '0198c0de-0000-7000-8000-0000000000c1',
  email: 'ann@customer.example',
  first_name: 'Ann',
  last_name: 'Smith',
  user_id: 'user-42',
  unsubscribed: false,
  properties: { PLAN: 'pro', SEATS: 12, RENEWS_AT: '2027-01-31 00:00:00' },
  lists: [
    {
      object: 'list',
      id: '0198c0de-0000-7000-8000-0000000000b1',
      name: 'Newsletter',
      created_at: '2026-01-15 09:30:00',
      updated_at: '2026-01-15 09:30:00',
    },
  ],
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}

/** A list as a contact shows it. */
const ContactList = Type.Object(
  {
    object: Type.Literal('list'),
    id: Uuid,
    name: Type.String({ description: 'A name for people.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'ListRef' },
)

/** The answer for one contact. */
export const ContactAnswer = Type.Object(
  {
    object: Type.Literal('contact'),
    id: Uuid,
    email: Type.String({
      description: 'In lower case, with the domain as A-label. Unique within the team.',
    }),
    first_name: Type.String({ description: 'Empty if not set.' }),
    last_name: Type.String({ description: 'Empty if not set.' }),
    user_id: Type.String({
      description: "The contact's id in your own application. Empty if not set.",
    }),
    unsubscribed: Type.Boolean({
      description: 'Applies to campaigns and automations, never to transactional email.',
    }),
    properties: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'Values by property key in upper case. Dates are `YYYY-MM-DD HH:MM:SS` in UTC.',
    }),
    lists: Type.Array(ContactList, {
      description:
        'Newest first, up to 1,000, or 100 in lists of contacts. `GET /contacts/{id}/lists` returns all.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Contact', examples: [CONTACT_EXAMPLE] },
)

/** A contact's id or its address. */
export const IdOrEmail = Type.Object({
  id: Type.String({ minLength: 1, description: 'Id or address of the contact.' }),
})

export const ContactAndList = Type.Object({
  id: Type.String({ minLength: 1, description: 'Id or address of the contact.' }),
  listId: Type.String({ format: 'uuid', description: 'The id of the list.' }),
})

const nullable = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()], { description }))

const Email = Type.String({
  minLength: 1,
  maxLength: ADDRESS_CHARS_MAX,
  description:
    'An address without a display name; kept in lower case. The identity of the contact within the account.',
})

const FIELDS = {
  first_name: nullable('Null or an empty string clears it.'),
  last_name: nullable('Null or an empty string clears it.'),
  user_id: nullable(
    "The contact's id in your own application. Does not have to be unique. Null or an empty string clears it.",
  ),
  unsubscribed: Type.Optional(
    Type.Boolean({ description: 'Concerns campaigns and automations. A new contact is subscribed.' }),
  ),
  list_ids: Type.Optional(
    Type.Array(Uuid, {
      maxItems: 1000,
      description: 'List ids. The contact is then in exactly these lists.',
    }),
  ),
  properties: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Null()]), {
      maxProperties: 1000,
      description:
        'Values by the key of a property of the account, without regard to case: for `number` a number or a numeric string, for `date` ISO 8601 (UTC without an offset), for `string` at most 1,000 characters. Null removes a value; those that are not named stay. All texts of one contact: at most 100,000 bytes.',
    }),
  ),
}

const FIELDS_EXAMPLE = {
  first_name: 'Ann',
  last_name: 'Smith',
  user_id: 'user-42',
}

export const ContactBody = Type.Object(
  { email: Email, ...FIELDS },
  { examples: [{ email: 'ann@customer.example', ...FIELDS_EXAMPLE, unsubscribed: false }] },
)

export const ContactChanges = Type.Object(
  { email: Type.Optional(Email), ...FIELDS },
  { examples: [{ ...FIELDS_EXAMPLE, first_name: 'Anne' }] },
)

export const ListIdsBody = Type.Object(
  {
    list_ids: Type.Array(Uuid, {
      maxItems: 1000,
      description: 'List ids. The contact stays in its other lists.',
    }),
  },
  { examples: [{ list_ids: [CONTACT_EXAMPLE.lists[0]?.id] }] },
)

export const DeletedContact = Type.Object(
  { object: Type.Literal('contact'), id: Uuid, contact: Uuid, deleted: Type.Literal(true) },
  {
    title: 'DeletedContact',
    examples: [{ object: 'contact', id: CONTACT_EXAMPLE.id, contact: CONTACT_EXAMPLE.id, deleted: true }],
  },
)

export const DeletedMembership = Type.Object(
  {
    object: Type.Literal('contact_list'),
    id: Type.String({ format: 'uuid', description: 'Of the list.' }),
    contact: Type.String({ format: 'uuid', description: 'Of the contact.' }),
    deleted: Type.Literal(true),
  },
  {
    title: 'DeletedListMembership',
    examples: [
      {
        object: 'contact_list',
        id: CONTACT_EXAMPLE.lists[0]?.id,
        contact: CONTACT_EXAMPLE.id,
        deleted: true,
      },
    ],
  },
)
