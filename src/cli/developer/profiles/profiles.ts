import { join } from 'node:path'
import type { Environment } from '../environment.ts'
import { CommandError } from '../failures.ts'
import { readTextFile, writePrivateFile } from '../files.ts'

/** A server and a key for it. */
export interface Profile {
  url: string
  apiKey: string
}

export interface Profiles {
  /** The profile for commands that name none. */
  current: string | null
  byName: Readonly<Record<string, Profile>>
}

/** Returns null if there is no such profile. Objects inherit names such as `constructor`, which are no profiles. */
export function findProfile({ byName }: Pick<Profiles, 'byName'>, name: string): Profile | null {
  return Object.hasOwn(byName, name) ? (byName[name] ?? null) : null
}

export const DEFAULT_PROFILE = 'default'

export function profilesFileOf({ configDir }: Environment): string {
  return join(configDir, 'profiles.json')
}

/** Reads the profiles; none if there is no file. Throws CommandError if the file is not valid. */
export function readProfiles(environment: Environment): Profiles {
  const file = profilesFileOf(environment)
  const text = readTextFile(file)
  if (text === null) return { current: null, byName: {} }
  const json = parse(text)
  if (json === null) {
    throw new CommandError(`${file} is not valid. Correct or delete it, then run "sendwright login".`)
  }
  const byName = Object.fromEntries(
    Object.entries(json.profiles).map(([name, { url, api_key }]) => [name, { url, apiKey: api_key }]),
  )
  return { current: json.current, byName }
}

interface StoredProfiles {
  current: string | null
  profiles: Record<string, { url: string; api_key: string }>
}

function parse(text: string): StoredProfiles | null {
  try {
    const { current = null, profiles } = JSON.parse(text) as Partial<StoredProfiles>
    const isValid = Object.values(profiles ?? {}).every(
      ({ url, api_key }) => URL.canParse(url) && typeof api_key === 'string',
    )
    return profiles !== undefined && isValid ? { current, profiles } : null
  } catch {
    return null
  }
}

export function writeProfiles(environment: Environment, { current, byName }: Profiles): void {
  const profiles = Object.fromEntries(
    Object.entries(byName).map(([name, { url, apiKey }]) => [name, { url, api_key: apiKey }]),
  )
  writePrivateFile(profilesFileOf(environment), `${JSON.stringify({ current, profiles }, null, 2)}\n`)
}
