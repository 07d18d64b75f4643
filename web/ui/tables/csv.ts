export type CsvValue = string | number | boolean | null

const BREAKS = ';\\t\\r\\n\\v\\f\\u0085\\u2028\\u2029'
const PARTS = new RegExp(`[${BREAKS}](?=["']*[=+\\-@＝＋－＠])`, 'g')
const START = /^["']*[=+\-@＝＋－＠\t\r\n]/
const QUOTED = new RegExp(`[",${BREAKS}]`)

/**
 * Returns one line of CSV (RFC 4180), with its line break. A text that a spreadsheet would run as a formula gets an
 * apostrophe, as in the API's own exports; a test compares both.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const marked = value.replace(PARTS, "$&'")
  const safe = START.test(marked) ? `'${marked}` : marked
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
