import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createSendAccountMail, type SendAccountMail } from '../accounts/account-mail.ts'
import { createPasswords } from '../accounts/passwords/password-hash.ts'
import { createPrintAccountMail } from '../accounts/print-account-mail.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { createShareDb } from '../db/share-db.ts'
import type { Deliverer } from '../delivery/dispatch/deliver.ts'
import { createMailboxProber } from '../delivery/probe-mailbox.ts'
import type { Signer } from '../delivery/sign-message.ts'
import type { HandOff } from '../emails/accept/accept-types.ts'
import { createValidateAddress } from '../emails/validate/validate-address.ts'
import { FeedWatch } from '../events/feed-watch.ts'
import { describeEvents } from '../events/openapi-events.ts'
import { createWaitingPlaces } from '../events/waiting-places.ts'
import type { EventWake } from '../events/wake.ts'
import { createOperatorGate } from '../http/auth/operator.ts'
import { createSessionGate } from '../http/auth/session-auth.ts'
import { serveDashboard } from '../http/dashboard.ts'
import { docsRoutes } from '../http/docs/docs-routes.ts'
import type { HttpMetrics } from '../http/metrics.ts'
import { createHttpServer } from '../http/server.ts'
import { createCountLimit } from '../lib/async/count-limit.ts'
import { createFairSemaphore } from '../lib/async/fair-semaphore.ts'
import { createHashAddress } from '../lib/crypto/erased-address.ts'
import { deriveKey, TRACKING_LINKS, UNSUBSCRIBE_LINKS } from '../lib/crypto/seal.ts'
import { DnsClient } from '../lib/dns/dns.ts'
import { MxResolver } from '../lib/dns/mx.ts'
import type { Log } from '../lib/log.ts'
import { createGuard, type Guard } from '../lib/net/egress-guard.ts'
import { listenOrExplain } from '../lib/net/listen-or-explain.ts'
import type { Clock } from '../lib/time/clock.ts'
import { healthRoutes, NotReady, type ReadinessCheck } from '../operator/health-routes.ts'
import { createOperatorView } from '../operator/operator-view.ts'
import type { Backpressure } from '../queue/backpressure.ts'
import { oldestReadySeconds } from '../queue/depth.ts'
import { createVisitRecorder } from '../tracking/record-visits.ts'
import { API_TAGS } from './api-tags.ts'
import type { Acceptance, Access } from './assemble-acceptance.ts'
import { API_ROUTES, OPERATOR_ROUTES } from './assemble-routes.ts'
import type { ShapingView } from './assemble-shaping.ts'

interface Parts {
  config: Config
  /** With the API's short patience. */
  db: Db
  lists: Db
  clock: Clock
  log: Log
  secret: Buffer
  signer: Signer
  acceptance: Acceptance
  access: Access
  /** Delivery in this process; null: other processes deliver. */
  handOff: (HandOff & Deliverer) | null
  metrics: HttpMetrics
  backpressure: Backpressure
  shaping: Pick<ShapingView, 'read'>
  wakeImports(): void
  events: EventWake
  stops: (() => Promise<void>)[]
}

/** Connections of the pool for lists. */
export const LIST_CONNECTIONS_MAX = 4
/** With the longest statement of a list, within the two seconds in which everybody is answered. */
const LIST_WAIT_MS = 1500
/** Each may hold the process for half a second. */
const LARGE_READS = { places: 2, waitMs: 10_000 }
/** Event streams and requests that wait for events. */
const WAITING = { ofTeamMax: 20, inAllMax: 1_000 }
/** Of the 30 s of a drain, what requests under way may take. */
const CLOSE_MS = 10_000
const SWEEP_MS = 100

/** Where the dashboard is built (web/build.ts). */
const DASHBOARD_FOLDER = join(import.meta.dirname, '../../web/dist')

/** A person changes their mind a few times. */
const UNDO_LIMIT = { countMax: 5, windowMs: 3_600_000, keysMax: 10_000 }

