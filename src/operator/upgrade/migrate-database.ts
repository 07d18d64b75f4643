import { basename } from 'node:path'
import type { Config } from '../../config/config.ts'
import { writeBackupFile } from '../../db/backup/backup-file.ts'
import { writeBackup } from '../../db/backup/write-backup.ts'
import type { Db } from '../../db/db-types.ts'
import { listPending, migrate, requireSchema } from '../../db/migrations/migrate.ts'
import { connectForLong } from '../../db/own-connection.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import { giveToOwnerOf } from '../../lib/owner.ts'
import { describeSecret } from '../restore/restore-secret.ts'
import { beginUpgrade, endUpgrade, placeUpgradeBackup, wayBack } from './upgrade-backups.ts'

export interface Migrated {
  /** Names of the applied migrations, in order. */
  applied: string[]
  /** The path of the backup from before the first of them; null when none was made. */
  backup: string | null
}

/**
 * Migrates the database. An embedded one that already has data is backed up first, because no migration can be undone.
 * Operators of an external one have their own backups. Throws CannotStart when the backup fails, and when the database
 * belongs to a newer version.
 */
export async function migrateDatabase(options: UpgradeOptions): Promise<Migrated> {
  const { db, config, now } = options
  await requireSchema(db, config.schema)
  const [first] = config.databaseUrl === null && config.upgradeBackup ? await listPending(db) : []
  const backup = first === undefined ? null : await backUpBefore(first, options)
  const applied = await migrate(db, now).catch((error: unknown) => {
    throw backup === null ? error : failedUpgrade(config.dataDir, error)
  })
  // Not before: a failed upgrade must not cost the backup that leads back.
  if (config.databaseUrl === null) endUpgrade(config.dataDir)
  return { applied, backup }
}

/** Names the backup that leads back: the next ones contain the migrations that were applied before the one that failed. */
function failedUpgrade(dataDir: string, error: unknown): CannotStart {
  return new CannotStart(
    `The upgrade of the database failed: ${(error as Error).message} The next start tries it again. The database as it was ` +
      `before the upgrade is in ${wayBack(dataDir)}, which the old version can restore.`,
    { cause: error },
  )
}

interface UpgradeOptions {
  db: Db
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'schema' | 'secretKey' | 'upgradeBackup'>
  /** The URL of the database, embedded or not. */
  url: string
  now: Date
}

/**
 * Writes a backup of the database as it is before the migration `first`. Returns its path. Throws CannotStart when it
 * cannot be written.
 */
async function backUpBefore(first: string, { db, config, url, now }: UpgradeOptions): Promise<string> {
  try {
    const secret = await describeSecret(db, config, false)
    const path = placeUpgradeBackup(config.dataDir, first, now)
    const client = await connectForLong(url, 'sendwright backup')
    const frames = writeBackup(client, { ...secret, now }, () => {})
    await writeBackupFile(path, frames).finally(() => client.end())
    giveToOwnerOf(config.dataDir, path)
    beginUpgrade(config.dataDir, basename(path))
    return path
  } catch (error) {
    throw new CannotStart(
      `Sendwright could not back up the database before the upgrade, and has changed nothing: ${(error as Error).message} ` +
        'To upgrade without a backup, set SENDWRIGHT_UPGRADE_BACKUP=false.',
      { cause: error },
    )
  }
}
