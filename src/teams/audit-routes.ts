import Type from 'typebox'
import {
  AUDIT_COUNTER,
  type AuditFilter,
  countAudit,
  type DescribedAuditEntry,
  listAudit,
} from '../access/audit-queries.ts'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import type { Db } from '../db/db-types.ts'
import { readDate } from '../http/date-query.ts'
import { listOf, listToJson, PAGE_PARAMETERS, readPage } from '../http/page.ts'
import { type Route, routesOf } from '../http/route.ts'
import { Text, TextOrNull, Timestamp, Uuid } from '../http/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'

interface Deps {
  config: Config
  lists: Db
}

const { route } = routesOf<Deps>()

export const AuditEntryAnswer = Type.Object(
  {
    object: Type.Literal('audit_entry'),
    id: Uuid,
    actor: Type.Object({
      type: Text('`key`: an API key. `user`: a person. `operator`: the command line.'),
      id: TextOrNull('Of the key or user.'),
      name: TextOrNull('Of the key or user; null where it is gone.'),
    }),
    action: Text('What was done: `templates.publish`, `api-keys.create`, ...'),
    target_id: TextOrNull('What it was done to; null where it was about many.'),
    fields: Type.Array(Type.String(), {
      description: 'Names of the fields that the request gave. Values are not kept.',
    }),
    ip_address: TextOrNull('The IP address of the request.'),
    user_agent: TextOrNull('What the program called itself.'),
    request_id: TextOrNull('The x-request-id of its answer.'),
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

const AuditQuery = Type.Object({
  ...PAGE_PARAMETERS,
  actor_id: Type.Optional(Type.String({ format: 'uuid', description: 'Changes by this key or user.' })),
  target_id: Type.Optional(Type.String({ format: 'uuid', description: 'Changes of this record.' })),
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'A whole action, or its beginning with a dot at the end: `templates.`.',
    }),
  ),
  start_date: Type.Optional(Type.String({ description: 'At or after: ISO 8601 date or timestamp.' })),
  end_date: Type.Optional(Type.String({ description: 'Before; a date alone is included whole.' })),
})

const getAudit = route('GET', '/audit', {
  tag: 'Audit log',
  permission: 'full',
  limit: 'general',
  operationId: 'listAuditEntries',
  summary: 'List audit entries',
  description:
    'Newest first: every change by an API key, a person, or the command line, written in the same transaction and kept for a year. Sending is not included; emails and events record it. With a filter, `meta.total` counts up to 10,000.',
  query: AuditQuery,
  responses: { 200: { description: 'A page of suppressions.', schema: listOf(AuditEntryAnswer) } },
  async handle({ caller: { teamId }, query, deps: { lists, config } }) {
    const page = readPage(query)
    const filter = readFilter(query)
    const { rows, hasMore } = await listAudit(lists, teamId, filter, page)
    const total =
      (await countAudit(lists, teamId, filter)) ?? (await readCounter(lists, teamId, AUDIT_COUNTER))
    const list = { publicUrl: config.publicUrl, path: '/audit', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data: rows.map(entryToJson) }) }
  },
})

function readFilter(query: {
  actor_id?: string
  target_id?: string
  action?: string
  start_date?: string
  end_date?: string
}): AuditFilter {
  const { actor_id: actorId, target_id: targetId, action, start_date: start, end_date: end } = query
  return {
    ...(actorId === undefined ? {} : { actorId }),
    ...(targetId === undefined ? {} : { targetId }),
    ...(action === undefined ? {} : { action }),
    ...(start === undefined ? {} : { from: readDate('start_date', start, false) }),
    ...(end === undefined ? {} : { to: readDate('end_date', end, true) }),
  }
}

function entryToJson(entry: DescribedAuditEntry) {
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

export const auditRoutes: readonly Route<Deps>[] = [getAudit]
