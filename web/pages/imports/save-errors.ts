import type { ImportError } from '../../api/records.ts'
import { requestJson } from '../../api/request.ts'
import type { ListOf } from '../../api/team.ts'
import { csvLine } from '../../ui/tables/csv.ts'

const PAGE_SIZE = 100
/** The API stores at most a thousand errors per import. */
const PAGES_MAX = 10

/** Saves all errors of an import as a CSV file. Throws ApiError. */
export async function saveErrors(path: string, teamId: string): Promise<void> {
  const errors = await readAll(path, teamId)
  const rows = [
    ['line', 'message', 'value'],
    ...errors.map(({ line, message, value }) => [line, message, value ?? '']),
  ]
  const link = document.createElement('a')
  const file = new Blob(rows.map(csvLine), { type: 'text/csv' })
  link.href = URL.createObjectURL(file)
  link.download = 'import-errors.csv'
  link.click()
  URL.revokeObjectURL(link.href)
}

async function readAll(path: string, teamId: string): Promise<ImportError[]> {
  const errors: ImportError[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { limit: PAGE_SIZE, after: errors.at(-1)?.id }
    const { data, has_more } = await requestJson<ListOf<ImportError>>(path, { teamId, query })
    errors.push(...data)
    if (!has_more) break
  }
  return errors
}
