export type CsvValue = string | number | boolean | Date | null

/** Characters with which a spreadsheet begins a formula, including full-width forms (OWASP, CSV Injection). */
const FORMULA = '=+\\-@＝＋－＠'
/** Line breaks of any program, and the separators of other locales and of files with tabs. */
const BREAKS = ';\\t\\r\\n\\v\\f\\u0085\\u2028\\u2029'
/** A program with another separator takes quotes at the start of such a part for those of a cell, and drops them. */
const MARKABLE = `["']*[${FORMULA}]`

const START = new RegExp(`^["']*[${FORMULA}\\t\\r\\n]`)
const MARKED_START = new RegExp(`^'["']*[${FORMULA}\\t\\r\\n]`)
const PARTS = new RegExp(`[${BREAKS}](?=${MARKABLE})`, 'g')
const MARKED_PARTS = new RegExp(`([${BREAKS}])'(?=${MARKABLE})`, 'g')
const QUOTED = new RegExp(`[",${BREAKS}]`)

/** Returns one line of CSV (RFC 4180), with its line break. No spreadsheet runs a text of it. */
export function writeCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(writeCell).join(',')}\r\n`
}

/** Returns lines of CSV, each as `writeCsvLine` does. */
export function writeCsvLines(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map(writeCsvLine).join('')
}

/** A line break alone needs quotes too: programs and our own import end a row at CR, LF, or both. */
function writeCell(value: CsvValue): string {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'string') return String(value)
  const safe = neutralizeFormulas(value)
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * Puts an apostrophe, which marks a text, before everything that a spreadsheet could run as a formula: at the start, and
 * after each break, because a program that splits the file in another way begins a cell there.
 */
export function neutralizeFormulas(text: string): string {
  const marked = text.replace(PARTS, "$&'")
  return START.test(marked) ? `'${marked}` : marked
}

/** Undoes `neutralizeFormulas`, so that an import restores exported text. */
export function restoreFormulas(text: string): string {
  const rest = MARKED_START.test(text) ? text.slice(1) : text
  return rest.replace(MARKED_PARTS, '$1')
}
