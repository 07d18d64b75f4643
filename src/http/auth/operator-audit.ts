import type { AuditEntry } from '../../access/audit-queries.ts'
import { auditedDb } from '../../access/audited-db.ts'
import type { Db } from '../../db/db.ts'
import { newId } from '../../lib/ids.ts'
import type { Request } from '../route.ts'

type Asking = Pick<Request<unknown, unknown, unknown>, 'id' | 'session' | 'services'>

/**
 * What a team's audit log says of an operator's change: that it was one, and which user where it was one. Where operators
 * sit and what they use is not the team's business.
 */
export function operatorEntry(
  { id, session, services }: Asking,
  change: { teamId: string; action: string; fields?: readonly string[] },
): AuditEntry {
  const now = services.clock.now()
  return {
    teamId: change.teamId,
    id: newId(now.getTime()),
    actorKind: 'operator',
    actorId: session?.userId ?? null,
    action: change.action,
    targetId: change.teamId,
    fields: change.fields ?? [],
    ipAddress: null,
    userAgent: null,
    requestId: id,
    createdAt: now,
  }
}

/** The database, whose changes are written to the audit log of the team. */
export function dbOfOperator(
  request: Asking,
  change: { teamId: string; action: string; fields?: readonly string[] },
): Db {
  return auditedDb(request.services.db, operatorEntry(request, change))
}
