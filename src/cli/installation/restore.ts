import { Command } from 'commander'
import type { Config } from '../../config/config.ts'
import type { BackupHeader } from '../../db/backup/backup-header.ts'
import { readHeader, readTables } from '../../db/backup/load-backup.ts'
import { makeDataDir } from '../../db/embedded/data-dir.ts'
import { withFreshCluster } from '../../db/embedded/fresh-cluster.ts'
import { findSecretText, makeSecretFile, removeSecretFile } from '../../lib/crypto/seal.ts'
import { createLog } from '../../lib/log.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { refuseNewer, restoreDatabase } from '../../operator/restore/restore-database.ts'
import { chooseSecret } from '../../operator/restore/restore-secret.ts'
import { createOutput } from '../output.ts'
import { createProgress } from './backup.ts'
import { withBackupFile } from './backup-file.ts'
import { readSettings } from './installation.ts'

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
    const header = await readHeader(frames)
    await refuseNewer(header)
    const secret = chooseSecret(config, header)
    const restored = await withEmptyDatabase(config, (url) =>
      withSecret(config, secret, () => restoreDatabase(url, header, frames, systemClock.now(), onTable)),
    )
    const { rows, held, migrations } = restored
    return { ...headerToJson(header), rows, bytes: sum.bytes, held_recipients: held, migrated: migrations }
  })
}

async function withEmptyDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== null) return work(config.databaseUrl)
  return withFreshCluster(config.dataDir, createLog('error', process.stderr), work)
}

/**
 * Where no setting says it, the next start must find it: in its place before there is a database that it opens, and gone
 * again when there will be none.
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
    removeSecretFile(dataDir)
    throw error
  })
}

/** Reads all of a backup, and tells what is in it. */
async function check(file: string) {
  const { sum, onTable } = createProgress()
  return withBackupFile(file, async (frames) => {
    const header = await readHeader(frames)
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
      'make an empty data directory, or the empty database of DATABASE_URL, what a backup says; what was open then is put on hold',
    )
    .argument('<file>', 'the backup; - for standard input')
    .option('--check', 'only read the file to its end, and say whether it is whole')
    .option('--json', 'answer in JSON')
    .addHelpText(
      'after',
      '\nAfterwards: "sendwright queue" shows what is held, "sendwright queue release --restored" sends it,\n"sendwright queue fail --restored" gives it up.',
    )
    .action(async (file: string, options: Options) => {
      createOutput(options).record(await (options.check === true ? check(file) : restore(file)))
    })
}
