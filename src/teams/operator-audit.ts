import type { AuditEntry } from '../access/audit-queries.ts'
import { auditedTransactions } from '../access/audited-transactions.ts'
import type { Db, Transactions } from '../db/db-types.ts'
import type { Request } from '../http/route.ts'
import { newId } from '../lib/ids.ts'
import type { Clock } from '../lib/time/clock.ts'

type Asking<Deps> = Pick<Request<unknown, unknown, unknown, Deps>, 'id' | 'session' | 'deps'>

/**
 * What a team's audit log says of an operator's change: that it was one, and which user where it was one. Where operators
 * sit and what they use is not the team's business.
 */
export function operatorEntry(
  { id, session, deps }: Asking<{ clock: Clock }>,
  change: { teamId: string; action: string; fields?: readonly string[] },
): AuditEntry {
  const now = deps.clock.now()
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

/** Opens the transactions of an operator's change, which write the entry in the audit log of the team. */
export function auditedByOperator(
  request: Asking<{ db: Db; clock: Clock }>,
  change: { teamId: string; action: string; fields?: readonly string[] },
): Transactions {
  return auditedTransactions(request.deps.db, operatorEntry(request, change))
}
