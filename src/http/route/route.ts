import type { Static, TSchema } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import type { Area } from '../../access/permissions.ts'
import type { Bucket } from '../../access/plans.ts'
import type { Role } from '../../access/roles.ts'
import type { LoggedIn } from '../../access/session-access.ts'
import type { Db, Transactions } from '../../db/db-types.ts'

/** @typeParam Deps the dependencies of the handler, which the application supplies (`routesOf`) */
export interface Request<P, Q, B, Deps = unknown> {
  /** The x-request-id of the response. */
  id: string
  caller: Caller
  /** The session of the user, or null for requests with an API key, with the operator's token, or without either. */
  session: LoggedIn | null
  params: P
  query: Q
  body: B
  /** The hash of a large body, for idempotency; null: the handler computes it from `body`. */
  bodyHash: Uint8Array | null
  method: string
  /** The client's address, for records (client-address.ts). */
  ipAddress: string
  /** Names are in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as it arrives, on routes with `upload`; empty elsewhere. */
  upload: AsyncIterable<Buffer>
  deps: Deps
  /** Returns a signal that aborts when the response is sent or its connection closes. */
  closeSignal(): AbortSignal
  /** Returns the current caller during a long response. Throws ApiError once the key no longer has the permission. */
  reauthenticate(): Promise<Caller>
}

/** Requests of routes with an `action`. */
export interface Audited {
  /**
   * Opens the transactions in which the handler changes something. The first one that commits writes the audit entry, unless
   * its work resolves to null or false because nothing changed.
   */
  audited: Transactions
}

/** Returns dependencies that read as before and write in the transactions of the audited request. */
export function withAudit<Deps extends { db: Db }>(deps: Deps, audited: Transactions): Deps {
  return { ...deps, db: { ...deps.db, ...audited } }
}

/** A body that is read as it arrives and never held in memory as a whole. */
export interface Upload {
  /** The only accepted media type. */
  type: string
  bytesMax: number
  description: string
  example: string
}

export interface Reply {
  status: number
  /** A value to send as JSON, or bytes with `type`. */
  json?: unknown
  /** The octets of the JSON, if a thread has already written them. */
  jsonPieces?: readonly Buffer[]
  bytes?: Buffer | readonly Buffer[] | string
  /** Text with `type` that is generated as fast as the client reads it, and no further once the client disconnects. */
  chunks?: AsyncIterable<string>
  /** How long a client may read no chunks before it is disconnected. */
  stallMs?: number
  type?: string
  /** Whether the request log records the requests that the handler made through the server, instead of this one. */
  isLoggedInside?: boolean
  /** Several values become several fields. */
  headers?: Record<string, string | string[]>
}

/**
 * A route is data: the server, the OpenAPI document, the docs and the tests read the same table. A server runs the
 * routes whose dependencies it has. Code that only reads the table accepts any `Route`.
 */
