import type { EmailMetrics } from '../../api/records.ts'

/** Returns the series as CSV (RFC 4180): a row for each hour or day, with all counts. Times are in UTC. */
export function toCsv({ series, totals }: EmailMetrics): string {
  const names = Object.keys(totals)
  const rows = series.map(({ at, counts }) => {
    const values = counts as Readonly<Record<string, number>>
    return [at, ...names.map((name) => values[name] ?? 0)].join(',')
  })
  return `${[['at', ...names].join(','), ...rows].join('\r\n')}\r\n`
}
