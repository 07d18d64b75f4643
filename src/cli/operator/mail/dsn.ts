import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Command } from 'commander'
import { adviseVerdict } from '../../../classification/advise.ts'
import { isHardBounce } from '../../../classification/classify-dsn.ts'
import type { Dsn, DsnRecipient } from '../../../classification/dsn.ts'
import { readDsn } from '../../../inbound/dsn/read-dsn.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { createOutput } from '../../developer/output.ts'

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

/** The fields of a recipient when none is named. */
const NO_RECIPIENT = {
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

/** Returns a row for each recipient, or one row when none is named. */
function dsnToJson(file: string, dsn: Dsn) {
  const { kind } = dsn
  if (dsn.kind === 'delivery_status') {
    return dsn.recipients.map((recipient) => ({ file, kind, ...NO_RECIPIENT, ...recipientToJson(recipient) }))
  }
  if (dsn.kind !== 'complaint') return [{ file, kind, ...NO_RECIPIENT }]
  const { feedback } = dsn
  const recipients = dsn.recipients.length === 0 ? [null] : dsn.recipients
  return recipients.map((recipient) => ({ file, kind, ...NO_RECIPIENT, recipient, feedback }))
}

function recipientToJson({ verdict, ...report }: DsnRecipient) {
  return {
    recipient: report.address,
    action: report.action,
    state: verdict?.state ?? null,
    category: verdict?.category ?? null,
    hard: verdict !== null && isHardBounce(verdict),
    fault: verdict?.fault ?? null,
    suppress: verdict?.suppress ?? false,
    enhanced_code: report.enhancedCode,
    smtp_code: report.smtpCode,
    mx_host: report.mxHost,
    response: report.response,
    advice: verdict === null ? null : adviseVerdict(verdict),
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
  const command = new Command('notice').description('Inspect bounces, delay notices and complaints')
  command
    .command('read')
    .description('classify bounce and complaint messages for each recipient; needs no database')
    .argument('<file...>', 'raw messages (.eml); - for standard input')
    .option('--json', 'print JSON')
    .action(async (paths: string[], options: { json?: boolean }) => {
      const rows = []
      for (const path of paths) rows.push(...dsnToJson(path, readDsn(await readMessage(path))))
      createOutput(options).rows(rows, COLUMNS)
    })
  return command
}
