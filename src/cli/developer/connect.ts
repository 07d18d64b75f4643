import { Sendwright } from '../../../packages/sdk/src/index.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { CommandError } from './failures.ts'
import { DEFAULT_PROFILE, findProfile, type Profile, readProfiles } from './profiles/profiles.ts'

/** The options that every command has. */
export interface CommonOptions {
  profile?: string
  json?: boolean
}

/** A server to call, and the client for it. */
export interface Connection extends Profile {
  client: Sendwright
  environment: Environment
}

/** Returns the client of the chosen profile. Throws CommandError if there is none. */
export function connect(options: CommonOptions): Connection {
  const environment = readEnvironment()
  const profile = chooseProfile(environment, options.profile)
  const { url: baseUrl, apiKey } = profile
  const client = new Sendwright({ baseUrl, apiKey, headers: { 'user-agent': 'sendwright-cli' } })
  return { ...profile, client, environment }
}

/**
 * Chooses the profile that `--profile` names, or else SENDWRIGHT_PROFILE or the current one. SENDWRIGHT_API_KEY and
 * SENDWRIGHT_URL replace its parts.
 */
function chooseProfile(environment: Environment, profileName: string | undefined): Profile {
  if (profileName === undefined && environment.apiKey !== null && environment.url !== null) {
    return { url: readUrl(environment.url), apiKey: environment.apiKey }
  }
  const { current, byName } = readProfiles(environment)
  const name = profileName ?? environment.profile ?? current ?? DEFAULT_PROFILE
  const profile = findProfile({ byName }, name)
  if (profile === null) throw new CommandError(describeMissing(name, Object.keys(byName)))
  // A profile that was named on the command line is meant as it is.
  if (profileName !== undefined) return profile
  return { url: readUrl(environment.url ?? profile.url), apiKey: environment.apiKey ?? profile.apiKey }
}

function describeMissing(name: string, profiles: readonly string[]): string {
  if (profiles.length === 0) {
    return 'No server is known. Run "sendwright login", or set SENDWRIGHT_URL and SENDWRIGHT_API_KEY.'
  }
  return `There is no profile "${name}". The profiles are ${profiles.join(', ')}.`
}

/** Returns the URL without its last slash. Throws CommandError if it is not one. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(`"${text}" is not the URL of a server, for example https://mail.example.com.`)
  }
  return url.href.replace(/\/+$/, '')
}
