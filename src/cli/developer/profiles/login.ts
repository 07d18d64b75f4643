import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { Command } from 'commander'
import { Sendwright } from '../../../../packages/sdk/src/index.ts'
import { readUrl } from '../connect.ts'
import { readEnvironment } from '../environment.ts'
import { CommandError } from '../failures.ts'
import { createOutput } from '../output.ts'
import { logInByBrowser } from './device-login.ts'
import { DEFAULT_PROFILE, findProfile, profilesFileOf, readProfiles, writeProfiles } from './profiles.ts'

interface Options {
  url?: string
  key?: boolean
  /** Undefined: the browser on a terminal, a key from a pipe. */
  browser?: boolean
  profile?: string
  json?: boolean
}

/** Asks for a line. Throws CommandError without a terminal. */
async function ask(question: string, missing: string): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandError(missing)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

/** Asks a person to confirm the login in the browser, or reads a key from the terminal or a pipe. */
async function readKey(url: string, { key, browser }: Options): Promise<string> {
  const isTerminal = process.stdin.isTTY
  if (key !== true && (browser !== undefined || isTerminal)) return logInByBrowser(url, browser !== false)
  return isTerminal ? ask('API key: ', '') : (await readAll(process.stdin)).trim()
}

/** Throws CommandError if the server rejects the key, SendwrightError if it cannot be reached. */
async function findPermission(baseUrl: string, apiKey: string): Promise<'full' | 'restricted'> {
  const { error } = await new Sendwright({ baseUrl, apiKey }).domains.list({ limit: 1 })
  if (error === null) return 'full'
  if (error.statusCode === 401) throw new CommandError('The server does not accept this key.')
  if (error.statusCode === 403) return 'restricted'
  throw error
}

async function login(options: Options): Promise<void> {
  const environment = readEnvironment()
  const name = options.profile ?? environment.profile ?? DEFAULT_PROFILE
  const profileUrl = findProfile(readProfiles(environment), name)?.url ?? environment.url
  const urlText =
    options.url ??
    profileUrl ??
    (await ask('URL of the server: ', 'Name the server with --url, for example https://mail.example.com.'))
  const url = readUrl(urlText)
  const apiKey = await readKey(url, options)
  if (!/^\S+$/.test(apiKey)) throw new CommandError('There is no key. Pass it on standard input.')
  const permission = await findPermission(url, apiKey)
  // Read again: a login in the browser takes minutes.
  const { byName } = readProfiles(environment)
  writeProfiles(environment, { current: name, byName: { ...byName, [name]: { url, apiKey } } })
  const file = profilesFileOf(environment)
  createOutput(options).record({ object: 'profile', name, url, permission, current: true, file })
}

export function loginCommand(): Command {
  return new Command('login')
    .description('log in to a server in the browser, and store an API key for it')
    .option('--url <url>', 'the server; by default the one of the profile, or SENDWRIGHT_URL')
    .option('--key', 'enter an API key instead of opening the browser')
    .option(
      '--browser',
      'open the browser even if standard input is a pipe, from which a key is read otherwise',
    )
    .option('--no-browser', 'print the URL of the page instead of opening it; open it on any machine')
    .option('--profile <name>', `the name to store them under; by default "${DEFAULT_PROFILE}"`)
    .option('--json', 'print JSON')
    .action(login)
}
