import { Command } from 'commander'
import { campaignsCommand } from './campaigns.ts'
import { capturedCommand } from './captured.ts'
import { contactsCommand } from './contacts.ts'
import { domainsCommand } from './domains.ts'
import { emailsCommand } from './emails/emails.ts'
import { importCommand } from './import/import.ts'
import { listenCommand } from './listen/listen.ts'
import { loginCommand } from './profiles/login.ts'
import { profilesCommand } from './profiles/profiles-command.ts'
import { templatesCommand } from './templates/templates.ts'

const HELP_WIDTH = 110

/** Creates the commands that call the API. */
export function developerCommands(): Command[] {
  return [
    loginCommand(),
    profilesCommand(),
    emailsCommand(),
    listenCommand(),
    templatesCommand(),
    domainsCommand(),
    contactsCommand(),
    campaignsCommand(),
    importCommand(),
    capturedCommand(),
  ]
}

/** Creates a command line with these commands alone. */
export function createDeveloperProgram(): Command {
  const program = new Command('sendwright')
  for (const command of developerCommands()) program.addCommand(command)
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
