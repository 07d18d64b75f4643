import Type from 'typebox'
import { EXAMPLES } from '../events/example-values.ts'
import { IdOrNull, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { ApiKey } from './keys-queries.ts'

const fields = {
  object: Type.Literal('api_key'),
  id: Uuid,
  name: Type.String({ description: 'Name of the key.' }),
  permission: Type.Enum(['full', 'send']),
  domain_id: Type.Union([Uuid, Type.Null()]),
  status: Type.Enum(['active', 'expired', 'revoked']),
  prefix: Type.String({ description: 'How the key begins.' }),
  expires_at: TimestampOrNull,
  last_used_at: TimestampOrNull,
  created_at: Timestamp,
}

export const KeyRecord = Type.Object(fields, { title: 'ApiKey', examples: [EXAMPLES.apiKey] })
export const NewKeyRecord = Type.Object(
  {
    ...fields,
    token: Type.String({ description: 'The key itself. Returned only in this response.' }),
  },
  { title: 'ApiKeyWithToken', 'x-extends': 'ApiKey', examples: [EXAMPLES.newApiKey] },
)

const changeable = {
  permission: Type.Optional(
    Type.Enum(['full', 'send', 'full_access', 'sending_access'], {
      description:
        '`send` allows only `POST /emails*` and `GET /emails/{id}`. `full_access` and `sending_access` are aliases of `full` and `send`.',
      default: 'full',
    }),
  ),
  domain_id: Type.Optional(IdOrNull('Limits the key to this domain.')),
  expires_at: Type.Optional(
    TextOrNull('When the key expires: a future ISO 8601 time, in UTC unless it has an offset.'),
  ),
}
const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the key.',
})
export const KeyChanges = Type.Object(
  { name: Type.Optional(Name), ...changeable },
  { examples: [{ name: 'Shop backend, new' }] },
)
export const NewKey = Type.Object(
  { name: Name, ...changeable },
  { examples: [{ name: 'Shop backend', permission: 'send' }] },
)

export function keyToJson(key: ApiKey, now: Date) {
  return {
    object: 'api_key',
    id: key.id,
    name: key.name,
    permission: key.permission,
    domain_id: key.domainId,
    status: statusOf(key, now),
    prefix: key.prefix,
    expires_at: formatTime(key.expiresAt),
    last_used_at: formatTime(key.lastUsedAt),
    created_at: formatTime(key.createdAt),
  }
}

function statusOf(key: ApiKey, now: Date): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt.getTime() <= now.getTime() ? 'expired' : 'active'
}
