import { makeFirstOwnerLink } from '../../accounts/people/first-owner.ts'
import { type ImportRunner, startImportRunner } from '../../audience/imports/import-runner.ts'
import { CertificateRenewal } from '../../certificates/renew-certificates.ts'
import { createSealedKeys } from '../../certificates/sealed-keys.ts'
import type { Config } from '../../config/config.ts'
import type { AcmeChallenge } from '../../config/values.ts'
import type { Deliverer } from '../../delivery/dispatch/deliver.ts'
import { repeat } from '../../lib/async/repeat.ts'
import type { Log } from '../../lib/log.ts'
import { createBackpressure } from '../../queue/backpressure.ts'
import type { FirstStart } from '../../teams/bootstrap.ts'
import { createAcceptance } from '../acceptance.ts'
import { startAccess } from '../access.ts'
import { openCertificates } from '../certificate.ts'
import { createLifecycle } from '../lifecycle.ts'
import { serveMetrics } from '../metrics.ts'
import { NO_API, startApi } from '../roles/api.ts'
import { startDeliver } from '../roles/deliver.ts'
import { startInbound } from '../roles/inbound.ts'
import { startRequestLog } from '../roles/request-log.ts'
import { startScheduler } from '../roles/scheduler.ts'
import { NO_SUBMISSION, startSubmission } from '../roles/submission.ts'
import { startWebhooks } from '../roles/webhooks.ts'
import { openRuntime, type Runtime } from '../runtime.ts'
import { createShapingView } from '../shaping-view.ts'
import type { SupervisorLink } from '../supervisor-link.ts'
import type { Ports, ProcessRole } from '../types.ts'
import { startHeartbeat } from './heartbeat.ts'
import { gaugeInstallation } from './installation-metrics.ts'
import { prepareDatabase } from './prepare-database.ts'

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

interface StartOptions {
  roles: readonly ProcessRole[]
  log: Log
  /** The supervisor of this worker process; null when this process is the whole server. */
  supervisor?: SupervisorLink | null
}

/**
 * Starts Sendwright: the only place where all parts are wired together. Throws CannotStart with one sentence for the
 * operator.
 */
export async function startSendwright(
  config: Config,
  { roles, log, supervisor = null }: StartOptions,
): Promise<Sendwright> {
  const lifecycle = createLifecycle(log)
  try {
    const runtime = await openRuntime(config, log, lifecycle, { supervisor })
    const { nodeId, clock, pools } = runtime
    // The supervisor has prepared the database, and tells people about the start.
    const firstStart = supervisor === null ? await prepareDatabase(runtime, roles) : null
    const ports = await startRoles(runtime, roles)
    const { url } = ports
    // Created only by a successful start, because it invalidates earlier links.
    const firstOwnerLink =
      url === null || supervisor !== null
        ? null
        : await makeFirstOwnerLink(pools.engine, config.publicUrl, clock.now())
    const message = supervisor === null ? 'started' : 'a worker started'
    log.info({ node: nodeId, roles, delivery: config.delivery.kind, url }, message)
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

/**
 * Starts the parts that the roles need, from the inside out. They stop in reverse: first the listeners, then the
 * scheduler, then delivery drains, then webhooks.
 */
async function startRoles(runtime: Runtime, roles: readonly ProcessRole[]): Promise<Ports> {
  const { clock, config, lifecycle } = runtime
  const has = (role: ProcessRole) => roles.includes(role)
  if (runtime.supervisor === null) gaugeInstallation(runtime, roles)
  const shaping = createShapingView(config, clock)
  let delivery: Deliverer | null = null
  const backpressure = createBackpressure((teamId) => delivery?.hasFew(teamId) === true)

  if (has('webhooks')) startWebhooks(runtime)
  if (has('deliver')) delivery = await startDeliver(runtime, { backpressure, shaping })
  startHeartbeat(runtime, roles, delivery)
  const imports = has('api') || has('scheduler') ? startImports(runtime) : null
  const certificates = await openCertificates(runtime, roles)
  const tls = certificates?.smtp ?? null
  const acceptance = createAcceptance(runtime, { backpressure, handOff: delivery })
  if (has('scheduler')) startScheduler(runtime, { ...acceptance, yieldTurn: backpressure.yieldTurn })
  const access = startAccess(runtime)
  const requestLog = has('api') ? startRequestLog(runtime) : null

  // All listeners close together, so that one with a slow client does not keep the others open.
  const listeners = lifecycle.addGroup()
  const inboundPort = has('inbound') ? await startInbound(runtime, { tls, listeners }) : null
  const wakeImports = () => imports?.wake()
  const api = {
    acceptance,
    access,
    handOff: delivery,
    shaping,
    wakeImports,
    listeners,
    tls: certificates?.https ?? null,
  }
  const { url, httpsPort } = requestLog === null ? NO_API : await startApi(runtime, { ...api, requestLog })
  const submission =
    !has('inbound') || tls === null
      ? NO_SUBMISSION
      : await startSubmission(runtime, { acceptance, access, tls, listeners })
  if (has('scheduler')) startCertificateRenewal(runtime)
  if (runtime.supervisor === null) await serveMetrics(runtime)
  return { url, httpsPort, inboundPort, ...submission }
}

function startImports({ pools, clock, log, lifecycle }: Runtime): ImportRunner {
  const imports = startImportRunner({ db: pools.engine, clock, log })
  lifecycle.add('imports', () => imports.stop())
  return imports
}

/** A new host waits at most this long for its first attempt. */
const EVERY_MS = 15_000

/**
 * Starts the renewal of certificates by ACME, a part of the role `scheduler`; does nothing if it is not configured. Start
 * it after the listeners, which answer the challenges.
 */
function startCertificateRenewal({ config, clock, log, pools, secret, lifecycle }: Runtime): void {
  const { acmeDirectory: directoryUrl, acmeEmail: email, httpsPort } = config
  if (directoryUrl === null) return
  const usable: readonly AcmeChallenge[] = httpsPort === null ? ['http-01'] : ['http-01', 'tls-alpn-01']
  const challenges = config.acmeChallenges ?? usable
  const acme = { directoryUrl, email, challenges, keys: createSealedKeys(secret) }
  const common = { db: pools.engine, clock, log, config, random: Math.random }
  const renewal = new CertificateRenewal({ ...common, ...acme })
  const loop = repeat('renew certificates', EVERY_MS, () => renewal.run(), log)
  lifecycle.add('certificate renewal', async () => {
    renewal.stop()
    await loop.stop()
  })
}
