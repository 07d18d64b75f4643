import { type AuditEntry, setAuditTarget } from '../../access/audit-queries.ts'
import { auditedDb } from '../../access/audited-db.ts'
import type { Db } from '../../db/db.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { browserOf } from '../browser-of.ts'
import type { Reply, Request, Route } from '../route.ts'

/** What keeping the audit log takes. */
export interface AuditDeps {
  db: Db
  clock: Clock
  log: Log
}

/** Whether requests to a route are kept in the audit log: all that change something, but for sending, which has its emails. */
export function isAudited({ method, permission, limit, changesNothing }: Route): boolean {
  return (
    method !== 'GET' &&
    permission !== 'public' &&
    permission !== 'operator' &&
    permission !== 'user' &&
    limit !== 'send' &&
    !changesNothing
  )
}

/** The route with a handler whose changes are written down in the transactions that make them. */
export function audited<Deps extends AuditDeps>(route: Route<Deps>): Route<Deps> {
  if (!isAudited(route)) return route
  return {
    ...route,
    async handle(request) {
      const entry = entryOf(route, request)
      const db = auditedDb(request.deps.db, entry)
      const reply = await route.handle({ ...request, deps: { ...request.deps, db } })
      const target = db.isWritten() && entry.targetId === null ? targetOf(reply) : null
      if (target !== null) await addTarget(request, entry, target)
      return reply
    },
  }
}

/** The change is made and answered as it is, whatever becomes of this. */
async function addTarget(
  { deps: { db, log } }: Request<unknown, unknown, unknown, AuditDeps>,
  entry: AuditEntry,
  target: string,
): Promise<void> {
  try {
    await setAuditTarget(db, entry, target)
  } catch (error) {
    log.warn({ err: error, request_id: entry.requestId }, 'an audit entry is without its target')
  }
}

function entryOf(route: Route, request: Request<unknown, unknown, unknown, AuditDeps>): AuditEntry {
  const { caller, body, params } = request
  const now = request.deps.clock.now()
  const { id } = (params ?? {}) as { id?: string }
  return {
    teamId: caller.teamId,
    id: newId(now.getTime()),
    actorKind: caller.user === null ? 'key' : 'user',
    actorId: caller.user?.id ?? caller.keyId,
    action: actionOf(route),
    targetId: id !== undefined && isUuid(id) ? id.toLowerCase() : null,
    fields: fieldsOf(route, body),
    ...browserOf(request),
    requestId: request.id,
    createdAt: now,
  }
}

/** Of what the route knows: any other name is the caller's own text. */
function fieldsOf({ body: shape }: Route, body: unknown): string[] {
  if (typeof body !== 'object' || body === null || shape === undefined) return []
  const { properties = {} } = shape as { properties?: object }
  return Object.keys(properties).filter((name) => Object.hasOwn(body, name))
}

/** The id of what was made, or of what was named by its address. */
function targetOf({ json }: Reply): string | null {
  const { id, contact } = (json ?? {}) as { id?: unknown; contact?: unknown }
  const found = [id, contact].find((value) => typeof value === 'string' && isUuid(value))
  return found === undefined ? null : String(found)
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * What a route does, in a word: `templates.create`, `templates.publish`, `contacts.lists.delete`. The last part of a POST
 * below a record, or below a word like `batch`, is a verb already.
 */
export function actionOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const parts = path.split('/').slice(1)
  const words = parts.filter((part) => !part.startsWith(':'))
  const last = words.at(-1) ?? ''
  const isVerb = method === 'POST' && words.length > 1 && !NOUNS.has(last) && !parts.at(-1)?.startsWith(':')
  return isVerb ? words.join('.') : [...words, VERBS[method] ?? method.toLowerCase()].join('.')
}

/** What is added to below another. */
const NOUNS = new Set(['lists', 'invitations'])
