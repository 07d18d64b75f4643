import Type from 'typebox'
import { ADDRESS_OCTETS_MAX } from '../mime/address.ts'

/** An address has no more characters than octets. */
export const ADDRESS_CHARS_MAX = ADDRESS_OCTETS_MAX

/** Pieces of schemas that many routes share. */
export const Uuid = Type.String({ format: 'uuid' })

export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: 'UTC, `YYYY-MM-DD HH:MM:SS`.',
  title: 'Timestamp',
  examples: ['2026-01-15 09:30:00'],
})

export const TimestampOrNull = Type.Union([Timestamp, Type.Null()], { title: 'TimestampOrNull' })

/** A text in a response. */
export const Text = (description: string) => Type.String({ description })
export const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
export const IntegerOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })

/** How the installation delivers. */
export const DeliveryKind = Type.Enum(['capture', 'direct', 'relay'], {
  title: 'DeliveryMode',
  description:
    '`direct`: to the MX hosts of each recipient. `relay`: to one relay. `capture`: messages are stored, not sent.',
})

/** An id in a path. A value that is not a UUID gives 404. */
export const IdParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the record.' }),
})

export const Deleted = Type.Object(
  {
    object: Type.String({ description: 'The type of the deleted record.' }),
    id: Uuid,
    deleted: Type.Literal(true),
  },
  {
    title: 'Deleted',
    examples: [{ object: 'record', id: '0198c0de-0000-7000-8000-0000000000d1', deleted: true }],
  },
)
