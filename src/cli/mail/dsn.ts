import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Command } from 'commander'
import { isHardBounce } from '../../classification/classify-dsn.ts'
import type { Dsn, DsnRecipient } from '../../classification/dsn.ts'
import { readDsn } from '../../inbound/dsn/read-dsn.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createOutput } from '../output.ts'

const COLUMNS = [
  'file',
  'kind',
  'recipient',
  'action',
  'category',
  'hard',
  'fault',
  'enhanced_code',
  'smtp_code',
  'advice',
]

/** What is said of nobody. */
const NOBODY = {
  recipient: null,
  action: null,
  feedback: null,
  state: null,
  category: null,
  hard: false,
  fault: null,
  suppress: false,
  enhanced_code: null,
  smtp_code: null,
  mx_host: null,
  response: null,
  advice: null,
}

/** A row for each recipient; one where none is named. */
function dsnToJson(file: string, dsn: Dsn) {
  const { kind } = dsn
  if (dsn.kind === 'delivery_status') {
    return dsn.recipients.map((recipient) => ({ file, kind, ...NOBODY, ...recipientToJson(recipient) }))
  }
  if (dsn.kind !== 'complaint') return [{ file, kind, ...NOBODY }]
  const { feedback } = dsn
  const named = dsn.recipients.length === 0 ? [null] : dsn.recipients
  return named.map((recipient) => ({ file, kind, ...NOBODY, recipient, feedback }))
}

function recipientToJson({ verdict, ...told }: DsnRecipient) {
  return {
    recipient: told.address,
    action: told.action,
    state: verdict?.state ?? null,
    category: verdict?.category ?? null,
    hard: verdict !== null && isHardBounce(verdict),
    fault: verdict?.fault ?? null,
    suppress: verdict?.suppress ?? false,
    enhanced_code: told.enhancedCode,
    smtp_code: told.smtpCode,
    mx_host: told.mxHost,
    response: told.response,
    advice: verdict?.advice ?? null,
  }
}

async function readMessage(path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin)
  try {
    return await readFile(path)
  } catch (error) {
    throw new ApiError('bad_request', `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

export function dsnCommand(): Command {
  const command = new Command('notice').description('look at what comes back: bounces, delays, complaints')
  command
    .command('read')
    .description('say what messages that came back mean, for each recipient; needs no database')
    .argument('<file...>', 'messages as they came (.eml); - for standard input')
    .option('--json', 'answer in JSON')
    .action(async (paths: string[], options: { json?: boolean }) => {
      const rows = []
      for (const path of paths) rows.push(...dsnToJson(path, readDsn(await readMessage(path))))
      createOutput(options).rows(rows, COLUMNS)
    })
  return command
}
