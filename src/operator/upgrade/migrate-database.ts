import { listPending, migrate } from '../../db/migrations/migrate.ts'
import { backUpBefore, type UpgradeOptions } from './backup-before.ts'

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
  const [first] = config.databaseUrl === null && config.upgradeBackup ? await listPending(db) : []
  const backup = first === undefined ? null : await backUpBefore(first, options)
  return { applied: await migrate(db, now), backup }
}
