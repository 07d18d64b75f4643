import type { Db, Transactions } from '../db/db-types.ts'
import type { Request } from '../http/route/route.ts'
import { newId } from '../lib/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { AuditEntry } from './audit-queries.ts'
import { auditedTransactions } from './audited-transactions.ts'

type OperatorRequest<Deps> = Pick<Request<unknown, unknown, unknown, Deps>, 'id' | 'session' | 'deps'>

/**
 * Returns the team's audit entry for an operator's change. It contains the id of the user, if the operator is one,
 * but no IP address or user agent.
 */
export function operatorEntry(
  { id, session, deps }: OperatorRequest<{ clock: Clock }>,
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

/** Returns transactions that also write an operator's change to the audit log of the team. */
export function auditedByOperator(
  request: OperatorRequest<{ db: Db; clock: Clock }>,
  change: { teamId: string; action: string; fields?: readonly string[] },
): Transactions {
  return auditedTransactions(request.deps.db, operatorEntry(request, change))
}
