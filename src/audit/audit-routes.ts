import type { Static } from 'typebox'
import { readDate } from '../http/route/date-query.ts'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import type { Route } from '../http/route/route.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { AUDIT_COUNTER, type AuditFilter, countAudit, listAudit } from './audit-queries.ts'
import { AuditEntryAnswer, AuditQuery, entryToJson } from './audit-schemas.ts'

const entries = new Resource('/audit', 'audit_entry', {
  area: 'auditLog',
  permission: 'full',
  noun: 'entry',
  schema: AuditEntryAnswer,
  toJson: entryToJson,
})

const getAudit = entries.list('listAuditEntries', 'List audit entries', {
  description:
    'Newest first: every change by an API key, a user, or the command line, kept for a year. Sending is not included: emails and events record it.',
  query: AuditQuery,
  response: 'A page of audit entries.',
  async read(db, teamId, page, { query }) {
    const filter = readFilter(query)
    const entries = await listAudit(db, teamId, filter, page)
    return { ...entries, total: await countAudit(db, teamId, filter) }
  },
  counter: AUDIT_COUNTER,
})

function readFilter(query: Static<typeof AuditQuery>): AuditFilter {
  const { actor_id: actorId, target_id: targetId, action, start_date: start, end_date: end } = query
  return omitUndefined({
    actorId,
    targetId,
    action,
    from: start === undefined ? undefined : readDate('start_date', start, false),
    to: end === undefined ? undefined : readDate('end_date', end, true),
  })
}

export const auditRoutes: readonly Route<ResourceDeps>[] = [getAudit]
