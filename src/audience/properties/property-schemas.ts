import Type, { type Static } from 'typebox'
import { TextOrNull, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { Property } from './properties-queries.ts'

const EXAMPLE = {
  object: 'property',
  id: '0198c0de-0000-7000-8000-0000000000a1',
  key: 'plan',
  type: 'string',
  fallback_value: 'free',
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}

export const PropertyTypeName = Type.Enum(['string', 'number', 'date'], {
  title: 'PropertyType',
  description: 'Type of the values. It never changes.',
})

const FIELDS = {
  id: Uuid,
  key: Type.String({ description: 'Key as entered.' }),
  type: PropertyTypeName,
}
const TIMES = { created_at: Timestamp, updated_at: Timestamp }
const FALLBACK_RULE = 'Used if a contact has no value for this property.'

export const PropertyAnswer = Type.Object(
  {
    object: Type.Literal('property'),
    ...FIELDS,
    fallback_value: TextOrNull(FALLBACK_RULE),
    ...TIMES,
  },
  { title: 'Property', examples: [EXAMPLE] },
)

/** A property in the form of the Resend SDK. */
export const ContactPropertyAnswer = Type.Object(
  {
    object: Type.Literal('contact_property'),
    ...FIELDS,
    fallback_value: Type.Union([Type.String(), Type.Number(), Type.Null()], {
      description: `${FALLBACK_RULE} A number for the type \`number\`.`,
    }),
    ...TIMES,
  },
  { title: 'ContactProperty', examples: [{ ...EXAMPLE, object: 'contact_property' }] },
)

export const Key = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^\\s*[A-Za-z][A-Za-z0-9_]*\\s*$',
  description: 'A letter, then letters, digits, and `_`. Unique, ignoring case.',
})
const FALLBACK_TEXT = Type.String({ maxLength: 1000 })
const FALLBACK_INPUT = 'Used if a contact has no value. It must fit the type, and is stored as text.'
export const Fallback = Type.Union([FALLBACK_TEXT, Type.Null()], { description: FALLBACK_INPUT })
/** The Resend SDK sends the fallback of a number as a number. */
export const NumericFallback = Type.Union([FALLBACK_TEXT, Type.Number(), Type.Null()], {
  description: `${FALLBACK_INPUT} The type \`number\` also takes a number.`,
})

export function propertyToJson(property: Property): Static<typeof PropertyAnswer> {
  return {
    object: 'property',
    id: property.id,
    key: property.key,
    type: property.type,
    fallback_value: property.fallbackValue,
    created_at: formatTime(property.createdAt),
    updated_at: formatTime(property.updatedAt),
  }
}

export function resendPropertyToJson(property: Property): Static<typeof ContactPropertyAnswer> {
  const { fallback_value: fallback, ...fields } = propertyToJson(property)
  return {
    ...fields,
    object: 'contact_property',
    fallback_value: property.type === 'number' && fallback !== null ? Number(fallback) : fallback,
  }
}
