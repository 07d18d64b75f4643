import { formatNumber, formatTable } from '../support/report.ts'
import type { Measurement } from './measure.ts'

export const LISTS_HEADING = 'Lists'
const HEAD = ['request', 'fit', 'p50 ms', 'p99 ms', 'max ms', 'target p99', 'attempts', 'verdict']

/** @param hasHead false: returns the rows without the head */
export function formatLists(measured: readonly Measurement[], hasHead: boolean): string {
  const rows = measured.map(({ what, fits, targetMs, p50Ms, p99Ms, maxMs, attempts, failure }) => [
    `\`${what}\``,
    fits,
    ...[p50Ms, p99Ms, maxMs].map(formatNumber),
    `≤ ${targetMs} ms`,
    `${attempts}`,
    failure === null ? (p99Ms <= targetMs ? 'met' : 'MISSED') : 'FAILED',
  ])
  return hasHead ? formatTable(HEAD, rows) : rows.map((row) => row.join('  ')).join('\n')
}

/** Returns the section of the page of results, without its heading and the sentence about the run. */
export function formatListsSection(measured: readonly Measurement[]): string {
  return `One team has 5,000,000 emails in eleven weekly partitions (each with its deliveries and some with tags), 1,000,000
contacts with three values each, half of them in a list, and 1,000,000 suppressions, in the embedded PostgreSQL with
default settings. One client on the same machine sends 200 requests of each kind, one after another, after 20 for
warm-up. The time is measured from the request to the last byte of the response. Pages have 25 records. Filters with few
matches match the oldest records, which a scan from the newest reaches last. A row that misses its target is measured
again, at most three times in all, and its best run counts. The target of a page is 50 ms, of a segment's first page
200 ms, of an upsert 10 ms.

${formatLists(measured, true)}`
}
