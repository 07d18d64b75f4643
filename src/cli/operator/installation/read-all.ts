/** Bounds what one statement returns. */
const PAGE_ROWS = 1000

/**
 * Reads a whole list in pages.
 * @param readPage returns at most `countMax` rows, from the one after the row `after` on
 */
export async function readAll<Row extends { id: string }>(
  readPage: (after: string | null, countMax: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await readPage(rows.at(-1)?.id ?? null, PAGE_ROWS)
    rows.push(...page)
    if (page.length < PAGE_ROWS) return rows
  }
}
