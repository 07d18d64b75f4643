import Type from 'typebox'
import { PAGE_PARAMETERS } from '../http/route/page.ts'
import { Text, TextOrNull, Timestamp, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { DescribedAuditEntry } from './audit-queries.ts'

export const AuditEntryAnswer = Type.Object(
  {
    object: Type.Literal('audit_entry'),
    id: Uuid,
    actor: Type.Object({
      type: Text('`key`: an API key. `user`: a person. `operator`: the command line.'),
      id: TextOrNull('Id of the key or user.'),
      name: TextOrNull('Name of the key or user. Null if it was deleted.'),
    }),
    action: Text('Action: `templates.publish`, `api-keys.create`, ...'),
    target_id: TextOrNull('Id of the changed record. Null if there were several.'),
    fields: Type.Array(Type.String(), {
      description: 'Names of the fields in the request. Values are not stored.',
    }),
    ip_address: TextOrNull('IP address of the client.'),
    user_agent: TextOrNull('User agent of the client.'),
    request_id: TextOrNull('The `x-request-id` of the response.'),
    created_at: Timestamp,
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        object: 'audit_entry',
        id: '0198c0de-0000-7000-8000-0000000000b1',
        actor: { type: 'key', id: '0198c0de-0000-7000-8000-0000000000b2', name: 'Shop backend' },
        action: 'templates.publish',
        target_id: '0198c0de-0000-7000-8000-0000000000b3',
        fields: [],
        ip_address: '203.0.113.9',
        user_agent: 'curl/8.5.0',
        request_id: '0198c0de-0000-7000-8000-0000000000b4',
        created_at: '2026-01-15 09:30:00',
      },
    ],
  },
)

export const AuditQuery = Type.Object({
  ...PAGE_PARAMETERS,
  actor_id: Type.Optional(Type.String({ format: 'uuid', description: 'Changes by this key or user.' })),
  target_id: Type.Optional(Type.String({ format: 'uuid', description: 'Changes of this record.' })),
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'An action, or a prefix that ends with a dot: `templates.`.',
    }),
  ),
  start_date: Type.Optional(
    Type.String({ description: 'Entries at or after this ISO 8601 date or timestamp.' }),
  ),
  end_date: Type.Optional(
    Type.String({ description: 'Entries before this time. A date includes the whole day.' }),
  ),
})

export function entryToJson(entry: DescribedAuditEntry) {
  return {
    object: 'audit_entry',
    id: entry.id,
    actor: { type: entry.actorKind, id: entry.actorId, name: entry.actorName },
    action: entry.action,
    target_id: entry.targetId,
    fields: entry.fields,
    ip_address: entry.ipAddress,
    user_agent: entry.userAgent,
    request_id: entry.requestId,
    created_at: formatTime(entry.createdAt),
  }
}
