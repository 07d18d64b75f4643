import { Command } from 'commander'
import { migrate } from '../../db/migrate.ts'
import { createOutput } from '../output.ts'
import { withDatabase } from './installation.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('migrate the database to the current schema; "serve" does this when it starts')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const applied = await withDatabase(({ db, clock }) => migrate(db, clock.now()))
      createOutput(options).rows(
        applied.map((name) => ({ object: 'migration', name })),
        ['name'],
      )
    })
}
