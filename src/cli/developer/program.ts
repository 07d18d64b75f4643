import { Command } from 'commander'
import { DEVELOPER_COMMANDS, loadCommands } from './commands.ts'

const HELP_WIDTH = 110

/** Creates a command line with the developers' commands that these arguments need. */
export async function createDeveloperProgram([name]: readonly string[]): Promise<Command> {
  const program = new Command('sendwright')
  for (const command of await loadCommands(DEVELOPER_COMMANDS, name)) program.addCommand(command)
  return configureProgram(program)
}

/** Makes usage errors exceptions, and help as wide as on any other terminal. */
export function configureProgram(program: Command): Command {
  for (const command of withSubcommands(program)) {
    command.exitOverride().showSuggestionAfterError().configureHelp({ helpWidth: HELP_WIDTH })
  }
  return program
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}
