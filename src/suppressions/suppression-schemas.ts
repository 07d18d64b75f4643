import Type from 'typebox'
import { ADDRESS_CHARS_MAX, IdOrNull, Timestamp, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { Suppression } from './suppressions-queries.ts'

const EXAMPLE = {
  object: 'suppression',
  id: '0198c0de-0000-7000-8000-000000000051',
  email: 'ann@customer.example',
  reason: 'manual',
  origin: 'manual',
  source_email_id: null,
  source_id: null,
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}

/** The reasons for suppressing an address. */
export const REASONS = ['manual', 'bounce', 'complaint'] as const
export const Reason = Type.Enum([...REASONS])

export const SuppressionEntry = Type.Object(
  {
    object: Type.Literal('suppression'),
    id: Uuid,
    email: Type.String({ description: 'Address in lower case, with the domain in A-labels.' }),
    reason: Type.Union([Reason, Type.Null()], {
      description: '`manual`: by a request. `bounce`, `complaint`: automatically. Null: unknown.',
    }),
    origin: Type.Union([Reason, Type.Null()], { description: 'Alias of `reason`.' }),
    source_email_id: IdOrNull('Email that bounced or caused the complaint.'),
    source_id: IdOrNull('Alias of `source_email_id`.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Suppression', examples: [EXAMPLE] },
)

const Address = Type.String({
  minLength: 1,
  maxLength: ADDRESS_CHARS_MAX,
  description: 'An address without a display name, case-insensitive.',
})

export const SuppressionInput = Type.Object(
  { email: Address },
  { examples: [{ email: 'ann@customer.example' }] },
)

export const SuppressionChange = Type.Object(
  {
    reason: Type.Optional(
      Type.Union([...REASONS.map((reason) => Type.Literal(reason)), Type.Null()], {
        description: 'New reason. Null: unknown.',
      }),
    ),
  },
  { examples: [{ reason: 'complaint' }] },
)

const BATCH_MAX = 1_000
const EMAILS = ['ann@customer.example', 'bob@customer.example']
const Emails = Type.Array(Address, {
  minItems: 1,
  maxItems: BATCH_MAX,
  description: 'Addresses. Either all are processed or none.',
})

export const SuppressionBatch = Type.Object({ emails: Emails }, { examples: [{ emails: EMAILS }] })

export const SuppressionBatchRemoval = Type.Object(
  {
    emails: Type.Optional(Emails),
    ids: Type.Optional(
      Type.Array(Uuid, {
        minItems: 1,
        maxItems: BATCH_MAX,
        description: 'Ids of suppressions, instead of `emails`.',
      }),
    ),
  },
  { examples: [{ emails: EMAILS }] },
)

/** Every entry of a batch in one list, without pages. */
export const SuppressionsAdded = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(SuppressionEntry, {
      description: 'One suppression per address, in the order of the request.',
    }),
  },
  { title: 'SuppressionsAdded' },
)

export const SuppressionsRemoved = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(
      Type.Object({
        object: Type.Literal('suppression'),
        id: Uuid,
        email: Type.String({ description: 'Address.' }),
        deleted: Type.Literal(true),
      }),
      { description: 'Removed suppressions.' },
    ),
  },
  {
    title: 'SuppressionsRemoved',
    examples: [
      {
        object: 'list',
        data: [{ object: 'suppression', id: EXAMPLE.id, email: EXAMPLE.email, deleted: true }],
      },
    ],
  },
)

export function suppressionToJson(entry: Suppression) {
  return {
    object: 'suppression',
    id: entry.id,
    email: entry.email,
    reason: entry.reason,
    origin: entry.reason,
    source_email_id: entry.sourceEmailId,
    source_id: entry.sourceEmailId,
    created_at: formatTime(entry.createdAt),
    updated_at: formatTime(entry.updatedAt),
  }
}
