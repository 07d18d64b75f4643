import type { SuppressionReason } from '../../store/suppressions.ts'
import { readAddress, suppressKeys } from '../suppressions.ts'
import { checkCells, isLongerThan, readColumnNames } from './columns.ts'
import { restoreFormula } from './formulas.ts'
import type { ImportKindRules } from './import-kind.ts'

type Column = 'email' | 'reason'

const PASSED: ReadonlySet<string> = new Set(['object', 'id', 'source_email_id', 'created_at', 'updated_at'])
const REASONS: readonly SuppressionReason[] = ['manual', 'bounce', 'complaint']
const CHARACTERS_MAX = 255

/** Suppressions from a file: an address that is on the list stays as it is. */
export const suppressionRows: ImportKindRules = {
  async checkColumns(_tx, _teamId, names, ignoreUnknown) {
    const find = (name: string): Column | 'passed' | null => {
      if (name === 'email' || name === 'reason') return name
      return PASSED.has(name) ? 'passed' : null
    }
    const columns = readColumnNames(names, find, ignoreUnknown)
    return names.map((name, index) => (columns[index] === null ? null : name))
  },

  async writeRows(tx, { teamId, options }, rows, now) {
    const place = (name: Column) => options.columns.findIndex((column) => column?.toLowerCase() === name)
    const [emailAt, reasonAt] = [place('email'), place('reason')]
    const wanted = []
    const failures = []
    for (const { line, cells } of rows) {
      const message = checkCells(cells, options.columns)
      const read = message ?? readEntry(cells[emailAt] as string, cells[reasonAt])
      if (typeof read === 'string') failures.push({ line, message: read })
      else wanted.push({ teamId, ...read, sourceEmailId: null })
    }
    const outcomes = await suppressKeys(tx, wanted, now)
    return { rowsCreated: outcomes.filter(({ isNew }) => isNew).length, rowsUpdated: 0, failures }
  },
}

/** @param reason undefined where the file has no such column: then the entry is one by request */
function readEntry(address: string, reason: string | undefined) {
  const text = restoreFormula(address)
  if (text.trim() === '') return 'The email field is required.'
  const email = isLongerThan(text, CHARACTERS_MAX) ? null : readAddress(text)
  if (email === null) return 'The email field must be a valid email address.'
  const word = reason === undefined ? 'manual' : reason.trim().toLowerCase()
  if (word === '') return { email, reason: null }
  const known = REASONS.find((one) => one === word)
  return known === undefined
    ? `The reason field must be one of ${REASONS.join(', ')}.`
    : { email, reason: known }
}
