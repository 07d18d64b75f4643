import { setTimeout as pause } from 'node:timers/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Import, Sendwright } from '../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from './connect.ts'
import { readArgumentFile } from './files.ts'
import { addVerb, collect, definedOptions } from './options.ts'
import { createOutput, formatCell } from './output.ts'

const DELIMITERS = ['comma', 'semicolon', 'tab', 'pipe'] as const
const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const

interface Options extends CommonOptions {
  list?: string[]
  mapping?: string
  delimiter?: (typeof DELIMITERS)[number]
  encoding?: (typeof ENCODINGS)[number]
  ignoreUnknown?: boolean
  wait: boolean
}

const POLL_FIRST_MS = 100
const POLL_MAX_MS = 2_000
/** A file of the largest size takes the server minutes, not seconds. */
const UPLOAD_TIMEOUT_MS = 600_000

function readMapping(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    throw new InvalidArgumentError('It must be a JSON object, for example {"E-mail":"email"}.')
  }
}

/** Polls until the import has ended. */
async function waitForEnd(client: Sendwright, id: string): Promise<Import> {
  for (let delayMs = POLL_FIRST_MS; ; delayMs = Math.min(POLL_MAX_MS, delayMs * 2)) {
    const state = await client.contacts.getImport(id).orThrow()
    if (state.status === 'completed' || state.status === 'failed') return state
    await pause(delayMs)
  }
}

async function importFile(file: string, options: Options): Promise<void> {
  const { client } = connect(options)
  const csvImport = await client.contacts
    .import(
      new Uint8Array(await readArgumentFile(file)),
      definedOptions({
        list_ids: options.list?.join(','),
        mapping: options.mapping,
        delimiter: options.delimiter,
        encoding: options.encoding,
        ignore_unknown: options.ignoreUnknown,
      }),
      { timeoutMs: UPLOAD_TIMEOUT_MS },
    )
    .orThrow()
  if (!options.wait) return createOutput(options).record(csvImport)
  const state = await waitForEnd(client, csvImport.id).catch((error: unknown) => {
    // Somebody who did not know would import the file again.
    process.stderr.write(`The import goes on: see GET /contacts/imports/${formatCell(csvImport.id)}.\n`)
    throw error
  })
  createOutput(options).record(state)
  reportRejected(state)
  if (state.status === 'failed' || state.rows_failed > 0) process.exitCode = 1
}

/** Prints the rejected rows on standard error, a line each. */
function reportRejected({ id, rows_failed, errors }: Import): void {
  for (const { line, message } of errors) {
    process.stderr.write(`${formatCell(`Line ${line}: ${message}`)}\n`)
  }
  const others = rows_failed - errors.length
  if (others <= 0) return
  const path = `/contacts/imports/${formatCell(id)}/errors`
  process.stderr.write(`${others} more rows were rejected: see GET ${path}.\n`)
}

export function contactsCommand(): Command {
  const contacts = new Command('contacts').description('Import contacts')
  addVerb(contacts, 'import', 'import contacts from a CSV file whose first line names the columns')
    .argument('<file>')
    .option('--list <id>', 'add every contact to this list; may be repeated', collect)
    .option(
      '--mapping <json>',
      'fields for columns, for example {"E-mail":"email","Notes":null}',
      readMapping,
    )
    .addOption(
      new Option('--delimiter <name>', 'by default the most frequent one in the first line').choices(
        DELIMITERS,
      ),
    )
    .addOption(
      new Option('--encoding <name>', 'by default that of the byte order mark, or utf-8').choices(ENCODINGS),
    )
    .option('--ignore-unknown', 'skip columns that are not known')
    .option('--no-wait', 'do not wait for the end of the import')
    .action(importFile)
  return contacts
}
