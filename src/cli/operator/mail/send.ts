import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { buffer as readAll } from 'node:stream/consumers'
import { Command } from 'commander'
import { createAcceptBatcher } from '../../../emails/accept/accept-batch.ts'
import { createAcceptEmail } from '../../../emails/accept/accept-email.ts'
import { createKnownMessageIds } from '../../../emails/accept/message-ids-queries.ts'
import { createTracker } from '../../../emails/content/tracker.ts'
import type { AttachmentRequest, SendRequest } from '../../../emails/request/draft-email.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { createHashAddress } from '../../../lib/crypto/erased-address.ts'
import { deriveKey, TRACKING_LINKS } from '../../../lib/crypto/seal.ts'
import { newId } from '../../../lib/ids.ts'
import { createTemplateCache } from '../../../templates/template-cache.ts'
import { createFindTracking } from '../../../tracking/domain-tracking.ts'
import { collect } from '../../developer/options.ts'
import { createOutput } from '../../developer/output.ts'
import { readId } from '../installation/arguments.ts'
import {
  type Installation,
  openInstallationSecret,
  requireTeam,
  withInstallation,
} from '../installation/installation.ts'

interface Options {
  team?: string
  from: string
  to: string[]
  cc?: string[]
  bcc?: string[]
  replyTo?: string[]
  subject: string
  text?: string
  html?: string
  textFile?: string
  htmlFile?: string
  attach?: string[]
  scheduledAt?: string
  json?: boolean
}

/** Reads a file named on the command line. Throws ApiError when it cannot be read. */
async function readArgumentFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new ApiError('bad_request', `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Returns UTF-8 text without its byte order mark. Throws ApiError for another encoding, whose letters would be lost. */
function decodeUtf8(path: string, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ApiError('bad_request', `${path} is not UTF-8 text.`)
  return new TextDecoder().decode(bytes)
}

async function readBody(text: string | undefined, path: string | undefined): Promise<string | undefined> {
  return path === undefined ? text : decodeUtf8(path, await readArgumentFile(path))
}

async function readAttachment(path: string): Promise<AttachmentRequest> {
  return { filename: basename(path), content: (await readArgumentFile(path)).toString('base64') }
}

/** Builds the request of `POST /emails`. Without a body option, the text is read from standard input. */
async function readRequest(options: Options): Promise<SendRequest> {
  const html = await readBody(options.html, options.htmlFile)
  const textOption = await readBody(options.text, options.textFile)
  const isEmpty = textOption === undefined && html === undefined
  const text = isEmpty ? decodeUtf8('Standard input', await readAll(process.stdin)) : textOption
  const attachments = await Promise.all((options.attach ?? []).map(readAttachment))
  return {
    from: options.from,
    to: options.to,
    subject: options.subject,
    cc: options.cc ?? [],
    bcc: options.bcc ?? [],
    reply_to: options.replyTo ?? [],
    attachments,
    scheduled_at: options.scheduledAt ?? null,
    ...(html === undefined ? {} : { html }),
    ...(text === undefined ? {} : { text }),
  }
}

/** Accepts the email as the API does. The server delivers it now or when it next runs. */
async function send(installation: Installation, request: SendRequest, teamId: string | undefined) {
  const { config, db, clock } = installation
  const team = await requireTeam(db, teamId)
  const { messageLifetimeMs } = config
  const wake = () => {}
  const secret = await openInstallationSecret(installation)
  const batcher = createAcceptBatcher({
    db,
    clock,
    hashAddress: createHashAddress(secret),
    nodeId: newId(),
    messageLifetimeMs,
    handOff: null,
    wake,
  })
  const accept = createAcceptEmail({
    clock,
    // Attachments on the command line are local files, which are already read.
    openFiles: () => ({ fetchFile: async () => ({ problem: 'must be a file' }), end: () => {} }),
    templates: createTemplateCache(db),
    // The command line does not support lists and topics.
    unsubscribeHeaders: async () => [],
    track: createTracker(deriveKey(secret, TRACKING_LINKS), createFindTracking(db, config.publicUrl)),
    messageIds: createKnownMessageIds(db),
    commit: (acceptRequest) => batcher.add(acceptRequest),
  })
  const { emailIds } = await accept(request, { teamId: team.id, domainId: null, keyId: null }, null)
  return { id: emailIds[0] }
}

export function sendCommand(): Command {
  return new Command('send')
    .description('accept an email for delivery, as POST /emails does')
    .requiredOption(
      '--from <address>',
      'an address of a verified domain, for example "Shop <orders@example.com>"',
    )
    .requiredOption('--to <address>', 'a recipient; may be repeated', collect)
    .requiredOption('--subject <text>', 'the subject')
    .option('--text <text>', 'the text part; without text and html, it is read from standard input')
    .option('--html <html>', 'the HTML part')
    .option('--text-file <path>', 'a file with the text part')
    .option('--html-file <path>', 'a file with the HTML part')
    .option('--cc <address>', 'may be repeated', collect)
    .option('--bcc <address>', 'may be repeated', collect)
    .option('--reply-to <address>', 'may be repeated', collect)
    .option('--attach <path>', 'a file to attach; may be repeated', collect)
    .option('--scheduled-at <time>', 'an ISO 8601 time, or text such as "in 2 hours", within 365 days')
    .option('--team <id>', 'the sending team; optional when there is only one', readId)
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const request = await readRequest(options)
      const email = await withInstallation((installation) => send(installation, request, options.team))
      createOutput(options).record(email)
    })
}