/** The API role. Resolves once it listens. */
export async function assembleHttp(parts: Parts): Promise<{ url: string }> {
  const { config, db, lists, clock, log, access, metrics, stops } = parts
  const feedWatch = new FeedWatch({ db, wake: parts.events, log })
  const deps = assembleDeps(parts, feedWatch)
  const ownRoutes = [...API_ROUTES, ...OPERATOR_ROUTES]
  const routes = [
    ...ownRoutes,
    ...healthRoutes({
      checks: readinessOf(parts),
      registry: metrics.registry,
      metricsToken: config.metricsToken,
    }),
    ...docsRoutes(ownRoutes, config.publicUrl, {
      webhooks: describeEvents(),
      tags: API_TAGS,
    }),
  ]
  const shareLists = createShareDb(lists, { places: LIST_CONNECTIONS_MAX, waitMs: LIST_WAIT_MS })
  const { authenticate, guessTeam, limiter } = access
  const server = createHttpServer({
    deps,
    routes,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    clock,
    log,
    authenticate,
    sessions: createSessionGate(access.sessions, config.publicUrl),
    admitOperator: createOperatorGate(config.operatorToken, clock),
    limiter,
    expectMail(token) {
      const teamId = guessTeam(token)
      if (teamId !== null) parts.backpressure.expect(teamId)
    },
    shareLists,
    metrics,
  })
  serveDashboard(server, DASHBOARD_FOLDER)
  await listenOrExplain(() => server.listen({ host: config.host, port: config.port }), config.port, 'PORT')
  stops.push(async () => {
    // Those who wait are answered: they would hold the door open.
    feedWatch.stop()
    await closeWithin(server, CLOSE_MS)
  })
  const { port } = server.server.address() as AddressInfo
  return { url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}` }
}

/** What routes need, all together: a route whose `Deps` are not among these does not compile above. */
function assembleDeps(parts: Parts, feedWatch: FeedWatch) {
  const { config, db, lists, clock, log, secret, signer, access, stops } = parts
  const guard = createGuard({ allowPrivate: config.allowPrivateNetworks })
  const visits = createVisitRecorder({ db, clock, log })
  stops.push(() => visits.idle())
  return {
    config,
    db,
    /** For long lists, whose price is the caller's to set: few connections of their own, and the server ends what is slow. */
    lists,
    clock,
    log,
    /** The installation's master key (lib/crypto/seal.ts); what is sealed or signed uses keys derived from it. */
    secret,
    /** Replaces the addresses of people who were erased. */
    hashAddress: createHashAddress(secret),
    linkKeys: {
      unsubscribe: deriveKey(secret, UNSUBSCRIBE_LINKS),
      tracking: deriveKey(secret, TRACKING_LINKS),
    },
    /** How often an unsubscription is taken back by its link: every time makes events. */
    undoLimit: createCountLimit(UNDO_LIMIT),
    visits,
    guard,
    signer,
    wakeImports: parts.wakeImports,
    validateAddress: assembleValidation(parts, guard),
    ...parts.acceptance,
    /** A key was changed or revoked here, and that is committed: no request from now on is let in by what was. */
    forgetAccess: access.forget,
    passwords: createPasswords(),
    sendAccountMail: assembleAccountMail(parts),
    /** For reading what weighs tens of megabytes: a few at a time, so that everything else goes on between them. */
    largeReads: createFairSemaphore(LARGE_READS),
    feedWatch,
    waitingPlaces: createWaitingPlaces(WAITING),
    operatorView: createOperatorView({ config, db: lists, clock, log, shaping: () => parts.shaping.read() }),
  }
}

function assembleAccountMail({ config, db, clock, log, acceptance: { acceptMime } }: Parts): SendAccountMail {
  // Made in every mode: it throws for a SENDWRIGHT_ACCOUNT_FROM that is no address.
  const send = createSendAccountMail({ db, clock, log, acceptMime, from: config.accountFrom })
  if (config.delivery.kind !== 'capture') return send
  return createPrintAccountMail({ log, logOutput: process.stdout, terminal: process.stderr })
}

/** Its DNS answers sooner than delivery's: somebody waits for it. The prober is there only where the operator wants it. */
function assembleValidation({ config, db, clock }: Parts, guard: Guard) {
  const dns = new DnsClient({ servers: config.dnsServers, timeoutMs: 1000, clock })
  const mx = new MxResolver(dns)
  const asksServers = config.validateSmtp && config.delivery.kind !== 'capture'
  const { hostname: ehloName, mxPort } = config
  const probe = asksServers ? createMailboxProber({ clock, mx, guard, ehloName, mxPort }) : null
  return createValidateAddress({ db, clock, mx, probe })
}

/** Requests that are under way finish; one whose body never ends must not eat the time that delivery needs to drain. */
async function closeWithin(server: ReturnType<typeof createHttpServer>, closeMs: number): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), closeMs)
  // A connection whose answer was under way when the door was shut is kept for a next request that nobody would hear.
  const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_MS)
  await server.close().finally(() => {
    clearTimeout(timer)
    clearInterval(sweep)
  })
}

function readinessOf({ config, db, clock, handOff }: Parts): ReadinessCheck[] {
  const checks: ReadinessCheck[] = [
    {
      name: 'database',
      async check() {
        await db.query('select 1')
        return {}
      },
    },
    {
      name: 'queue',
      async check() {
        const seconds = await oldestReadySeconds(db, clock.now())
        const secondsMax = config.readyAgeMaxMs === null ? null : config.readyAgeMaxMs / 1000
        const figures = { oldest_ready_seconds: seconds, oldest_ready_seconds_max: secondsMax }
        if (secondsMax !== null && seconds > secondsMax)
          throw new NotReady('the queue is not drained', figures)
        return figures
      },
    },
  ]
  if (handOff !== null) {
    checks.push({ name: 'engine', check: async () => ({ deliveries_held: handOff.heldCount }) })
  }
  return checks
}
