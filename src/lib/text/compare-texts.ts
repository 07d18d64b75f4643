/** The order of code units, as PostgreSQL's ids and its collation "C" have it; never that of a language. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
