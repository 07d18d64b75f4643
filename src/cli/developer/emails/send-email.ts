import { basename } from 'node:path'
import { buffer as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { SendEmail } from '../../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from '../connect.ts'
import { decodeUtf8, readArgumentFile } from '../files.ts'
import { collect, collectPair, definedOptions } from '../options.ts'
import { createOutput } from '../output.ts'

interface Options extends CommonOptions {
  from?: string
  to: string[]
  cc?: string[]
  bcc?: string[]
  replyTo?: string[]
  subject?: string
  text?: string
  html?: string
  textFile?: string
  htmlFile?: string
  attach?: string[]
  template?: string
  variable?: Record<string, string>
  tag?: Record<string, string>
  scheduledAt?: string
  idempotencyKey?: string
}

async function readBody(text: string | undefined, file: string | undefined): Promise<string | undefined> {
  return file === undefined ? text : decodeUtf8(file, await readArgumentFile(file))
}

/** Builds the request. Without a body option and a template, the text is read from standard input. */
async function readEmail(options: Options): Promise<SendEmail> {
  const { from, to, cc, bcc, replyTo, subject, attach, template, variable, tag, scheduledAt } = options
  const html = await readBody(options.html, options.htmlFile)
  const text = await readBody(options.text, options.textFile)
  const isEmpty = text === undefined && html === undefined && template === undefined
  // The server names the fields that are missing.
  return {
    to,
    ...definedOptions({
      from,
      cc,
      bcc,
      subject,
      html,
      text: isEmpty ? decodeUtf8('Standard input', await readAll(process.stdin)) : text,
      reply_to: replyTo,
      scheduled_at: scheduledAt,
      attachments: attach && (await Promise.all(attach.map(readAttachment))),
      template: template === undefined ? undefined : { id: template, variables: variable ?? {} },
      tags: tag && Object.entries(tag).map(([name, value]) => ({ name, value })),
    }),
  }
}

async function readAttachment(path: string) {
  return { filename: basename(path), content: await readArgumentFile(path) }
}

export async function sendEmail(options: Options): Promise<void> {
  const { idempotencyKey } = options
  const { client } = connect(options)
  const email = await readEmail(options)
  const sending = client.emails.send(email, definedOptions({ idempotencyKey }))
  createOutput(options).record(await sending.orThrow())
}

export function addSendOptions(command: Command): Command {
  return command
    .option('--from <address>', 'an address of a verified domain, for example "Shop <orders@example.com>"')
    .requiredOption('--to <address>', 'a recipient; may be repeated', collect)
    .option('--subject <text>', 'the subject')
    .option('--text <text>', 'the text part; without text, html and template, it is read from standard input')
    .option('--html <html>', 'the HTML part')
    .option('--text-file <path>', 'a file with the text part')
    .option('--html-file <path>', 'a file with the HTML part')
    .option('--cc <address>', 'may be repeated', collect)
    .option('--bcc <address>', 'may be repeated', collect)
    .option('--reply-to <address>', 'may be repeated', collect)
    .option('--attach <path>', 'a file to attach; may be repeated', collect)
    .option('--template <id>', 'the id or alias of a published template')
    .option('--variable <name=value>', 'a variable of the template; may be repeated', collectPair)
    .option('--tag <name=value>', 'may be repeated', collectPair)
    .option('--scheduled-at <time>', 'an ISO 8601 time, or text such as "in 2 hours", within 365 days')
    .option('--idempotency-key <key>', 'sends the email once, however often the command runs within 24 hours')
}
