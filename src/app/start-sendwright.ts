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

/** Where this process listens. */
interface Ports {
  /** Where the HTTP API listens; null without the role `api`. */
  url: string | null
  /** Where bounces and complaints come in; null without the role `inbound`. */
  inboundPort: number | null
  /** Where mail is submitted: with STARTTLS, and with TLS from the first byte; null without the role `inbound`. */
  submissionPort: number | null
  submissionsPort: number | null
}

export interface Sendwright extends Ports {
  /** What the first start on an empty database made. */
  firstStart: FirstStart | null
  /** The link that makes the first user, while there is none; null: there is one, or the API does not run here. */
  firstOwnerLink: string | null
  /** Reads again what may change while it runs: delivery rules, certificates. */
  reload(): Promise<void>
  /** Stops accepting, finishes what is on the wire, settles, leaves (DEL-5). */
  stop(): Promise<void>
}

/**
 * The only place where parts meet: configuration, database, rooms, servers. Throws CannotStart with one sentence for
 * whoever started it.
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
    // By a start that succeeds: those printed before are dead from then on.
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
  log.info('looked at delivery rules and certificates again')
}

/** Migrates; on an empty database it makes the first team with its key. */
async function prepareDatabase(runtime: Runtime, roles: readonly Role[]): Promise<FirstStart | null> {
  const { config, clock, log, secret } = runtime
  const { engine: db } = runtime.pools
  await migrateOrExplain(config, () => migrate(db, clock.now()), log)
  if (config.delivery.kind !== 'capture') await revokeCapturedVerifications(db, clock.now())
  // Asked before the first key is made: it is shown once, by a start that succeeds.
  await refuseBusyPorts(config, roles)
  return bootstrap({ db, clock, config, secret }, config)
}

/**
 * Starts what the roles need, from the inside out. Parts stop in reverse: the doors shut first, then the scheduler stops,
 * then delivery drains, then webhooks do.
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

  // All doors are shut at once: one that waits for its slowest client must not leave the next one open meanwhile.
  const doors = lifecycle.addGroup()
  const inboundPort = has('inbound') ? await startInbound(runtime, { tls, doors }) : null
  const wakeImports = () => imports?.wake()
  const api = { acceptance, access, handOff: delivery, backpressure, shaping, wakeImports, doors }
  const url = has('api') ? await startApi(runtime, api) : null
  const submission =
    tls === null ? NO_SUBMISSION : await startSubmission(runtime, { acceptance, access, tls, doors })
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
