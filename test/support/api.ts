import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { PlanName } from '../../src/access/plans.ts'
import { createRateLimiter } from '../../src/access/rate-limit.ts'
import { createSessionAccess } from '../../src/access/session-access.ts'
import type { API_ROUTES, OPERATOR_ROUTES } from '../../src/app/routes.ts'
import { auditedRoutes } from '../../src/audit/audited-routes.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { createOperatorGate } from '../../src/http/auth/operator.ts'
import { createSessionGate } from '../../src/http/auth/session-auth.ts'
import type { Route } from '../../src/http/route/route.ts'
import { createHttpServer, type HttpServerOptions } from '../../src/http/server/server.ts'
import { createAuthenticator } from '../../src/keys/authenticate.ts'
import { createFairSemaphore } from '../../src/lib/async/fair-semaphore.ts'
import { createHashAddress } from '../../src/lib/crypto/erased-address.ts'
import { createLog, type Log } from '../../src/lib/log.ts'
import type { Clock } from '../../src/lib/time/clock.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { type Requester, requester } from './client.ts'
import { createDatabase } from './database.ts'
import { type GivenTeam, makeTeam } from './teams.ts'

type DepsOf<R> = R extends Route<infer Deps> ? (deps: Deps) => void : never
type AnyRoute = (typeof API_ROUTES)[number] | (typeof OPERATOR_ROUTES)[number]
/** The dependencies of all routes of the API. */
type ApiDeps =
  DepsOf<AnyRoute> extends (deps: infer Deps) => void ? Deps & { config: Config; log: Log } : never

export interface Api {
  /** `http://127.0.0.1:<port>` */
  url: string
  databaseUrl: string
  db: Db
  deps: ApiDeps
  server: FastifyInstance
  givenTeam(input?: { plan?: PlanName; name?: string }): Promise<GivenTeam>
  /** Returns a client with the given token, or none. */
  as(token: string | null): Requester
  /** Starts a second API over the same database, as another process would, perhaps with other settings. */
  another(config?: Partial<Config>): Promise<{ url: string; as(token: string | null): Requester }>
  stop(): Promise<void>
}

export interface ApiOptions {
  routes: readonly Route<ApiDeps>[] | ((deps: ApiDeps) => readonly Route<ApiDeps>[])
  environment?: Record<string, string>
  config?: Partial<Config>
  clock?: Clock
  /** Additional dependencies of handlers. */
  deps?: Partial<ApiDeps>
  server?: Partial<Omit<HttpServerOptions, 'deps' | 'routes'>>
  /** False: changes by other processes are noticed only when caches expire. Default true. */
  receivesNotifications?: boolean
}

/** Starts the HTTP API over a new database, on a free port. Call `stop` in afterAll or afterEach. */
export async function startApi(options: ApiOptions): Promise<Api> {
  const database = await createDatabase()
  const config = {
    ...readConfig({ PUBLIC_URL: 'https://api.test', ...options.environment }),
    ...options.config,
  }
  const clock = options.clock ?? systemClock
  const largeReads = createFairSemaphore({ places: 2, waitMs: 10_000 })
  const hashAddress = createHashAddress(Buffer.alloc(32))
  const given = { config, clock, log: createLog('silent'), largeReads, hashAddress, ...options.deps }
  const deps = { ...given, db: database.db, lists: database.db } as ApiDeps
  const first = await listen(deps, options)
  const others: { stop(): Promise<void> }[] = []
  return {
    url: first.url,
    databaseUrl: database.url,
    db: database.db,
    deps,
    server: first.server,
    as: (token) => requester(first.url, token),
    givenTeam: (input = {}) =>
      makeTeam(database.db, (token) => requester(first.url, token), input, clock.now()),
    async another(changes = {}) {
      const db = openDb(database.url, { connectionsMax: 5, timeoutMs: 10_000, name: 'test' })
      const second = await listen({ ...deps, db, lists: db, config: { ...config, ...changes } }, options)
      others.push({
        async stop() {
          await second.stop()
          await db.close()
        },
      })
      return { url: second.url, as: (token) => requester(second.url, token) }
    },
    async stop() {
      for (const other of others) await other.stop()
      await first.stop()
      await database.drop()
    },
  }
}

async function listen(given: ApiDeps, options: ApiOptions) {
  const sessions = createSessionAccess(given)
  const auth = createAuthenticator({ ...given, onForget: sessions.forget })
  const deps = { ...given, forgetAccess: auth.forget }
  const { config, clock, log } = deps
  const routes = typeof options.routes === 'function' ? options.routes(deps) : options.routes
  const limiter = createRateLimiter(deps.db, clock)
  const server = createHttpServer({
    deps,
    routes: auditedRoutes(routes),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    clock,
    log,
    authenticate: auth.authenticate,
    sessions: createSessionGate(sessions, config.publicUrl),
    admitOperator: createOperatorGate(config.operatorToken, clock),
    limiter,
    ...options.server,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  if (options.receivesNotifications !== false) auth.start()
  const { port } = server.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    async stop() {
      await server.close()
      await auth.stop()
      await sessions.stop()
    },
  }
}
