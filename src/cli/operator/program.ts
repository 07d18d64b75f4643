import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Argument, Command } from 'commander'
import { describeSettings } from '../../config/config.ts'
import { PROJECT_FOLDER } from '../../lib/project-folder.ts'
import { VERSION } from '../../lib/version.ts'
import { DEVELOPER_COMMANDS, type LoadCommand, loadCommands } from '../developer/commands.ts'
import { createCompletion, SHELLS, type Shell } from '../developer/completion.ts'
import { configureProgram } from '../developer/program.ts'
import { SETTINGS_FILE } from './installation/settings.ts'

/** The commands that work on the database of the server, by name, in the order of the help. */
const OPERATOR_COMMANDS: Readonly<Record<string, LoadCommand>> = {
  serve: async () => (await import('./installation/serve.ts')).serveCommand(),
  team: async () => (await import('./teams.ts')).teamCommand(),
  user: async () => (await import('./people/users.ts')).userCommand(),
  key: async () => (await import('./keys.ts')).keyCommand(),
  domain: async () => (await import('./mail/domains.ts')).domainCommand(),
  send: async () => (await import('./mail/send.ts')).sendCommand(),
  queue: async () => (await import('./mail/queue.ts')).queueCommand(),
  retention: async () => (await import('./people/retention.ts')).retentionCommand(),
  backup: async () => (await import('./installation/backup.ts')).backupCommand(),
  restore: async () => (await import('./installation/restore.ts')).restoreCommand(),
  erase: async () => (await import('./people/erase.ts')).eraseCommand(),
  'export-person': async () => (await import('./people/export-person.ts')).exportPersonCommand(),
  sites: async () => (await import('./mail/sites.ts')).sitesCommand(),
  notice: async () => (await import('./mail/dsn.ts')).dsnCommand(),
  sources: async () => (await import('./mail/sources.ts')).sourcesCommand(),
  doctor: async () => (await import('./installation/doctor.ts')).doctorCommand(),
  migrate: async () => (await import('./installation/migrate.ts')).migrateCommand(),
}

const OPERATORS = "Commands for operators (on the server's database):"
const DEVELOPERS = 'Commands for developers (over the API):'

/**
 * Creates the command line that these arguments need: the operators' command that they name, or all commands. It runs
 * nothing before `parseAsync`.
 */
export async function createProgram([name = '']: readonly string[]): Promise<Command> {
  const { description } = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
    description: string
  }
  const program = new Command('sendwright').description(description).version(VERSION)
  const operators = await loadCommands(OPERATOR_COMMANDS, name)
  const developers = Object.hasOwn(OPERATOR_COMMANDS, name)
    ? []
    : await loadCommands(DEVELOPER_COMMANDS, name)
  for (const command of operators) program.addCommand(command.helpGroup(OPERATORS))
  for (const command of developers) program.addCommand(command.helpGroup(DEVELOPERS))
  program.addCommand(completionCommand(program))
  const serve = operators.filter((command) => command.name() === 'serve')
  for (const command of [program, ...serve]) command.addHelpText('after', () => `\n${describeEnvironment()}`)
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
