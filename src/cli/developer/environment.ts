import { homedir } from 'node:os'
import { join } from 'node:path'

/** What the commands take from the environment. */
export interface Environment {
  /** An API key that replaces the one of the profile. */
  apiKey: string | null
  /** A URL that replaces the one of the profile. */
  url: string | null
  /** The profile for commands without `--profile`. */
  profile: string | null
  /** The folder of the profiles. */
  configDir: string
  /** The folder of the positions of `listen`. */
  stateDir: string
}

/** Reads the environment. Folders follow the XDG Base Directory Specification. */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const readVariable = (name: string) => variables[name]?.trim() || null
  return {
    apiKey: readVariable('SENDWRIGHT_API_KEY'),
    url: readVariable('SENDWRIGHT_URL'),
    profile: readVariable('SENDWRIGHT_PROFILE'),
    configDir: join(readVariable('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'sendwright'),
    stateDir: join(readVariable('XDG_STATE_HOME') ?? join(homedir(), '.local', 'state'), 'sendwright'),
  }
}
