import { browserOf } from '../http/route/browser-of.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import type { Audited, Reply, Request, Route } from '../http/route/route.ts'
import { isUuid, newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { type AuditEntry, setAuditTarget } from './audit-queries.ts'
import { auditedTransactions } from './audited-transactions.ts'

/** The dependencies of the audit log. */
interface AuditDeps extends Pick<ResourceDeps, 'db' | 'clock'> {
  log: Log
}

/** Returns the routes; handlers of those with an action receive the audited transactions of their request. */
export function auditedRoutes<Deps extends AuditDeps>(routes: readonly Route<Deps>[]): Route<Deps>[] {
  return routes.map(audited)
}

function audited<Deps extends AuditDeps>(route: Route<Deps>): Route<Deps> {
  const { action } = route
  if (action === undefined) return route
  return {
    ...route,
    async handle(request) {
      const entry = entryOf({ ...route, action }, request)
      const transactions = auditedTransactions(request.deps.db, entry)
      const auditedRequest: typeof request & Audited = { ...request, audited: transactions }
      const reply = await route.handle(auditedRequest)
      const target = transactions.isWritten() && entry.targetId === null ? targetOf(reply) : null
      if (target !== null) await addTarget(request, entry, target)
      return reply
    },
  }
}

/** Adds the target to an audit entry. A failure does not affect the change or its response. */
async function addTarget(
  { deps: { db, log } }: Request<unknown, unknown, unknown, AuditDeps>,
  entry: AuditEntry,
  target: string,
): Promise<void> {
  try {
    await setAuditTarget(db, entry, target)
  } catch (error) {
    log.warn({ err: error, request_id: entry.requestId }, 'the target of an audit entry could not be saved')
  }
}

function entryOf(
  route: Route & { action: string },
  request: Request<unknown, unknown, unknown, AuditDeps>,
): AuditEntry {
  const { caller, body, params } = request
  const now = request.deps.clock.now()
  const { id } = (params ?? {}) as { id?: string }
  return {
    teamId: caller.teamId,
    id: newId(now.getTime()),
    actorKind: caller.user === null ? 'key' : 'user',
    actorId: caller.user?.id ?? caller.keyId,
    action: route.action,
    targetId: id !== undefined && isUuid(id) ? id.toLowerCase() : null,
    fields: fieldsOf(route, body),
    ...browserOf(request),
    requestId: request.id,
    createdAt: now,
  }
}

/** Returns the fields of a body that the route defines. Any other name is the caller's own text. */
function fieldsOf({ body: shape }: Route, body: unknown): string[] {
  if (typeof body !== 'object' || body === null || shape === undefined) return []
  const { properties = {} } = shape as { properties?: object }
  return Object.keys(properties).filter((name) => Object.hasOwn(body, name))
}

/** Returns the id of the created record, or of the contact that the request named by its address. */
function targetOf({ json }: Reply): string | null {
  const { id, contact } = (json ?? {}) as { id?: unknown; contact?: unknown }
  const target = [id, contact].find((value) => typeof value === 'string' && isUuid(value))
  return target === undefined ? null : String(target)
}
