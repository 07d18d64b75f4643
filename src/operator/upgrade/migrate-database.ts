import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { writeBackupFile } from '../../db/backup/backup-file.ts'
import { writeBackup } from '../../db/backup/write-backup.ts'
import type { Db } from '../../db/db-types.ts'
import { listPending, migrate, requireSchema } from '../../db/migrations/migrate.ts'
import { connectForLong } from '../../db/own-connection.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import { giveToOwnerOf } from '../../lib/owner.ts'
import { describeSecret } from '../restore/restore-secret.ts'

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
  return { applied: await migrate(db, now), backup }
}

interface UpgradeOptions {
  db: Db
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'schema' | 'secretKey' | 'upgradeBackup'>
  /** The URL of the database, embedded or not. */
  url: string
  now: Date
}

/** The folder in the data directory, and the form of names in it. */
const FOLDER = 'backups'
const NAME = /^before-.*\.backup$/
/** The number of backups to keep. A failed upgrade may be repeated once before an operator notices. */
const KEPT_COUNT = 2

/**
 * Writes a backup of the database as it is before the migration `first`, and deletes all but the newest backups of
 * earlier upgrades. Returns its path. Throws CannotStart when it cannot be written.
 */
async function backUpBefore(first: string, { db, config, url, now }: UpgradeOptions): Promise<string> {
  const folder = join(config.dataDir, FOLDER)
  // The time comes first, so that names sort by age.
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const path = join(folder, `before-${time}-${first.replace(/\.sql$/, '')}.backup`)
  try {
    const secret = await describeSecret(db, config, false)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    giveToOwnerOf(config.dataDir, folder)
    const client = await connectForLong(url, 'sendwright backup')
    const frames = writeBackup(client, { ...secret, now }, () => {})
    await writeBackupFile(path, frames).finally(() => client.end())
    giveToOwnerOf(config.dataDir, path)
  } catch (error) {
    throw new CannotStart(
      `Sendwright could not back up the database before the upgrade, and has changed nothing: ${(error as Error).message} ` +
        'To upgrade without a backup, set SENDWRIGHT_UPGRADE_BACKUP=false.',
      { cause: error },
    )
  }
  const all = readdirSync(folder).filter((name) => NAME.test(name))
  for (const name of all.sort().slice(0, -KEPT_COUNT)) rmSync(join(folder, name), { force: true })
  return path
}
