import { Command } from 'commander'
import type { Config } from '../../../config/config.ts'
import { withBackupFile } from '../../../db/backup/backup-file.ts'
import type { BackupHeader } from '../../../db/backup/backup-header.ts'
import { readBackupHeader, readTables } from '../../../db/backup/load-backup.ts'
import { makeDataDir } from '../../../db/embedded/data-dir.ts'
import { withFreshCluster } from '../../../db/embedded/fresh-cluster.ts'
import { inSchema } from '../../../db/pool.ts'
import { findSecretText, makeSecretFile, removeSecretFile } from '../../../lib/crypto/seal.ts'
import { createLog } from '../../../lib/log.ts'
import { systemClock } from '../../../lib/time/clock.ts'
import {
  AnotherRestore,
  RestoreUnknown,
  refuseNewer,
  restoreDatabase,
} from '../../../operator/restore/restore-database.ts'
import { chooseSecret } from '../../../operator/restore/restore-secret.ts'
import { createOutput } from '../../developer/output.ts'
import { createProgress } from './backup.ts'
import { readSettings } from './settings.ts'

interface Options {
  check?: boolean
  json?: boolean
}

const headerToJson = ({ created_at, server_version, secret_key }: BackupHeader) => ({
  object: 'restore',
  backup_created_at: created_at,
  postgresql: server_version,
  has_secret: secret_key !== undefined,
})

async function restore(file: string) {
  const config = readSettings()
  const { sum, onTable } = createProgress()
  return withBackupFile(file, async (frames) => {
    const header = await readBackupHeader(frames)
    await refuseNewer(header)
    const secret = chooseSecret(config, header)
    const restored = await withEmptyDatabase(config, (url) =>
      withSecret(config, secret, () => restoreDatabase(url, header, frames, systemClock, onTable)),
    )
    const { rows, held, migrations } = restored
    return { ...headerToJson(header), rows, bytes: sum.bytes, held_recipients: held, migrated: migrations }
  })
}

async function withEmptyDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const restore = (url: string) => work(inSchema(url, config.schema))
  if (config.databaseUrl !== null) return restore(config.databaseUrl)
  return withFreshCluster(config.dataDir, createLog('error', process.stderr), restore)
}

/**
 * Stores the secret key in the data directory if no setting provides it. It is written before the database, so that
 * the next start finds it, and removed when the restore fails: not when it, or another one, may have been completed,
 * because the database then needs it.
 */
async function withSecret<T>(
  { secretKey, dataDir }: Config,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  if (secretKey !== null || findSecretText(dataDir, null) !== null) return work()
  await makeDataDir(dataDir)
  makeSecretFile(dataDir, text)
  return work().catch((error: unknown) => {
    const isNeeded = error instanceof RestoreUnknown || error instanceof AnotherRestore
    if (!isNeeded) removeSecretFile(dataDir)
    throw error
  })
}

/** Reads a backup to its end, and returns a summary. */
async function check(file: string) {
  const { sum, onTable } = createProgress()
  return withBackupFile(file, async (frames) => {
    const header = await readBackupHeader(frames)
    await readTables(
      frames,
      async (_, data) => {
        for await (const _piece of data);
        return null
      },
      onTable,
    )
    return { ...headerToJson(header), object: 'backup', ...sum }
  })
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'restore a backup into an empty data directory or the empty database of DATABASE_URL; mail that was queued is put on hold',
    )
    .argument('<file>', 'the backup; - for standard input')
    .option('--check', 'only read the file to its end to check that it is complete')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nAfterwards: "sendwright queue" lists the held mail, "sendwright queue release --restored" sends it,\n"sendwright queue fail --restored" marks it as failed.',
    )
    .action(async (file: string, options: Options) => {
      createOutput(options).record(await (options.check === true ? check(file) : restore(file)))
    })
}
