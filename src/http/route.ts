import type { Static, TSchema } from 'typebox'
import type { Caller } from '../access/authenticate.ts'
import type { Bucket } from '../access/plans.ts'
import type { Role } from '../access/roles.ts'
import type { LoggedIn } from '../access/session-access.ts'
import type { Transactions } from '../db/db-types.ts'

/** @typeParam Deps What the handler works with: the application supplies it (`routesOf`). */
export interface Request<P, Q, B, Deps = unknown> {
  /** The x-request-id of the answer. */
  id: string
  caller: Caller
  /** The person who asks by a session; null: a key asks, the operator's token, or nobody known. */
  session: LoggedIn | null
  params: P
  query: Q
  body: B
  /** The hash of a large body, for idempotency; null: the handler computes it from `body`. */
  bodyHash: Uint8Array | null
  method: string
  /** Where it came from, for records (client-address.ts). */
  ipAddress: string
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as it arrives, on routes with `upload`; nothing elsewhere. */
  upload: AsyncIterable<Buffer>
  deps: Deps
  /** Aborts when the answer is sent, or its connection is gone: nobody waits for it any more. */
  untilGone(): AbortSignal
  /** For answers that last: who asks, as of now. Throws ApiError once the key may not ask this any more. */
  askAgain(): Promise<Caller>
}

/** Requests of routes with an `action`. */
export interface Audited {
  /**
   * Opens the transactions in which the handler changes something. The first one that commits writes the audit entry, unless
   * its work resolves to null or false because nothing changed.
   */
  audited: Transactions
}

/** A body that is read as it arrives, and never held whole. */
export interface Upload {
  /** The one media type that is taken. */
  type: string
  bytesMax: number
  description: string
  example: string
}

export interface Reply {
  status: number
  /** A value to send as JSON, or bytes with `type`. */
  json?: unknown
  /** The octets of the JSON, when a thread has already written them. */
  jsonPieces?: readonly Buffer[]
  bytes?: Buffer | string
  /** Text with `type` that is made as fast as the client takes it, and no further once it has gone. */
  chunks?: AsyncIterable<string>
  /** A client that takes nothing of the chunks for so long is let go. */
  stallMs?: number
  type?: string
  headers?: Record<string, string>
}

/**
 * A route is data: the server, the OpenAPI document, the docs and the tests read the same table. A server runs the routes
 * whose dependencies it has; whoever only reads the table takes any `Route`.
 */
export interface Route<Deps = never> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Fastify's form, for example `/emails/:id`. */
  path: string
  /** The name of the function in generated clients: `sendEmail`. Default: made from method and path. */
  operationId?: string
  summary: string
  description?: string
  /** The route that does the same and that new code should call; the document marks this one deprecated. */
  aliasOf?: Route
  /** The resource that it is listed under. */
  tag: string
  /**
   * `public`: no key, no team, no counter. `operator`: the token of the installation or an operator's session, no team.
   * `send`, `full`: keys that may, and sessions by their role (access/permissions.ts). `member`: the same, but no key. `user`:
   * whoever is logged in, no team.
   */
  permission: 'public' | 'operator' | 'send' | 'full' | 'member' | 'user'
  /** The least role of a session, where it is not that of the area (access/permissions.ts). */
  role?: Role
  /** A public route that logs people in: other sites must not be able to do so with a visitor's browser. */
  isOwnSiteOnly?: true
  /** Which counter a request goes to (LIM-3 to LIM-5). */
  limit: Bucket
  /** What does not fit answers 404: an id that cannot exist looks like one that does not. */
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** What of the body is judged before the handler; set where the handler judges the rest itself. */
  bodyCheck?: TSchema
  /** The action in the audit log, `templates.publish`. Every route that changes something of a team has one (audit.ts). */
  action?: string
  /** A POST that only asks: it is in no audit log. */
  changesNothing?: true
  /** Accepts a body of any type, such as a form. The handler receives its bytes, or the value of JSON. */
  takesAnyBody?: true
  /** The body may contain Buffers as Node.js writes them to JSON. The server reads each `data` into a Uint8Array. */
  hasBuffers?: true
  /** In place of `body`. */
  upload?: Upload
  /** Request headers that the route reads, for the document. */
  headers?: Record<string, string>
  /** Largest body, bytes. Default 1 MiB. */
  bodyBytesMax?: number
  /** Media types that a 200 is answered in where `Accept` asks for them, besides that of `responses`. */
  alsoAs?: Record<string, { description: string; example: string }>
  /** Success answers by status. Errors are the same everywhere and are added by the OpenAPI document. */
  responses: Record<number, { description: string; schema?: TSchema; type?: string; example?: unknown }>
  /** A property, not a method: a route that needs more than the server supplies must not compile. */
  handle: (request: Request<unknown, unknown, unknown, Deps>) => Promise<Reply>
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
  /** Ties the schemas of a route to the types its handler sees. */
  function route<
    P extends Schema = undefined,
    Q extends Schema = undefined,
    B extends Schema = undefined,
    A extends Action = undefined,
  >(method: Route['method'], path: string, spec: Spec<P, Q, B, A, Deps>): Route<Deps> {
    return { method, path, ...spec } as unknown as Route<Deps>
  }

  /** The same for routes of people who are logged in: whoever comes to them has a session. */
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

/** Makes routes whose handlers need nothing but the request. */
export const { route } = routesOf<unknown>()

/** Returns another way to ask for the same: by another method or path. The document shows it as deprecated. */
export function aliasOf<Deps>(
  original: Route<Deps>,
  change: { method?: Route['method']; path?: string; operationId?: string; action?: string },
): Route<Deps> {
  const { method = original.method } = change
  const operationId = `${original.operationId}With${method.charAt(0)}${method.slice(1).toLowerCase()}`
  return { ...original, operationId, ...change, aliasOf: original }
}
