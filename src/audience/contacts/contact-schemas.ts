import Type from 'typebox'
import { ADDRESS_CHARS_MAX, Timestamp, Uuid } from '../../http/route/schemas.ts'

export const CONTACT_EXAMPLE = {
  object: 'contact',
  id: '0198c0de-0000-7000-8000-0000000000c1',
  email: 'ann@customer.example',
  first_name: 'Ann',
  last_name: 'Smith',
  user_id: 'user-42',
  time_zone: 'Europe/Berlin',
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

/** A list of a contact. */
const ContactList = Type.Object(
  {
    object: Type.Literal('list'),
    id: Uuid,
    name: Type.String({ description: 'Name of the list.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'ListRef' },
)

/** The response for one contact. */
export const ContactAnswer = Type.Object(
  {
    object: Type.Literal('contact'),
    id: Uuid,
    email: Type.String({
      description: 'Address in lower case, with the domain in A-labels. Unique in the team.',
    }),
    first_name: Type.String({ description: 'Empty if not set.' }),
    last_name: Type.String({ description: 'Empty if not set.' }),
    user_id: Type.String({
      description: 'Id of the contact in your application. Empty if not set.',
    }),
    time_zone: Type.String({ description: 'IANA time zone. Empty if not set.' }),
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

/** A contact's id or address. */
export const IdOrEmail = Type.Object({
  id: Type.String({ minLength: 1, description: 'Id or address of the contact.' }),
})

export const ContactAndList = Type.Object({
  id: Type.String({ minLength: 1, description: 'Id or address of the contact.' }),
  listId: Type.String({ format: 'uuid', description: 'Id of the list.' }),
})

const nullable = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()], { description }))

const Email = Type.String({
  minLength: 1,
  maxLength: ADDRESS_CHARS_MAX,
  description: 'An address without a display name, stored in lower case. It identifies the contact.',
})

const FIELDS = {
  first_name: nullable('Null or an empty string clears it.'),
  last_name: nullable('Null or an empty string clears it.'),
  user_id: nullable(
    'Id of the contact in your application. Does not have to be unique. Null or an empty string clears it.',
  ),
  time_zone: nullable('IANA time zone, such as `Europe/Berlin`. Null or an empty string clears it.'),
  unsubscribed: Type.Optional(
    Type.Boolean({ description: 'Applies to campaigns and automations. New contacts are subscribed.' }),
  ),
  list_ids: Type.Optional(
    Type.Array(Uuid, {
      maxItems: 1000,
      description: 'Ids of lists. The contact is then in exactly these lists.',
    }),
  ),
  properties: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Null()]), {
      maxProperties: 1000,
      description:
        'Values by property key, case-insensitive. `number`: a number or numeric string. `date`: ISO 8601, in UTC unless it has an offset. Null removes a value; omitted properties do not change. All values together: at most 100,000 bytes of text.',
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
      description: 'Ids of lists. The contact stays in its other lists.',
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
    id: Type.String({ format: 'uuid', description: 'Id of the list.' }),
    contact: Type.String({ format: 'uuid', description: 'Id of the contact.' }),
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

/** The contacts that match the conditions of an unsaved segment. */
export const SegmentCountAnswer = Type.Object(
  {
    object: Type.Literal('segment_count'),
    count: Type.Integer({ description: 'Number of matching contacts.' }),
    is_exact: Type.Boolean({
      description: 'False if `count` is an estimate from the newest contacts, as it always is from 10,000.',
    }),
    contacts: Type.Array(ContactAnswer, {
      description: 'The newest five matches, or fewer if the scan would be too long for one request.',
    }),
  },
  {
    title: 'SegmentCount',
    examples: [{ object: 'segment_count', count: 1240, is_exact: true, contacts: [CONTACT_EXAMPLE] }],
  },
)
