import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import { makeFirstOwnerLink } from '../accounts/first-owner.ts'
import { startImportRunner } from '../audience/imports/import-runner.ts'
import type { Config } from '../config/config.ts'
import { type Db, openDb } from '../db/db.ts'
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { migrate } from '../db/migrate.ts'
import type { Deliverer } from '../delivery/dispatch/deliver.ts'
import { createSigner } from '../delivery/sign-message.ts'
import { revokeCapturedVerifications } from '../domains/verify-domain.ts'
import { createEventWake } from '../events/wake.ts'
import { createMetrics } from '../http/metrics.ts'
import { createSignal } from '../lib/async/signal.ts'
import { CannotStart } from '../lib/cannot-start.ts'
import { deriveKey, openSecret } from '../lib/crypto/seal.ts'
import type { Log } from '../lib/log.ts'
import { refuseBusyPort, refuseBusySmtpPort } from '../lib/net/listen-or-explain.ts'
import { systemClock } from '../lib/time/clock.ts'
import { createBackpressure } from '../queue/backpressure.ts'
import { CLAIM_POOL } from '../queue/claim.ts'
import { bootstrap, type FirstStart } from '../teams/bootstrap.ts'
import { assembleAcceptance, assembleAccess } from './assemble-acceptance.ts'
import { assembleCertificate } from './assemble-certificate.ts'
import { assembleDelivery } from './assemble-delivery.ts'
import { assembleHttp, LIST_CONNECTIONS_MAX } from './assemble-http.ts'
import { assembleInbound, INBOUND_PORT } from './assemble-inbound.ts'
import { gaugeQueue, serveMetrics } from './assemble-metrics.ts'
import { startHeartbeat } from './assemble-nodes.ts'
import { gaugeOperation, gaugePools, timeCommits } from './assemble-operator-metrics.ts'
import { startScheduler } from './assemble-scheduler.ts'
import { createShapingView } from './assemble-shaping.ts'
import { assembleSubmission, NO_SUBMISSION, refuseBusySubmission } from './assemble-submission.ts'
import { assembleTlsReports } from './assemble-tls.ts'
import { assembleWebhooks } from './assemble-webhooks.ts'

export type Role = 'api' | 'deliver' | 'inbound' | 'webhooks' | 'scheduler'

export interface Sendwright {
  /** Where the HTTP API listens; null without the role `api`. */
  url: string | null
  /** Where bounces and complaints come in; null without the role `inbound`. */
  inboundPort: number | null
  /** Where mail is submitted: with STARTTLS, and with TLS from the first byte; null without the role `inbound`. */
  submissionPort: number | null
  submissionsPort: number | null
  /** What the first start on an empty database made. */
  firstStart: FirstStart | null
  /** The link that makes the first user, while there is none; null: there is one, or the API does not run here. */
  firstOwnerLink: string | null
  /** Reads again what may change while it runs: delivery rules, certificates. */
  reload(): Promise<void>
  /** Stops accepting, finishes what is on the wire, settles, leaves (DEL-5). */
  stop(): Promise<void>
}

/** The API answers within two seconds even when the database does not. */
const API_TIMEOUT_MS = 1500
const API_CONNECTIONS_MAX = 12
/** A list that is slow takes none of the connections that accepting mail needs, and leaves no statement behind. */
const LIST_STATEMENT_MS = 1200
/** Delivery can wait: what it knows must be written. */
const ENGINE_TIMEOUT_MS = 10_000
const ENGINE_CONNECTIONS_MAX = 8

/**
 * The only place where parts meet: configuration, database, rooms, servers. Throws CannotStart with one sentence for
 * whoever started it.
 */
