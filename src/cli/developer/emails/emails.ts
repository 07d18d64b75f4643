import { Command } from 'commander'
import type { Email, EventType, FeedEvent } from '../../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from '../connect.ts'
import { addVerb, definedOptions, readRecordCount } from '../options.ts'
import { createLines, createOutput, formatCell } from '../output.ts'
import { take } from '../take.ts'
import { abortOnSignal } from '../until-signal.ts'
import { addSendOptions, sendEmail } from './send-email.ts'

interface TailOptions extends CommonOptions {
  type?: string[]
  fromStart?: boolean
  limit?: number
}

const TYPE_WIDTH = 22

const COLUMNS = ['id', 'status', 'to', 'subject', 'created_at']
const COUNT_DEFAULT = 20
const PAGE_MAX = 100

interface ListOptions extends CommonOptions {
  status?: Email['status']
  to?: string
  from?: string
  tag?: string
  query?: string
  limit: number
}

async function list({ status, to, from, tag, query: q, limit, ...common }: ListOptions): Promise<void> {
  const filters = definedOptions({ status, to, from, tag, q })
  const { client } = connect(common)
  const emails = await take(client.emails.list({ ...filters, limit: Math.min(limit, PAGE_MAX) }), limit)
  createOutput(common).rows(emails, COLUMNS)
}

async function get(id: string, options: CommonOptions): Promise<void> {
  createOutput(options).record(await connect(options).client.emails.get(id).orThrow())
}

export function emailsCommand(): Command {
  const emails = new Command('emails').description('Send emails and follow their delivery')
  addSendOptions(addVerb(emails, 'send', 'send an email')).action(sendEmail)
  addVerb(emails, 'list', 'list emails, newest first')
    .option('--status <status>', 'for example bounced')
    .option('--to <address>', 'only emails to this address')
    .option('--from <address>', 'only emails from this address')
    .option('--tag <tag>', 'only emails with this tag, as name or name:value')
    .option('--query <text>', 'search')
    .option('--limit <count>', 'how many', readRecordCount, COUNT_DEFAULT)
    .action(list)
  addVerb(emails, 'get', 'show an email with its content, recipients and events').argument('<id>').action(get)
  addVerb(emails, 'tail', 'print events of emails as they happen, until Ctrl-C')
    .argument('[id]', 'only events of this email')
    .option('--type <types...>', 'only events of these types, for example email.bounced')
    .option('--from-start', 'begin with the oldest event instead of the next one')
    .option('--limit <count>', 'end after so many events', readRecordCount)
    .action(tailEmails)
  return emails
}

/** Prints the events of emails until a signal, or until there were as many as asked for. */
async function tailEmails(id: string | undefined, options: TailOptions): Promise<void> {
  const { type, fromStart, limit = Number.POSITIVE_INFINITY } = options
  const { client } = connect(options)
  const lines = createLines(options)
  const stream = client.events.stream({
    from: fromStart === true ? 'start' : 'end',
    signal: abortOnSignal(),
    // The server rejects types that it does not know.
    ...(type === undefined ? {} : { types: type as EventType[] }),
    ...(id === undefined ? {} : { email_id: id }),
  })
  let count = 0
  for await (const event of stream) {
    if (!event.type.startsWith('email.')) continue
    lines.write(event, describe(event))
    count += 1
    if (count >= limit) break
  }
}

function describe({ type, created_at, data }: FeedEvent): string {
  const { recipient, to, subject, response } = data as Record<string, unknown>
  const whom = recipient ?? (Array.isArray(to) ? to.join(', ') : to)
  const parts = [whom, subject, response].filter((part) => typeof part === 'string' && part !== '')
  return [created_at, type.padEnd(TYPE_WIDTH), ...parts.map(formatCell)].join('  ')
}
