/** Compares by code units, like ids and collation "C" in PostgreSQL, never by a language. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
