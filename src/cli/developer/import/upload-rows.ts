import { setTimeout as pause } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import type { Import, Result, Sendwright } from '../../../../packages/sdk/src/index.ts'
import type { ContactRow } from './convert-contacts.ts'
import type { SuppressionRow } from './convert-suppressions.ts'
import type { Skipped } from './origins.ts'

/** A file is uploaded as CSV of this form. */
interface Upload {
  csv: string
  /** Where each row was in the export, in order. */
  places: readonly string[]
}

/** What the server did with the rows. */
export interface Uploaded {
  import_id: string
  status: string
  reason: string | null
  created: number
  updated: number
  rejected: Skipped[]
}

const POLL_FIRST_MS = 100
const POLL_MAX_MS = 2_000
/** A file of the largest size takes the server minutes, not seconds. */
const UPLOAD_TIMEOUT_MS = 600_000

/** Uploads suppressions, and waits until the server has imported them. Throws SendwrightError. */
export async function uploadSuppressions(
  client: Sendwright,
  rows: readonly SuppressionRow[],
): Promise<Uploaded> {
  const upload = toCsv(['email', 'reason'], rows, ({ email, reason }) => [email, reason])
  const { id } = await client.suppressions
    .import(upload.csv, { delimiter: 'comma' }, { timeoutMs: UPLOAD_TIMEOUT_MS })
    .orThrow()
  const state = await waitForEnd(() => client.suppressions.getImport(id))
  return describe(state, client.suppressions.importErrors(id), upload)
}

/** Uploads contacts with these properties, and waits until the server has imported them. Throws SendwrightError. */
export async function uploadContacts(
  client: Sendwright,
  rows: readonly ContactRow[],
  properties: readonly string[],
  listIds: readonly string[],
): Promise<Uploaded> {
  const columns = ['email', 'first_name', 'last_name', 'unsubscribed']
  const names = [...columns, ...properties.map((key) => `properties.${key}`)]
  const upload = toCsv(names, rows, (row) => [
    row.email,
    row.firstName,
    row.lastName,
    row.isUnsubscribed === null ? '' : String(row.isUnsubscribed),
    ...properties.map((key) => row.properties.get(key) ?? ''),
  ])
  const query = {
    delimiter: 'comma' as const,
    ...(listIds.length === 0 ? {} : { list_ids: listIds.join(',') }),
  }
  const { id } = await client.contacts.import(upload.csv, query, { timeoutMs: UPLOAD_TIMEOUT_MS }).orThrow()
  const state = await waitForEnd(() => client.contacts.getImport(id))
  return describe(state, client.contacts.importErrors(id), upload)
}

function toCsv<Row extends { place: string }>(
  names: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => string[],
): Upload {
  // A line break in a cell would shift the lines of the server's errors.
  const toLine = (cell: string) => cell.replaceAll(/[\r\n]+/g, ' ')
  return {
    csv: stringify([names, ...rows.map((row) => cellsOf(row).map(toLine))]),
    places: rows.map(({ place }) => place),
  }
}

async function waitForEnd(read: () => PromiseLike<Result<Import>>): Promise<Import> {
  for (let delayMs = POLL_FIRST_MS; ; delayMs = Math.min(POLL_MAX_MS, delayMs * 2)) {
    const { data, error } = await read()
    if (error !== null) throw error
    if (data.status === 'completed' || data.status === 'failed') return data
    await pause(delayMs)
  }
}

async function describe(
  state: Import,
  errors: AsyncIterable<{ line: number; message: string }>,
  { places }: Upload,
): Promise<Uploaded> {
  const rejected: Skipped[] = []
  // The first line has the names.
  for await (const { line, message } of errors) rejected.push({ place: places[line - 2] ?? '', message })
  return {
    import_id: state.id,
    status: state.status,
    reason: state.reason,
    created: state.rows_created,
    updated: state.rows_updated,
    rejected,
  }
}
