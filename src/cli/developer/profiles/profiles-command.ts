import { Command } from 'commander'
import { readEnvironment } from '../environment.ts'
import { CommandError } from '../failures.ts'
import { createOutput } from '../output.ts'
import { findProfile, type Profiles, readProfiles, writeProfiles } from './profiles.ts'

const COLUMNS = ['name', 'url', 'key', 'current']
/** The prefix of a key, with the name of its cell. */
const KEY_START = /^sw_(?:[a-z0-9]{1,8}_)?/
const SHOWN_LENGTH = 5

interface Options {
  json?: boolean
}

/** Returns as much of a key as the server's own lists show. */
function showKey(apiKey: string): string {
  const [start] = KEY_START.exec(apiKey) ?? ['sw_']
  return `${apiKey.slice(0, start.length + SHOWN_LENGTH)}…`
}

function profilesToJson({ current, byName }: Profiles) {
  return Object.entries(byName).map(([name, { url, apiKey }]) => ({
    object: 'profile',
    name,
    url,
    key: showKey(apiKey),
    current: name === current,
  }))
}

/** Changes the profiles, and prints the result. Throws CommandError if there is no such profile. */
function change(name: string, options: Options, work: (profiles: Profiles) => Profiles): void {
  const environment = readEnvironment()
  const before = readProfiles(environment)
  if (findProfile(before, name) === null) {
    throw new CommandError(`There is no profile "${name}". Run "sendwright profiles" to list them.`)
  }
  const after = work(before)
  writeProfiles(environment, after)
  createOutput(options).rows(profilesToJson(after), COLUMNS)
}

export function profilesCommand(): Command {
  const profiles = new Command('profiles').description('List and choose the servers that "login" stored')
  const verb = (name: string, description: string, isDefault = false) =>
    profiles.command(name, { isDefault }).description(description).option('--json', 'print JSON')
  verb('list', 'list the profiles; the default', true).action((options: Options) => {
    createOutput(options).rows(profilesToJson(readProfiles(readEnvironment())), COLUMNS)
  })
  verb('use', 'use a profile for commands that name none')
    .argument('<name>')
    .action((name: string, options: Options) =>
      change(name, options, (before) => ({ ...before, current: name })),
    )
  verb('remove', 'forget a server and its key; the key stays valid')
    .argument('<name>')
    .action((name: string, options: Options) =>
      change(name, options, ({ current, byName }) => ({
        current: current === name ? null : current,
        byName: Object.fromEntries(Object.entries(byName).filter(([other]) => other !== name)),
      })),
    )
  return profiles
}