export interface Route<Deps = never> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In Fastify's form, for example `/emails/:id`. */
  path: string
  /** The name of the function in generated clients: `sendEmail`. Default: derived from method and path. */
  operationId?: string
  summary: string
  description?: string
  /** The original of an alias, which new code should call. The document marks the alias as deprecated. */
  aliasOf?: Pick<Route, 'method' | 'path'> & Partial<Route>
  /** What the route is about: decides the minimum role of sessions, and its tag in the document. */
  area: Area
  /**
   * The required permission.
   * - `public`: no key, no team, a rate limit by network.
   * - `operator`: the token of the installation or an operator's session, no team.
   * - `send`, `full`: API keys with this permission, and sessions by their role (access/permissions.ts).
   * - `member`: sessions by their role, no keys.
   * - `user`: any logged-in user, no team.
   */
  permission: 'public' | 'operator' | 'send' | 'full' | 'member' | 'user'
  /** The minimum role of a session, if it differs from that of the area (access/permissions.ts). */
  role?: Role
  /** A public route that logs users in. Other sites must not be able to call it in a visitor's browser. */
  isOwnSiteOnly?: true
  /** The counter for the rate limit (LIM-3 to LIM-5). Default: `general`. */
  limit?: Bucket
  /** Invalid values return 404: an id that cannot exist is like one that does not. */
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** The model that the body extends in the document: `UpdateTemplateRequest` (docs/openapi-extend.ts). */
  bodyExtends?: string
  /** The schema to check before the handler, if the handler validates the rest itself. */
  bodyCheck?: TSchema
  /**
   * The action in the audit log, for example `templates.publish`. Every route that changes a team's data has one
   * (audit/audited-routes.ts).
   */
  action?: string
  /** Marks a POST that only reads, and therefore does not appear in the audit log. */
  changesNothing?: true
  /** Accepts a body of any type, such as a form. The handler receives its bytes, or the value of JSON. */
  takesAnyBody?: true
  /** The body may contain Buffers in the JSON form of Node.js. Each `data` is read into a Uint8Array. */
  hasBuffers?: true
  /** Replaces `body`. */
  upload?: Upload
  /** Request headers that the route reads, for the document. */
  headers?: Record<string, string>
  /** The limit on the body, in bytes. Default: 1 MiB. */
  bodyBytesMax?: number
  /** Additional media types of a 200 that `Accept` may request. */
  alsoAs?: Record<string, { description: string; example: string }>
  /** Successful responses by status. The OpenAPI document adds the errors, which are the same everywhere. */
  responses: Record<number, { description: string; schema?: TSchema; type?: string; example?: unknown }>
  /** A property, not a method, so that a route that needs more than the server supplies does not compile. */
  handle: (request: Request<unknown, unknown, unknown, Deps>) => Promise<Reply>
}

/** Returns whether the route reads an Idempotency-Key. */
export function takesIdempotencyKey({ headers = {} }: Pick<Route, 'headers'>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key')
}

type Schema = TSchema | undefined
type Given<S> = S extends TSchema ? Static<S> : Record<string, never>

type Action = string | undefined
type AuditedBy<A> = A extends string ? Audited : unknown

interface Spec<P extends Schema, Q extends Schema, B extends Schema, A extends Action, Deps, More = unknown>
  extends Omit<Route, 'method' | 'path' | 'params' | 'query' | 'body' | 'action' | 'handle'> {
  params?: P
  query?: Q
  body?: B
  action?: A
  handle(request: Request<Given<P>, Given<Q>, Given<B>, Deps> & AuditedBy<A> & More): Promise<Reply>
}

/** Returns the constructors of routes whose handlers receive `deps` of this type. */
export function routesOf<Deps>() {
  /** Connects the schemas of a route to the types in its handler. */
  function route<
    P extends Schema = undefined,
    Q extends Schema = undefined,
    B extends Schema = undefined,
    A extends Action = undefined,
  >(method: Route['method'], path: string, spec: Spec<P, Q, B, A, Deps>): Route<Deps> {
    return { method, path, ...spec } as unknown as Route<Deps>
  }

  /** The same for routes of logged-in users, whose handlers always have a session. */
  function sessionRoute<
    P extends Schema = undefined,
    Q extends Schema = undefined,
    B extends Schema = undefined,
    A extends Action = undefined,
  >(
    method: Route['method'],
    path: string,
    spec: Spec<P, Q, B, A, Deps, { session: LoggedIn }> & { permission: 'user' | 'member' },
  ): Route<Deps> {
    return { method, path, ...spec } as unknown as Route<Deps>
  }

  return { route, sessionRoute }
}

/** Creates routes whose handlers need only the request. */
export const { route } = routesOf<unknown>()

/** Returns an alias of a route with another method or path. The document marks it as deprecated. */
export function aliasOf<Deps>(
  original: Route<Deps>,
  change: { method?: Route['method']; path?: string; operationId?: string; action?: string },
): Route<Deps> {
  const { method = original.method } = change
  const operationId = `${original.operationId}With${method.charAt(0)}${method.slice(1).toLowerCase()}`
  return { ...original, operationId, ...change, aliasOf: original }
}
