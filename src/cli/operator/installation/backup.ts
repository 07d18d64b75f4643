import { Command } from 'commander'
import { writeBackupFile } from '../../../db/backup/backup-file.ts'
import type { TableProgress } from '../../../db/backup/backup-header.ts'
import { type BackupMade, insertBackupMade } from '../../../db/backup/backups-made.ts'
import { writeBackup } from '../../../db/backup/write-backup.ts'
import type { Db } from '../../../db/db-types.ts'
import { connectForLong } from '../../../db/own-connection.ts'
import { formatTime } from '../../../lib/time/format-time.ts'
import { describeSecret } from '../../../operator/restore/restore-secret.ts'
import { createOutput } from '../../developer/output.ts'
import { withDatabase } from './installation.ts'

const MEGABYTE = 1024 * 1024

/** Prints a line for each table that has rows, and sums them. */
export function createProgress() {
  const sum = { rows: 0, bytes: 0 }
  return {
    sum,
    onTable({ table, rows, bytes }: TableProgress) {
      sum.rows += rows
      sum.bytes += bytes
      if (rows > 0) process.stderr.write(`${table}: ${rows} rows, ${(bytes / MEGABYTE).toFixed(1)} MB\n`)
    },
  }
}

/**
 * Records the backup, so that operators see when the last one was made. The backup is valid without this: the
 * database of an older release has no such table.
 */
async function recordBackup(db: Db, backup: BackupMade): Promise<void> {
  try {
    await insertBackupMade(db, backup)
  } catch (error) {
    process.stderr.write(`The backup could not be recorded in the database: ${(error as Error).message}\n`)
  }
}

export function backupCommand(): Command {
  return new Command('backup')
    .description('write a consistent copy of the whole database to a file; the server may be running')
    .argument('<file>', 'the backup file; - for standard output')
    .option('--with-secret', 'include the secret key; anyone with the file can then decrypt everything')
    .option('--json', 'print JSON')
    .action(async (file: string, options: { withSecret?: boolean; json?: boolean }) => {
      const { sum, onTable } = createProgress()
      const now = await withDatabase(async ({ config, db, clock, url }) => {
        const secret = await describeSecret(db, config, options.withSecret === true)
        const at = clock.now()
        const client = await connectForLong(url, 'sendwright backup')
        const frames = writeBackup(client, { ...secret, now: at }, onTable)
        await writeBackupFile(file, frames).finally(() => client.end())
        await recordBackup(db, { madeAt: at, rows: sum.rows, bytes: sum.bytes })
        return at
      })
      const backup = { object: 'backup', file, created_at: formatTime(now), ...sum }
      if (file === '-') process.stderr.write(`${sum.rows} rows\n`)
      else createOutput(options).record({ ...backup, has_secret: options.withSecret === true })
    })
}
