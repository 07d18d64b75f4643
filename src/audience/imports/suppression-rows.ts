import type { Tx } from '../../db/db-types.ts'
import { restoreFormulas } from '../../lib/text/csv.ts'
import { suppressKeys } from '../../suppressions/suppressions.ts'
import type { SuppressionReason } from '../../suppressions/suppressions-queries.ts'
import { readAddressCell } from './address-cell.ts'
import { checkCells, readColumnNames } from './columns.ts'
import { type ImportKindRules, isRowProblem, problemOf, readEach } from './import-kind.ts'

type Column = 'email' | 'reason'

const PASSED: ReadonlySet<string> = new Set(['object', 'id', 'source_email_id', 'created_at', 'updated_at'])
const REASONS: readonly SuppressionReason[] = ['manual', 'bounce', 'complaint']

/** Imports suppressions from a file. Existing entries stay unchanged. */
export const suppressionRows: ImportKindRules = {
  async checkColumns(_tx, _teamId, names, ignoreUnknown) {
    const find = (name: string): Column | 'passed' | null => {
      if (name === 'email' || name === 'reason') return name
      return PASSED.has(name) ? 'passed' : null
    }
    const columns = readColumnNames(names, find, ignoreUnknown)
    return names.map((name, index) => (columns[index] === null ? null : name))
  },

  async openRows(_tx, { teamId, options }) {
    const place = (name: Column) => options.columns.findIndex((column) => column?.toLowerCase() === name)
    const [emailAt, reasonAt] = [place('email'), place('reason')]
    return (rows) => {
      const { inputs, failures } = readEach(rows, (cells) => {
        const entry =
          checkCells(cells, options.columns) ?? readEntry(cells[emailAt] as string, cells[reasonAt])
        return typeof entry === 'string' || isRowProblem(entry)
          ? entry
          : { ...entry, teamId, sourceEmailId: null }
      })
      const write = async (tx: Tx, now: Date) => {
        const outcomes = await suppressKeys(tx, inputs, now)
        return { rowsCreated: outcomes.filter(({ isNew }) => isNew).length, rowsUpdated: 0 }
      }
      return { failures, write }
    }
  },
}

/** @param reason undefined if the file has no such column; the entry then counts as manual */
function readEntry(address: string, reason: string | undefined) {
  const read = readAddressCell(restoreFormulas(address))
  if (isRowProblem(read)) return read
  const { email } = read
  const word = reason === undefined ? 'manual' : reason.trim().toLowerCase()
  if (word === '') return { email, reason: null }
  const known = REASONS.find((one) => one === word)
  return known === undefined
    ? problemOf(`The reason field must be one of ${REASONS.join(', ')}.`, reason ?? null)
    : { email, reason: known }
}
