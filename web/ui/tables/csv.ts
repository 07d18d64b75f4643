export type CsvValue = string | number | boolean | null

/** A value that a spreadsheet would run as a formula gets an apostrophe, as in the API's own exports. */
const FORMULA = /^[=+\-@\t\r]/

/** Returns one line of CSV (RFC 4180), with its line break. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
