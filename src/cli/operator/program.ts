import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Argument, Command } from 'commander'
import { describeSettings } from '../../config/config.ts'
import { VERSION } from '../../lib/version.ts'
import { createCompletion, SHELLS, type Shell } from '../developer/completion.ts'
import { configureProgram, developerCommands } from '../developer/program.ts'
import { backupCommand } from './installation/backup.ts'
import { doctorCommand } from './installation/doctor.ts'
import { SETTINGS_FILE } from './installation/installation.ts'
import { migrateCommand } from './installation/migrate.ts'
import { restoreCommand } from './installation/restore.ts'
import { serveCommand } from './installation/serve.ts'
import { keyCommand } from './keys.ts'
import { domainCommand } from './mail/domains.ts'
import { dsnCommand } from './mail/dsn.ts'
import { queueCommand } from './mail/queue.ts'
import { sendCommand } from './mail/send.ts'
import { sitesCommand } from './mail/sites.ts'
import { sourcesCommand } from './mail/sources.ts'
import { eraseCommand } from './people/erase.ts'
import { exportPersonCommand } from './people/export-person.ts'
import { retentionCommand } from './people/retention.ts'
import { userCommand } from './people/users.ts'
import { teamCommand } from './teams.ts'

const OPERATORS = "Commands for operators (on the server's database):"
const DEVELOPERS = 'Commands for developers (over the API):'

/** Creates the command line. It runs nothing before `parseAsync`. */
export function createProgram(): Command {
  const { description } = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8'),
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
    dsnCommand(),
    sourcesCommand(),
    doctorCommand(),
    migrateCommand(),
  ]
  for (const command of [serve, ...commands]) program.addCommand(command.helpGroup(OPERATORS))
  for (const command of developerCommands()) program.addCommand(command.helpGroup(DEVELOPERS))
  program.addCommand(completionCommand(program))
  for (const command of [program, serve]) command.addHelpText('after', `\n${describeEnvironment()}`)
  program.addHelpText('after', '\nExit codes: 0 success, 1 failure, 2 usage error.')
  return configureProgram(program)
}

function describeEnvironment(): string {
  const lines = describeSettings().map(({ name, help, secret }) => {
    const file = secret ? ` Or ${name}_FILE: a file that contains it.` : ''
    return `  ${name}\n      ${help}${file}`
  })
  return `Settings, from the environment or the file ${SETTINGS_FILE}:\n${lines.join('\n')}`
}

/** Prints what a shell needs to complete every command, operators' and developers'. */
function completionCommand(program: Command): Command {
  return new Command('completion')
    .description('print the completion for a shell, for example: source <(sendwright completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(createCompletion(shell, program))
    })
}
