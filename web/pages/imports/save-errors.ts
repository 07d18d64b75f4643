import type { ImportError } from '../../api/records.ts'
import { requestJson } from '../../api/request.ts'
import type { ListOf } from '../../api/team.ts'

const PAGE_SIZE = 100
/** The API stores at most a thousand errors per import. */
const PAGES_MAX = 10

/** Saves all errors of an import as a CSV file. Throws ApiError. */
export async function saveErrors(path: string, teamId: string): Promise<void> {
  const errors = await readAll(path, teamId)
  const lines = errors.map(({ line, message }) => `${line},${quote(message)}`)
  const link = document.createElement('a')
  const file = new Blob([`line,message\r\n${lines.join('\r\n')}\r\n`], { type: 'text/csv' })
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

/** Quotes a cell, and keeps spreadsheets from reading it as a formula. */
const quote = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
