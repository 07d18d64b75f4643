import { existsSync } from 'node:fs'
import type { AuditEntry } from '../../../audit/audit-queries.ts'
import { auditedTransactions } from '../../../audit/audited-transactions.ts'
import type { Config } from '../../../config/config.ts'
import { openDb } from '../../../db/db.ts'
import type { Db } from '../../../db/db-types.ts'
import { clusterDirOf } from '../../../db/embedded/embedded-cluster.ts'
import { useEmbeddedPostgres } from '../../../db/embedded/embedded-postgres.ts'
import { inSchema } from '../../../db/pool.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { digestSecret } from '../../../lib/crypto/seal.ts'
import { newId } from '../../../lib/ids.ts'
import { createLog } from '../../../lib/log.ts'
import { type Clock, systemClock } from '../../../lib/time/clock.ts'
import { requireSecretText } from '../../../operator/restore/restore-secret.ts'
import { type Migrated, migrateDatabase } from '../../../operator/upgrade/migrate-database.ts'
import { findTeam, listTeams, type Team } from '../../../teams/teams-queries.ts'
import { DEFAULT_DATA_DIR, readSettings } from './settings.ts'

/** The installation of a command: the server's database, whether a server is running or not. */
export interface Installation {
  config: Config
  db: Db
  clock: Clock
}

/** A command needs one connection, and another for a transaction at the same time. */
const CONNECTIONS_MAX = 2
const TIMEOUT_MS = 30_000

/**
 * Opens and migrates the database for the duration of `work`. Throws CannotStart, DatabaseUnavailable, ConfigError.
 */
export async function withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  return withDatabase(async (installation) => {
    await migrateInstallation(installation)
    return work(installation)
  })
}

/** Migrates the database. If it was backed up first, prints the path of the backup. */
export async function migrateInstallation({
  db,
  config,
  clock,
  url,
}: Installation & { url: string }): Promise<Migrated> {
  const migrated = await migrateDatabase({ db, config, url, now: clock.now() })
  const { backup } = migrated
  if (backup !== null) process.stderr.write(`Backed up the database before the upgrade: ${backup}\n`)
  return migrated
}

/** Returns the installation's master key. Throws CannotStart when it is missing here, or is another installation's. */
export async function openInstallationSecret({ db, config }: Installation): Promise<Buffer> {
  return digestSecret(await requireSecretText(db, config))
}

/** Returns the installation with transactions that write to the audit log of a team, as the operator's. */
export function asOperator<Given extends Pick<Installation, 'db' | 'clock'>>(
  installation: Given,
  teamId: string,
  action: string,
  targetId: string | null = null,
): Given {
  const now = installation.clock.now()
  const entry: AuditEntry = {
    teamId,
    id: newId(now.getTime()),
    actorKind: 'operator',
    actorId: null,
    action,
    targetId,
    fields: [],
    ipAddress: null,
    userAgent: null,
    requestId: null,
    createdAt: now,
  }
  return { ...installation, db: { ...installation.db, ...auditedTransactions(installation.db, entry) } }
}

/** Opens the database without migrations for the duration of `work`. */
export async function withDatabase<T>(
  work: (installation: Installation & { url: string }) => Promise<T>,
): Promise<T> {
  const config = readSettings()
  // Standard output is reserved for the command's output.
  const log = createLog('error', process.stderr)
  const isNew = config.databaseUrl === null && !existsSync(clusterDirOf(config.dataDir))
  const postgres = config.databaseUrl === null ? await useEmbeddedPostgres(config.dataDir, log) : null
  const url = inSchema(config.databaseUrl ?? postgres?.url ?? '', config.schema)
  if (isNew) process.stderr.write(describeNewDatabase(config.dataDir))
  const db = openDb(url, {
    connectionsMax: CONNECTIONS_MAX,
    timeoutMs: TIMEOUT_MS,
    name: 'sendwright command',
  })
  try {
    return await work({ config, db, clock: systemClock, url })
  } finally {
    await db.close()
    await postgres?.stop()
  }
}

/**
 * Returns the team that `--team` names or, without it, the only team that has the record. Throws ApiError when no team
 * or several teams have it.
 * @param teamIds returns the ids of the teams that have the record
 * @param record names the record in messages, for example `key 0198...`
 */
export async function requireOwner(
  db: Db,
  id: string | undefined,
  teamIds: () => Promise<readonly string[]>,
  record: string,
): Promise<Team> {
  if (id !== undefined) return requireTeam(db, id)
  const [only, other] = await teamIds()
  if (only === undefined) throw new ApiError('not_found', `No team has the ${record}. Check its id or name.`)
  if (other === undefined) return requireTeam(db, only)
  throw new ApiError('bad_request', `Several teams have the ${record}. Choose one with --team.`)
}

/** Returns a warning for operators who expected the database of a running server. */
function describeNewDatabase(dataDir: string): string {
  return (
    `Created an empty database in ${dataDir}, which had none. To use the database of a server, set ` +
    `SENDWRIGHT_DATA_DIR to its data directory, by default ${DEFAULT_DATA_DIR}.\n`
  )
}

/** Returns the team that `--team` names or, without it, the only team. Throws ApiError. */
export async function requireTeam(db: Db, id: string | undefined): Promise<Team> {
  if (id !== undefined) {
    const team = await findTeam(db, id)
    if (team === null)
      throw new ApiError('not_found', `There is no team ${id}. Run "sendwright team list" to list the teams.`)
    return team
  }
  const [only, other] = await listTeams(db, null, 2)
  if (only === undefined) {
    throw new ApiError('not_found', 'There is no team. Create one with "sendwright team create NAME".')
  }
  if (other === undefined) return only
  throw new ApiError(
    'bad_request',
    'There are several teams. Choose one with --team; "sendwright team list" lists them.',
  )
}
