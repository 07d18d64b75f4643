import { ApiError } from '../../api/errors.ts'
import { type Query, requestJson } from '../../api/request.ts'
import type { ListOf } from '../../api/team.ts'
import { type CsvValue, csvLine } from './csv.ts'

/** What the CSV file of a list holds. */
export interface ExportOf<T extends { id: string }> {
  /** The list in the API. */
  path: string
  query: Query
  teamId: string | null
  /** The name of the file, without its ending. */
  file: string
  /** The columns of the file: what the API knows of a record, not what the table shows. */
  fields: readonly { name: string; read(row: T): CsvValue }[]
}

/** More rows than this do not fit into a spreadsheet that people work with. */
export const EXPORT_ROWS_MAX = 100_000
const COUNT_PER_PAGE = 100
/** Lines are handed over to the browser's own storage in parts of this many rows. */
const PART_ROWS = 5_000
const RETRIES_MAX = 5
const RETRY_MS = 1_000

export interface Progress {
  rows: number
  /** The number of matching rows, as far as the API counts them. */
  total: number | null
}

/**
 * Reads all pages of a list, one after the other, and returns them as a CSV file. The rows are not kept: the browser
 * may move the parts of the file out of memory. Throws ApiError, and the reason of `signal` if it aborts.
 */
export async function exportRows<T extends { id: string }>(
  { path, query, teamId, fields }: ExportOf<T>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const parts: Blob[] = []
  let lines = [csvLine(fields.map(({ name }) => name))]
  let after: string | undefined
  let rows = 0
  let total: number | null = null
  while (rows < EXPORT_ROWS_MAX) {
    const page = await readPage<T>(path, { ...query, limit: COUNT_PER_PAGE, after }, teamId, signal)
    const data = page.data.slice(0, EXPORT_ROWS_MAX - rows)
    for (const row of data) lines.push(csvLine(fields.map(({ read }) => read(row))))
    rows += data.length
    total ??= page.meta?.total ?? null
    onProgress({ rows, total })
    if (lines.length >= PART_ROWS) {
      parts.push(new Blob(lines))
      lines = []
    }
    after = nextAfter(page)
    if (after === undefined) break
  }
  return new Blob([...parts, ...lines], { type: 'text/csv;charset=utf-8' })
}

function nextAfter<T extends { id: string }>({ has_more, links, data }: ListOf<T>): string | undefined {
  if (!has_more) return undefined
  // With filters, a page may be empty and still have a next page.
  const next = links?.next == null ? null : new URL(links.next).searchParams.get('after')
  return next ?? data.at(-1)?.id
}

/** Waits and tries again while the rate limit is used up or the server is busy. */
async function readPage<T>(
  path: string,
  query: Query,
  teamId: string | null,
  signal: AbortSignal,
): Promise<ListOf<T>> {
  for (let retries = 0; ; retries++) {
    try {
      return await requestJson<ListOf<T>>(path, { teamId, query, signal })
    } catch (error) {
      const mayPass = error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status)
      if (!mayPass || retries >= RETRIES_MAX) throw error
      await pause((error.retryAfterSeconds ?? 0) * 1_000 || RETRY_MS * 2 ** retries, signal)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
