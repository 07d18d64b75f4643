import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { Command } from 'commander'
import { Sendwright } from '../../../sdk/src/index.ts'
import { readUrl } from '../connect.ts'
import { readEnvironment } from '../environment.ts'
import { CommandError } from '../failures.ts'
import { openBrowser } from '../open-browser.ts'
import { createOutput } from '../output.ts'
import { DEFAULT_PROFILE, profilesFileOf, readProfiles, writeProfiles } from './profiles.ts'

interface Options {
  url?: string
  key?: boolean
  browser: boolean
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

/** Asks for a key at the terminal, after opening the dashboard, or reads it from a pipe. */
async function readKey(url: string, options: Options): Promise<string> {
  if (options.key === true || !process.stdin.isTTY) {
    if (process.stdin.isTTY) return ask('API key: ', '')
    return (await readAll(process.stdin)).trim()
  }
  const page = `${url}/app`
  const isOpen = options.browser && (await openBrowser(page))
  process.stderr.write(
    `${isOpen ? 'Opened' : 'Open'} ${page}. Choose "API keys", create a key, and copy it here.\n`,
  )
  return ask('API key: ', '')
}

/** Throws CommandError if the server rejects the key, SendwrightError if it cannot be reached. */
async function findPermission(baseUrl: string, apiKey: string): Promise<'full' | 'restricted'> {
  const { error } = await new Sendwright({ baseUrl, apiKey, retries: 0 }).domains.list({ limit: 1 })
  if (error === null) return 'full'
  if (error.statusCode === 401) throw new CommandError('The server does not accept this key.')
  if (error.statusCode === 403) return 'restricted'
  throw error
}

async function login(options: Options): Promise<void> {
  const environment = readEnvironment()
  const profiles = readProfiles(environment)
  const name = options.profile ?? environment.profile ?? DEFAULT_PROFILE
  const known = profiles.byName[name]?.url ?? environment.url
  const given =
    options.url ??
    known ??
    (await ask('URL of the server: ', 'Name the server with --url, for example https://mail.example.com.'))
  const url = readUrl(given)
  const apiKey = await readKey(url, options)
  if (!/^\S+$/.test(apiKey)) throw new CommandError('There is no key. Pass it on standard input.')
  const permission = await findPermission(url, apiKey)
  writeProfiles(environment, { current: name, byName: { ...profiles.byName, [name]: { url, apiKey } } })
  const file = profilesFileOf(environment)
  createOutput(options).record({ object: 'profile', name, url, permission, current: true, file })
}

export function loginCommand(): Command {
  return new Command('login')
    .description('store the URL of a server and an API key for it')
    .option('--url <url>', 'the server; by default the one of the profile, or SENDWRIGHT_URL')
    .option('--key', 'ask for the key at once; from a pipe, it is always read from standard input')
    .option('--no-browser', 'do not open the dashboard')
    .option('--profile <name>', `the name to store them under; by default "${DEFAULT_PROFILE}"`)
    .option('--json', 'print JSON')
    .action(login)
}
