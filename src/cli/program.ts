import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { VERSION } from '../base/version.ts'
import { describeSettings } from '../config.ts'
import { backupCommand } from './backup.ts'
import { doctorCommand } from './doctor.ts'
import { domainCommand } from './domains.ts'
import { eraseCommand } from './erase.ts'
import { exportPersonCommand } from './export-person.ts'
import { keyCommand } from './keys.ts'
import { migrateCommand } from './migrate.ts'
import { noticeCommand } from './notice.ts'
import { queueCommand } from './queue.ts'
import { restoreCommand } from './restore.ts'
import { retentionCommand } from './retention.ts'
import { sendCommand } from './send.ts'
import { serveCommand } from './serve.ts'
import { sitesCommand } from './sites.ts'
import { sourcesCommand } from './sources.ts'
import { teamCommand } from './teams.ts'
import { userCommand } from './users.ts'

const HELP_WIDTH = 110

/** The whole command line. Nothing is done before `parseAsync`. */
export function createProgram(): Command {
  const { description } = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
  ) as { description: string }
  const serve = serveCommand()
  const program = new Command('sendwright').description(description).version(VERSION)
  const commands = [
    teamCommand(),
    userCommand(),
    keyCommand(),
    domainCommand(),
    sendCommand(),
    queueCommand(),
    retentionCommand(),
    backupCommand(),
    restoreCommand(),
    eraseCommand(),
    exportPersonCommand(),
    sitesCommand(),
    noticeCommand(),
    sourcesCommand(),
    doctorCommand(),
    migrateCommand(),
  ]
  for (const command of [serve, ...commands]) program.addCommand(command)
  for (const command of [program, serve]) command.addHelpText('after', `\n${describeEnvironment()}`)
  program.addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 wrong use.')
  for (const command of withSubcommands(program)) {
    command.exitOverride().showSuggestionAfterError().configureHelp({ helpWidth: HELP_WIDTH })
  }
  return program
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

function describeEnvironment(): string {
  const lines = describeSettings().map(({ name, help, secret }) => {
    const file = secret ? ` Or ${name}_FILE: a file that holds it.` : ''
    return `  ${name}\n      ${help}${file}`
  })
  return `Settings, from the environment or the file .env:\n${lines.join('\n')}`
}
