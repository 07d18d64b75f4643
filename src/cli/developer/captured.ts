import { Command } from 'commander'
import type { CapturedEmailSummary, Sendwright } from '../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from './connect.ts'
import { CommandError } from './failures.ts'
import { openBrowser } from './open-browser.ts'
import { addVerb, readRecordCount } from './options.ts'
import { createOutput } from './output.ts'
import { take } from './take.ts'

const COLUMNS = ['id', 'envelope_to', 'subject', 'received_at']
const COUNT_DEFAULT = 20
const PAGE_MAX = 100
/** How far back `open --to` looks. */
const SEARCHED_MAX = 1_000

interface ListOptions extends CommonOptions {
  limit: number
}

interface OpenOptions extends CommonOptions {
  to?: string
}

async function list({ limit, ...common }: ListOptions): Promise<void> {
  const { client } = connect(common)
  const messages = await take(client.captured.list({ limit: Math.min(limit, PAGE_MAX) }), limit)
  createOutput(common).rows(messages, COLUMNS)
}

/** Returns the message with an id, or the newest one, to an address if one is given. Throws CommandError. */
async function findMessage(
  client: Sendwright,
  id: string | undefined,
  to: string | undefined,
): Promise<CapturedEmailSummary> {
  if (id !== undefined) return client.captured.get(id).orThrow()
  const newest = await take(client.captured.list({ limit: PAGE_MAX }), to === undefined ? 1 : SEARCHED_MAX)
  const message = newest.find(
    ({ envelope_to }) => to === undefined || envelope_to.toLowerCase() === to.toLowerCase(),
  )
  if (message !== undefined) return message
  throw new CommandError(`No message${to === undefined ? '' : ` to ${to}`} was captured.`)
}

/** Opens a message in the browser. Its link needs no login. Prints it too. */
async function open(id: string | undefined, options: OpenOptions): Promise<void> {
  const { client } = connect(options)
  const message = await findMessage(client, id, options.to)
  if (message.email_id === null) {
    throw new CommandError(`Message ${message.id} belongs to no email. Open it in the dashboard: "Captured".`)
  }
  const { url, expires_at } = await client.emails.share(message.email_id).orThrow()
  const { email_id, envelope_to, subject } = message
  createOutput(options).record({
    object: 'captured',
    id: message.id,
    email_id,
    envelope_to,
    subject,
    url,
    expires_at,
  })
  if (options.json !== true && process.stdout.isTTY) await openBrowser(url)
}

export function capturedCommand(): Command {
  const captured = new Command('captured').description('Read the messages that capture mode stores')
  addVerb(captured, 'list', 'list captured messages, newest first')
    .option('--limit <count>', 'how many', readRecordCount, COUNT_DEFAULT)
    .action(list)
  addVerb(captured, 'open', 'show a captured message in the browser; by default the newest')
    .argument('[id]')
    .option('--to <address>', 'the newest message to this address')
    .action(open)
  return captured
}
