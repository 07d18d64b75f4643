import { Command } from 'commander'
import { migrate } from '../../db/migrate.ts'
import { createOutput } from '../output.ts'
import { withDatabase } from './installation.ts'

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database to the newest schema; "serve" does so by itself when it starts')
    .option('--json', 'answer in JSON')
    .action(async (options: { json?: boolean }) => {
      const applied = await withDatabase(({ db, clock }) => migrate(db, clock.now()))
      createOutput(options).rows(
        applied.map((name) => ({ object: 'migration', name })),
        ['name'],
      )
    })
}
