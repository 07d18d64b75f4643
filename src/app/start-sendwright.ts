import { makeFirstOwnerLink } from '../accounts/first-owner.ts'
import { type ImportRunner, startImportRunner } from '../audience/imports/import-runner.ts'
import type { Config } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import type { Deliverer } from '../delivery/dispatch/deliver.ts'
import { revokeCapturedVerifications } from '../domains/verify-domain.ts'
import { CannotStart } from '../lib/cannot-start.ts'
import type { Log } from '../lib/log.ts'
import { refuseBusyPort, refuseBusySmtpPort } from '../lib/net/listen-or-explain.ts'
import { createBackpressure } from '../queue/backpressure.ts'
import { bootstrap, type FirstStart } from '../teams/bootstrap.ts'
import { createAcceptance } from './acceptance.ts'
import { startAccess } from './access.ts'
import { openListenerCertificate } from './certificate.ts'
import { startHeartbeat } from './heartbeat.ts'
import { createLifecycle } from './lifecycle.ts'
import { gaugeQueue, serveMetrics } from './metrics.ts'
import { gaugeOperation } from './operator-metrics.ts'
import { startApi } from './roles/api.ts'
import { startDeliver } from './roles/deliver.ts'
import { INBOUND_PORT, startInbound } from './roles/inbound.ts'
import { startScheduler } from './roles/scheduler.ts'
import { NO_SUBMISSION, refuseBusySubmission, startSubmission } from './roles/submission.ts'
import { startWebhooks } from './roles/webhooks.ts'
import { openRuntime, type Runtime } from './runtime.ts'
import { createShapingView } from './shaping-view.ts'

export type Role = 'api' | 'deliver' | 'inbound' | 'webhooks' | 'scheduler'

/** The addresses on which this process listens. */
interface Ports {
  /** The URL of the HTTP API; null without the role `api`. */
  url: string | null
  /** The port for bounces and complaints; null without the role `inbound`. */
  inboundPort: number | null
  /** The submission ports: with STARTTLS, and with TLS from the first byte; null without the role `inbound`. */
  submissionPort: number | null
  submissionsPort: number | null
}

export interface Sendwright extends Ports {
  /** The records created by the first start on an empty database; null on later starts. */
  firstStart: FirstStart | null
  /** The link that creates the first user; null when a user exists or the API does not run in this process. */
  firstOwnerLink: string | null
  /** Reloads the delivery rules and certificates. */
  reload(): Promise<void>
  /** Stops accepting, finishes SMTP sessions in progress, settles their results and closes (DEL-5). */
  stop(): Promise<void>
}

/**
 * Starts Sendwright: the only place where all parts are wired together. Throws CannotStart with one sentence for the
 * operator.
 */
export async function startSendwright(
  config: Config,
  { roles, log }: { roles: readonly Role[]; log: Log },
): Promise<Sendwright> {
  const lifecycle = createLifecycle(log)
  try {
    const runtime = await openRuntime(config, log, lifecycle)
    const { nodeId, clock, pools } = runtime
    const firstStart = await prepareDatabase(runtime, roles)
    const ports = await startRoles(runtime, roles)
    const { url } = ports
    // Created only by a successful start, because it invalidates earlier links.
    const firstOwnerLink =
      url === null ? null : await makeFirstOwnerLink(pools.engine, config.publicUrl, clock.now())
    log.info({ node: nodeId, roles, delivery: config.delivery.kind, url }, 'started')
    return { ...ports, firstStart, firstOwnerLink, reload: () => reload(runtime), stop: lifecycle.stop }
  } catch (error) {
    await lifecycle.stop()
    throw error
  }
}

async function reload({ lifecycle, log }: Runtime): Promise<void> {
  await lifecycle.reload()
  log.info('reloaded the delivery rules and certificates')
}

/** Migrates the database. On an empty database, creates the first team with its key. */
async function prepareDatabase(runtime: Runtime, roles: readonly Role[]): Promise<FirstStart | null> {
  const { config, clock, log, secret } = runtime
  const { engine: db } = runtime.pools
  await migrateOrExplain(config, () => migrate(db, clock.now()), log)
  if (config.delivery.kind !== 'capture') await revokeCapturedVerifications(db, clock.now())
  // Check the ports before creating the first key, which is shown only once, by a successful start.
  await refuseBusyPorts(config, roles)
  return bootstrap({ db, clock, config, secret }, config)
}

/**
 * Starts the parts that the roles need, from the inside out. They stop in reverse: first the listeners, then the
 * scheduler, then delivery drains, then webhooks.
 */
async function startRoles(runtime: Runtime, roles: readonly Role[]): Promise<Ports> {
  const { config, clock, lifecycle, metrics, pools } = runtime
  const has = (role: Role) => roles.includes(role)
  gaugeOperation(metrics.registry, pools.lists, clock)
  gaugeQueue(metrics.registry, pools.engine, clock)
  const shaping = createShapingView(config, clock)
  let delivery: Deliverer | null = null
  const backpressure = createBackpressure((teamId) => delivery?.hasFew(teamId) === true)

  if (has('webhooks')) startWebhooks(runtime)
  if (has('deliver')) delivery = await startDeliver(runtime, { backpressure, shaping })
  startHeartbeat(runtime, roles, delivery)
  const imports = has('api') || has('scheduler') ? startImports(runtime) : null
  const tls = has('inbound') ? await openListenerCertificate(runtime) : null
  const acceptance = createAcceptance(runtime, { backpressure, handOff: delivery })
  if (has('scheduler')) startScheduler(runtime, acceptance)
  const access = startAccess(runtime)

  // All listeners close together, so that one with a slow client does not keep the others open.
  const listeners = lifecycle.addGroup()
  const inboundPort = has('inbound') ? await startInbound(runtime, { tls, listeners }) : null
  const wakeImports = () => imports?.wake()
  const api = { acceptance, access, handOff: delivery, shaping, wakeImports, listeners }
  const url = has('api') ? await startApi(runtime, api) : null
  const submission =
    tls === null ? NO_SUBMISSION : await startSubmission(runtime, { acceptance, access, tls, listeners })
  await serveMetrics(runtime)
  return { url, inboundPort, ...submission }
}

function startImports({ pools, clock, log, lifecycle }: Runtime): ImportRunner {
  const imports = startImportRunner({ db: pools.engine, clock, log })
  lifecycle.add('imports', () => imports.stop())
  return imports
}

async function refuseBusyPorts(config: Config, roles: readonly Role[]): Promise<void> {
  if (roles.includes('api')) await refuseBusyPort(config.host, config.port, 'PORT')
  await refuseBusyPort(config.host, config.metricsPort, 'SENDWRIGHT_METRICS_PORT')
  if (!roles.includes('inbound')) return
  await refuseBusySmtpPort(config.smtpHost, config.inboundPort, INBOUND_PORT)
  await refuseBusySubmission(config)
}

/** Runs the migrations. A wrong DATABASE_URL fails at this first statement. */
async function migrateOrExplain(config: Config, work: () => Promise<string[]>, log: Log): Promise<void> {
  try {
    const applied = await work()
    if (applied.length > 0) log.info({ migrations: applied }, 'migrated the database')
  } catch (error) {
    if (config.databaseUrl === null) throw error
    const reason = (error as Error).message || String((error as { code?: string }).code)
    throw new CannotStart(`The database of DATABASE_URL cannot be used: ${reason}.`)
  }
}