export async function startSendwright(
  config: Config,
  { roles, log }: { roles: readonly Role[]; log: Log },
): Promise<Sendwright> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) {
      // What follows (delivery that drains, the database) must be stopped all the same.
      await stopAll([one], log)
    }
  }
  try {
    return await start(config, roles, log, stops, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  config: Config,
  roles: readonly Role[],
  log: Log,
  stops: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Sendwright> {
  const clock = systemClock
  const nodeId = randomUUID()
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(config, log, stops))
  const secret = await openSecret(config.dataDir, config.secretKey)
  const metrics = createMetrics()
  const { apiDb, lists, db, events } = openPools(databaseUrl, metrics.registry, log, stops)
  await migrateOrExplain(config, () => migrate(db, clock.now()), log)

  const domainDeps = { db, clock, config, secret }
  if (config.delivery.kind !== 'capture') await revokeCapturedVerifications(db, clock.now())
  // Asked before the first key is made: it is shown once, by a start that succeeds.
  await refuseBusyPorts(config, roles)
  const firstStart = await bootstrap(domainDeps, config)

  const returnPathKey = deriveKey(secret, 'return paths')
  const signer = createSigner({ db, masterKey: secret, returnPathKey, hostname: config.hostname })
  const due = createSignal()
  gaugeOperation(metrics.registry, lists, clock)
  gaugeQueue(metrics.registry, db, clock)
  const reloads: (() => Promise<void>)[] = []
  const reload = async () => {
    for (const one of reloads) await one()
    log.info('looked at delivery rules and certificates again')
  }
  const shaping = createShapingView(config, clock)
  const backpressure = createBackpressure((teamId) => delivery?.hasFew(teamId) === true)
  const shared = { backpressure, config, clock, log, nodeId, secret, signer, returnPathKey, due, events }

  if (roles.includes('webhooks')) assembleWebhooks({ ...shared, db, registry: metrics.registry, stops })
  // Stops run in reverse: the API stops accepting first, then the scheduler, then delivery drains, then webhooks do.
  const delivery: Deliverer | null = roles.includes('deliver')
    ? await assembleDelivery({
        ...shared,
        db,
        claims: openClaims(databaseUrl, stops),
        registry: metrics.registry,
        shaping,
        reloads,
        stops,
      })
    : null
  startHeartbeat({ db, clock, log, nodeId, roles, delivery, stops })
  const imports =
    roles.includes('api') || roles.includes('scheduler') ? startImportRunner({ db, clock, log }) : null
  if (imports !== null) stops.push(() => imports.stop())
  const tls = roles.includes('inbound')
    ? await assembleCertificate({ config, clock, log, stops, reloads })
    : null
  const wakeImports = () => imports?.wake()
  const acceptance = assembleAcceptance({ ...shared, db: apiDb, handOff: delivery, stops })
  if (roles.includes('scheduler')) {
    const sendTlsReport = assembleTlsReports({
      config,
      db,
      clock,
      log,
      stops,
      acceptMime: acceptance.acceptMime,
    })
    const { registry } = metrics
    const scheduling = { ...domainDeps, log, nodeId, registry, sendTlsReport }
    stops.push(startScheduler({ ...scheduling, wake: () => due.notify() }))
  }
  const access = assembleAccess({ db: apiDb, clock, log, stops })
  // All doors are shut at once: one that waits for its slowest client must not leave the next one open meanwhile.
  const doors: (() => Promise<void>)[] = []
  stops.push(() => stopAll(doors, log))
  const inbound = { ...shared, db, registry: metrics.registry, tls, stops: doors }
  const inboundPort = roles.includes('inbound') ? await assembleInbound(inbound) : null
  const accepting = { ...shared, db: apiDb, acceptance, access, stops: doors }
  const http = roles.includes('api')
    ? await assembleHttp({ ...accepting, lists, handOff: delivery, metrics, shaping, wakeImports })
    : null
  const submission = tls === null ? NO_SUBMISSION : await assembleSubmission({ ...accepting, tls })
  await serveMetrics(config, metrics.registry, stops)
  // By a start that succeeds: those printed before are dead from then on.
  const firstOwnerLink = http === null ? null : await makeFirstOwnerLink(db, config.publicUrl, clock.now())
  log.info({ node: nodeId, roles, delivery: config.delivery.kind, url: http?.url ?? null }, 'started')
  return { url: http?.url ?? null, inboundPort, ...submission, firstStart, firstOwnerLink, reload, stop }
}

/** One pool for each kind of work, so that none waits for another's connections. */
function openPools(databaseUrl: string, registry: Registry, log: Log, stops: (() => Promise<void>)[]) {
  const timed = timeCommits(registry)
  const events = createEventWake(() => db, log)
  const apiDb = openDb(databaseUrl, {
    connectionsMax: API_CONNECTIONS_MAX,
    timeoutMs: API_TIMEOUT_MS,
    name: 'sendwright-api',
    onCommitted: events.committed,
    onCommit: timed('api'),
  })
  const lists = openDb(databaseUrl, {
    connectionsMax: LIST_CONNECTIONS_MAX,
    timeoutMs: API_TIMEOUT_MS,
    statementTimeoutMs: LIST_STATEMENT_MS,
    name: 'sendwright-lists',
  })
  const db = openDb(databaseUrl, {
    connectionsMax: ENGINE_CONNECTIONS_MAX,
    timeoutMs: ENGINE_TIMEOUT_MS,
    name: 'sendwright',
    onCommitted: events.committed,
    onCommit: timed('engine'),
  })
  for (const pool of [apiDb, lists, db]) stops.push(() => pool.close())
  stops.push(() => events.stop())
  gaugePools(registry, { api: apiDb, lists, engine: db })
  return { apiDb, lists, db, events }
}

async function refuseBusyPorts(config: Config, roles: readonly Role[]): Promise<void> {
  if (roles.includes('api')) await refuseBusyPort(config.host, config.port, 'PORT')
  await refuseBusyPort(config.host, config.metricsPort, 'SENDWRIGHT_METRICS_PORT')
  if (!roles.includes('inbound')) return
  await refuseBusySmtpPort(config.smtpHost, config.inboundPort, INBOUND_PORT)
  await refuseBusySubmission(config)
}

async function stopAll(stops: readonly (() => Promise<void>)[], log: Log): Promise<void> {
  const warn = (error: unknown) => log.warn({ err: error }, 'a part could not be stopped cleanly')
  await Promise.all(stops.map((stop) => stop().catch(warn)))
}

function openClaims(databaseUrl: string, stops: (() => Promise<void>)[]): Db {
  const claims = openDb(databaseUrl, {
    ...CLAIM_POOL,
    timeoutMs: ENGINE_TIMEOUT_MS,
    name: 'sendwright-claims',
  })
  stops.push(() => claims.close())
  return claims
}

async function startEmbedded(config: Config, log: Log, stops: (() => Promise<void>)[]): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  stops.push(() => postgres.stop())
  return postgres.url
}

/** The first statement is where a wrong DATABASE_URL shows. */
async function migrateOrExplain(config: Config, work: () => Promise<string[]>, log: Log): Promise<void> {
  try {
    const applied = await work()
    if (applied.length > 0) log.info({ migrations: applied }, 'migrated')
  } catch (error) {
    if (config.databaseUrl === null) throw error
    const reason = (error as Error).message || String((error as { code?: string }).code)
    throw new CannotStart(`The database of DATABASE_URL cannot be used: ${reason}.`)
  }
}
