import Type from 'typebox'
import { ADDRESS_OCTETS_MAX } from '../../mime/address.ts'

/** An address never has more characters than octets. */
export const ADDRESS_CHARS_MAX = ADDRESS_OCTETS_MAX

export const Uuid = Type.String({ format: 'uuid' })

export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: 'UTC, `YYYY-MM-DD HH:MM:SS`.',
  title: 'Time',
  examples: ['2026-01-15 09:30:00'],
})

export const TimestampOrNull = Type.Union([Timestamp, Type.Null()], { title: 'TimeOrNull' })

/** Returns the schema of a string in a response. */
export const Text = (description: string) => Type.String({ description })
export const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
export const IdOrNull = (description: string) => Type.Union([Uuid, Type.Null()], { description })
export const IntegerOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })

/** How the installation delivers email. */
export const DeliveryKind = Type.Enum(['capture', 'direct', 'relay'], {
  title: 'DeliveryMode',
  description:
    '`direct`: to the MX hosts of the recipients. `relay`: to a relay. `capture`: messages are stored and not sent.',
})

/** An id in a path. Any value that is not a UUID returns 404. */
export const IdParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the record.' }),
})

export const Deleted = Type.Object(
  {
    object: Type.String({ description: 'Type of the deleted record.' }),
    id: Uuid,
    deleted: Type.Literal(true),
  },
  {
    title: 'Deleted',
    examples: [{ object: 'record', id: '0198c0de-0000-7000-8000-0000000000d1', deleted: true }],
  },
)
