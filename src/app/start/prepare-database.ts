import type { Config } from '../../config/config.ts'
import { revokeCapturedVerifications } from '../../domains/verify-domain.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import type { Log } from '../../lib/log.ts'
import { refuseBusyPort, refuseBusySmtpPort } from '../../lib/net/listen-or-explain.ts'
import { type Migrated, migrateDatabase } from '../../operator/upgrade/migrate-database.ts'
import { bootstrap, type FirstStart } from '../../teams/bootstrap.ts'
import { HTTPS_PORT, INBOUND_PORT, refuseBusySubmission } from '../ports.ts'
import type { Runtime } from '../runtime.ts'
import type { ProcessRole } from '../types.ts'

/** Migrates the database. On an empty database, creates the first team with its key. Throws CannotStart. */
export async function prepareDatabase(
  runtime: Runtime,
  roles: readonly ProcessRole[],
): Promise<FirstStart | null> {
  const { config, clock, log, secret } = runtime
  const { engine: db } = runtime.pools
  const options = { db, config, url: runtime.databaseUrl, now: clock.now() }
  await migrateOrExplain(config, () => migrateDatabase(options), log)
  if (config.delivery.kind !== 'capture') await revokeCapturedVerifications(db, clock.now())
  // Check the ports before creating the first key, which is shown only once, by a successful start.
  await refuseBusyPorts(config, roles)
  return bootstrap({ db, clock, config, secret }, config)
}

async function refuseBusyPorts(config: Config, roles: readonly ProcessRole[]): Promise<void> {
  if (roles.includes('api')) {
    await refuseBusyPort(config.host, config.port, 'PORT')
    await refuseBusyPort(config.host, config.httpsPort, HTTPS_PORT)
  }
  await refuseBusyPort(config.host, config.metricsPort, 'SENDWRIGHT_METRICS_PORT')
  if (!roles.includes('inbound')) return
  await refuseBusySmtpPort(config.smtpHost, config.inboundPort, INBOUND_PORT)
  await refuseBusySubmission(config)
}

/** Runs the migrations. A wrong DATABASE_URL fails at this first statement. */
async function migrateOrExplain(config: Config, work: () => Promise<Migrated>, log: Log): Promise<void> {
  try {
    const { applied, backup } = await work()
    if (applied.length > 0) log.info({ migrations: applied, backup }, 'migrated the database')
  } catch (error) {
    if (config.databaseUrl === null || error instanceof CannotStart) throw error
    const reason = (error as Error).message || String((error as { code?: string }).code)
    throw new CannotStart(`The database of DATABASE_URL cannot be used: ${reason}.`)
  }
}
