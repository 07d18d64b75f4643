import Type from 'typebox'
import { FUTURE_TIME } from '../../events/example-values.ts'
import { ADDRESS_CHARS_MAX, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { EventDefinition } from './event-definitions-queries.ts'

const FIELDS_MAX = 100

const FieldTypes = Type.Record(
  Type.String({ minLength: 1, maxLength: 100 }),
  Type.Enum(['string', 'number', 'boolean', 'date']),
  { maxProperties: FIELDS_MAX },
)
const Schema = Type.Union([FieldTypes, Type.Null()], {
  description: 'Required fields of the payload with their types. Null: any payload.',
})
const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Without white space. `resend:` and the names of events of Sendwright are reserved.',
})

const EXAMPLE = { name: 'order.paid', schema: { order: 'number' } }

export const EventDefinitionBody = Type.Object(
  { name: Name, schema: Type.Optional(Schema) },
  { examples: [EXAMPLE] },
)
export const EventDefinitionChanges = Type.Object(
  { schema: Schema },
  { examples: [{ schema: { order: 'number', paid_at: 'date' } }] },
)
export const EventDefinitionAnswer = Type.Object(
  {
    object: Type.Literal('event'),
    id: Uuid,
    name: Type.String({ description: 'Name of the event.' }),
    schema: Schema,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'EventDefinition',
    examples: [
      {
        object: 'event',
        id: '0198c0de-0000-7000-8000-0000000000f5',
        ...EXAMPLE,
        created_at: '2026-03-01 09:30:00',
        updated_at: '2026-03-01 09:30:00',
      },
    ],
  },
)

export function eventDefinitionToJson({ id, name, schema, createdAt, updatedAt }: EventDefinition) {
  return {
    object: 'event',
    id,
    name,
    schema,
    created_at: formatTime(createdAt),
    updated_at: formatTime(updatedAt),
  }
}

/** Names the contact that an event or a run is about. */
export const CONTACT_REFERENCE = {
  contact_id: Type.Optional(
    Type.Union([Uuid, Type.Null()], { description: 'Id of the contact. Required without `email`.' }),
  ),
  email: Type.Optional(
    Type.Union([Type.String({ maxLength: ADDRESS_CHARS_MAX }), Type.Null()], {
      description: 'Address of the contact, which is created if it is new.',
    }),
  ),
}

/** The most characters of a payload as JSON. */
export const PAYLOAD_CHARS_MAX = 32_768

export const Payload = Type.Optional(
  Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    description: `For rules and templates. At most ${PAYLOAD_CHARS_MAX} characters of JSON.`,
  }),
)

export const ReportBody = Type.Object(
  {
    event: Name,
    ...CONTACT_REFERENCE,
    payload: Payload,
    occurred_at: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'ISO 8601, for records. Default: now.',
        examples: [FUTURE_TIME],
      }),
    ),
  },
  { examples: [{ event: 'order.paid', email: 'ann@customer.example', payload: { order: 4711 } }] },
)

export const ReportAnswer = Type.Object(
  { object: Type.Literal('event'), event: Type.String({ description: 'Name of the event.' }) },
  { title: 'ReportedEvent', examples: [{ object: 'event', event: 'order.paid' }] },
)
