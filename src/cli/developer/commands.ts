import type { Command } from 'commander'

/** Creates a command. Its code is loaded only then, because most runs of the program need one command. */
export type LoadCommand = () => Promise<Command>

/**
 * The commands that call the API, by name. They need no database and no settings of a server, so the entry of the program
 * loads them without the server's code. Their names are plural or new, those of operators' commands singular.
 */
export const DEVELOPER_COMMANDS: Readonly<Record<string, LoadCommand>> = {
  login: async () => (await import('./profiles/login.ts')).loginCommand(),
  profiles: async () => (await import('./profiles/profiles-command.ts')).profilesCommand(),
  emails: async () => (await import('./emails/emails.ts')).emailsCommand(),
  listen: async () => (await import('./listen/listen.ts')).listenCommand(),
  templates: async () => (await import('./templates/templates.ts')).templatesCommand(),
  domains: async () => (await import('./domains.ts')).domainsCommand(),
  contacts: async () => (await import('./contacts.ts')).contactsCommand(),
  campaigns: async () => (await import('./campaigns.ts')).campaignsCommand(),
  automations: async () => (await import('./automations.ts')).automationsCommand(),
  events: async () => (await import('./events.ts')).eventsCommand(),
  import: async () => (await import('./import/import.ts')).importCommand(),
  captured: async () => (await import('./captured.ts')).capturedCommand(),
}

/** Returns the command with this name alone, or all of them if none has it, for help and suggestions. */
export async function loadCommands(
  commands: Readonly<Record<string, LoadCommand>>,
  name: string | undefined,
): Promise<Command[]> {
  const isOne = name !== undefined && Object.hasOwn(commands, name)
  const loads = isOne ? [commands[name] as LoadCommand] : Object.values(commands)
  return Promise.all(loads.map((load) => load()))
}
