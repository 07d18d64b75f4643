import { Command } from 'commander'
import { createOutput } from '../../developer/output.ts'
import { migrateInstallation, withDatabase } from './installation.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('migrate the database to the current schema; "serve" does this when it starts')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { applied } = await withDatabase(migrateInstallation)
      createOutput(options).rows(
        applied.map((name) => ({ object: 'migration', name })),
        ['name'],
      )
    })
}
