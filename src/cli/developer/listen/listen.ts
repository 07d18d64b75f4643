import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { EventType, FeedEvent, SendwrightError } from '../../../../packages/sdk/src/index.ts'
import { type CommonOptions, type Connection, connect } from '../connect.ts'
import type { Environment } from '../environment.ts'
import { CommandError } from '../failures.ts'
import { readTextFile, writePrivateFile } from '../files.ts'
import { withCommonOptions } from '../options.ts'
import { createLines, formatCell } from '../output.ts'
import { abortOnSignal } from '../until-signal.ts'
import { type Forwarded, forwardEvent } from './forward-event.ts'

const SECRET_BYTES = 32

/** The position of `listen` in the events of one key, for one local server. It outlives the process. */
interface Position {
  /** Returns null before the first event. */
  read(): string | null
  write(cursor: string): void
}

interface Options extends CommonOptions {
  forwardTo: string
  type?: string[]
  secret?: string
  new?: boolean
}

const TYPE_WIDTH = 24

function readTarget(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be a URL, for example http://localhost:3000/hooks.')
  }
  return url.href
}

function readSigningSecret(text: string): string {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new InvalidArgumentError('It must be the secret of a webhook: whsec_ and base64.')
  }
  return text
}

/**
 * Returns where to continue, and stores it: the position of the last run, or the end of the feed. A position is stored
 * before the first event, so that a restart misses none.
 */
async function findStart({ client }: Connection, position: Position, isNew: boolean): Promise<string> {
  const cursor = isNew ? null : position.read()
  const query = cursor === null ? ({ from: 'end' } as const) : { after: cursor }
  const { data, error } = await client.events.list({ ...query, limit: 1 })
  if (error !== null) throw cursor === null ? error : explainPosition(error)
  const start = cursor ?? data.next_cursor
  position.write(start)
  return start
}

/** A database that was restored may not have the position. */
function explainPosition(error: SendwrightError): Error {
  if (error.statusCode !== 422) return error
  return new CommandError(
    `The position of the last run is not valid on this server: ${formatCell(error.message)}\nRun the command with --new to begin with the next event.`,
  )
}

/**
 * Forwards events until a signal. Each turn takes one event, forwards it until a server has answered, then stores the
 * position after it. Whatever ends in between, the event comes again: at least once, in order, as with webhooks.
 */
async function listen(options: Options): Promise<void> {
  const connection = connect(options)
  const position = openPosition(connection, options.forwardTo)
  const secret = options.secret ?? readSecret(connection.environment)
  const after = await findStart(connection, position, options.new === true)
  const signal = abortOnSignal()
  const types = options.type === undefined ? {} : { types: options.type as EventType[] }
  const stream = connection.client.events.stream({ after, signal, ...types })
  const lines = createLines(options)
  const note = (text: string) => process.stderr.write(`${text}\n`)
  const target = {
    url: options.forwardTo,
    secret,
    onAway: (reason: string) =>
      note(`No server at ${options.forwardTo} (${reason}). Retrying until there is one.`),
  }
  note(`Forwarding the events of ${connection.url} to ${options.forwardTo}. Ctrl-C ends it.`)
  note(`Signing secret: ${secret}`)
  for await (const event of stream) {
    const forwarded = await forwardEvent(target, event, signal)
    if (forwarded === null) break
    position.write(stream.cursor ?? after)
    lines.write(forwardedToJson(event, forwarded), describe(event, forwarded))
  }
}

function forwardedToJson({ id, type, created_at }: FeedEvent, { status, durationMs, attempts }: Forwarded) {
  return {
    object: 'forwarded_event',
    event_id: id,
    type,
    created_at,
    status,
    duration_ms: durationMs,
    attempts,
  }
}

function describe({ id, type, created_at }: FeedEvent, { status, durationMs }: Forwarded): string {
  const answer = status === null ? 'no answer' : String(status)
  return `${created_at}  ${formatCell(type).padEnd(TYPE_WIDTH)}  ${id}  ${answer} in ${durationMs} ms`
}

export function listenCommand(): Command {
  const command = new Command('listen').description(
    'forward events to a server on this machine as webhooks, without a public address',
  )
  return withCommonOptions(command)
    .requiredOption('--forward-to <url>', 'for example http://localhost:3000/hooks', readTarget)
    .option('--type <types...>', 'only events of these types, for example email.bounced')
    .option('--secret <secret>', 'the signing secret; by default one of this machine', readSigningSecret)
    .option('--new', 'begin with the next event instead of where the last run ended')
    .action(listen)
}

function openPosition({ url, apiKey, environment }: Connection, forwardTo: string): Position {
  const name = createHash('sha256').update(`${url}\n${apiKey}\n${forwardTo}`).digest('hex').slice(0, 24)
  const file = join(environment.stateDir, 'listen', `${name}.cursor`)
  return {
    read: () => readTextFile(file)?.trim() || null,
    write: (cursor) => writePrivateFile(file, `${cursor}\n`),
  }
}

/** Returns the secret that signs the events on this machine. It stays the same, so that it can be configured once. */
function readSecret({ stateDir }: Environment): string {
  const file = join(stateDir, 'listen', 'secret')
  const oldSecret = readTextFile(file)?.trim()
  if (oldSecret) return oldSecret
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  writePrivateFile(file, `${secret}\n`)
  return secret
}
