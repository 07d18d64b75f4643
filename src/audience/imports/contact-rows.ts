import type { Tx } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'
import { ApiError } from '../../lib/api-error.ts'
import { restoreFormulas } from '../../lib/text/csv.ts'
import { isLongerThan } from '../../lib/text/is-longer-than.ts'
import { readTimeZone } from '../../lib/time/time-zone.ts'
import { TIME_ZONE_PROBLEM } from '../contacts/contact-input.ts'
import { type ContactInput, upsertContacts } from '../contacts/upsert-contacts.ts'
import { lockContactsByEmail } from '../contacts/write-contacts-queries.ts'
import { holdLists } from '../lists/lists-queries.ts'
import { holdProperties, holdPropertiesByKey, type Property } from '../properties/properties-queries.ts'
import { readPropertyValue } from '../properties/property-values.ts'
import { readAddressCell } from './address-cell.ts'
import { checkCells, readColumnNames } from './columns.ts'
import { findErasedSince } from './erased-rows-queries.ts'
import {
  ImportFailure,
  type ImportKindRules,
  isRowProblem,
  problemOf,
  type RowProblem,
  readEach,
} from './import-kind.ts'
import type { ImportOptions } from './imports-queries.ts'

/** Maps the columns of a contact, without its properties, to its fields. */
export const CONTACT_FIELDS = {
  email: 'email',
  first_name: 'firstName',
  last_name: 'lastName',
  user_id: 'userId',
  time_zone: 'timeZone',
  unsubscribed: 'unsubscribed',
} as const
/** Prefix of the key of a property that has the name of such a column. */
export const PROPERTY_PREFIX = 'properties.'
const PASSED: ReadonlySet<string> = new Set(['object', 'id', 'created_at', 'updated_at'])

type Field = (typeof CONTACT_FIELDS)[keyof typeof CONTACT_FIELDS]
type Column = { name: string } & ({ field: Field } | { property: Property })
const FIELD_COLUMNS: ReadonlyMap<string, Column> = new Map(
  Object.entries(CONTACT_FIELDS).map(([name, field]) => [name, { name, field }]),
)

const CHARACTERS_MAX = 255
/** Without the address, which the erasure removes. */
const ERASED = problemOf('The person was erased after the upload.')

/** Yes and no, as spreadsheets and other systems write them in the languages of most files. */
const YES = 'true yes y 1 t on x wahr ja j oui vrai sí si sì sim tak'
const NO = 'false no n 0 f off - falsch nein nee non faux não nao nie'
const YES_NO: ReadonlyMap<string, boolean> = new Map([
  ...YES.split(' ').map((word) => [word, true] as const),
  ...NO.split(' ').map((word) => [word, false] as const),
])

/** Imports contacts from a file. An empty cell leaves its field unchanged. */
export const contactRows: ImportKindRules = {
  async checkColumns(tx, teamId, names, ignoreUnknown) {
    const columns = await findColumns(tx, teamId, names, ignoreUnknown)
    return columns.map((column, index) => {
      if (column === null) return null
      return { name: names[index] as string, propertyId: 'property' in column ? column.property.id : null }
    })
  },

  async openRows(tx, { teamId, id, options }) {
    const { listIds } = options
    const columns = await findHeldColumns(tx, teamId, options)
    const lists = listIds.length === 0 ? undefined : { ids: listIds, mode: 'add' as const }
    const cause = { import: { id, runs_automations: options.runsAutomations === true } }
    return (rows) => {
      const { inputs, failures } = readEach(rows, (cells, line) => {
        const contact = checkCells(cells, options.columns) ?? readContact(cells, columns)
        return typeof contact === 'string' || isRowProblem(contact) ? contact : { ...contact, lists, line }
      })
      const write = async (tx: Tx, now: Date) => {
        const [heldLists, , erased] = await together([
          holdLists(tx, teamId, listIds),
          holdColumns(tx, teamId, columns),
          findErasedSince(tx, teamId, id, emailsOf(inputs)),
        ])
        if (heldLists.size < listIds.length) {
          throw new ImportFailure('A list that contacts are added to was deleted.')
        }
        const wanted = inputs.filter(({ email }) => !erased.has(email))
        const existing = await lockContactsByEmail(tx, teamId, options.skipsExisting ? emailsOf(wanted) : [])
        const fresh = options.skipsExisting ? firstOfEach(wanted, existing) : wanted
        // A list that was chosen for the import gets its contacts, also those that stay as they are.
        const listInputs = lists === undefined ? [] : [...existing.keys()].map((email) => ({ email, lists }))
        const all = [...fresh, ...listInputs]
        const upserted = await upsertContacts(tx, teamId, all, now, cause).catch(failOnApiError)
        const rowsCreated = upserted.filter(({ isNew }) => isNew).length
        const unwanted = inputs.filter(({ email }) => erased.has(email))
        const failures = unwanted.map(({ line }) => ({ line, ...ERASED }))
        return { rowsCreated, rowsUpdated: fresh.length - rowsCreated, failures }
      }
      return { failures, write }
    }
  },
}

/** Each address once, in the order in which every transaction locks them. */
const emailsOf = (inputs: readonly ContactInput[]) => [...new Set(inputs.map(({ email }) => email))].sort()

/** Returns the first input of each address that no contact has. With it, the contact of the others exists. */
function firstOfEach(
  inputs: readonly (ContactInput & { line: number })[],
  existing: ReadonlyMap<string, unknown>,
) {
  const seen = new Set(existing.keys())
  return inputs.filter(({ email }) => !seen.has(email) && seen.add(email))
}

/** Handles errors that only appear across all rows, such as too much text in one contact. */
function failOnApiError(error: unknown): never {
  if (error instanceof ApiError && error.code === 'validation_error') throw new ImportFailure(error.message)
  throw error
}

async function findColumns(
  tx: Tx,
  teamId: string,
  names: readonly string[],
  ignoreUnknown: boolean,
): Promise<(Column | null)[]> {
  const keys = names.map((name) => keyOf(name.toLowerCase()))
  const rows = await holdPropertiesByKey(tx, teamId, [...new Set(keys)])
  const properties = new Map<string, Column>(
    rows.map((property) => [property.key.toLowerCase(), { name: property.key, property }]),
  )
  const find = (name: string) =>
    FIELD_COLUMNS.get(name) ?? (PASSED.has(name) ? 'passed' : (properties.get(keyOf(name)) ?? null))
  return readColumnNames(names, find, ignoreUnknown)
}

function keyOf(lowerName: string): string {
  return lowerName.startsWith(PROPERTY_PREFIX) ? lowerName.slice(PROPERTY_PREFIX.length) : lowerName
}

/** Returns the columns as checked at the upload. Throws if a property was deleted since then. */
async function findHeldColumns(tx: Tx, teamId: string, { columns: names, propertyIds }: ImportOptions) {
  if (propertyIds === undefined) return findHeldColumnsByName(tx, teamId, names)
  const ids = propertyIds.filter((id) => id !== null)
  const properties = new Map((await holdProperties(tx, teamId, ids)).map((each) => [each.id, each]))
  return names.map((name, index): Column | null => {
    const id = propertyIds[index] ?? null
    if (name === null || id === null) return FIELD_COLUMNS.get(name?.toLowerCase() ?? '') ?? null
    const property = properties.get(id)
    if (property === undefined) throw propertyGone(name)
    return { name: property.key, property }
  })
}

/** Returns the columns of an upload that an earlier version received, which stored only their names. */
async function findHeldColumnsByName(tx: Tx, teamId: string, names: readonly (string | null)[]) {
  const present = names.filter((name) => name !== null)
  const columns = await findColumns(tx, teamId, present, true)
  const missing = present.find((_name, index) => columns[index] === null)
  if (missing !== undefined) throw propertyGone(missing)
  let index = 0
  return names.map((name) => (name === null ? null : (columns[index++] ?? null)))
}

function propertyGone(name: string): ImportFailure {
  return new ImportFailure(`The property of the column "${name}" was deleted.`)
}

/** Locks the properties of the columns until the transaction ends. */
async function holdColumns(tx: Tx, teamId: string, columns: readonly (Column | null)[]): Promise<void> {
  const properties = columns.flatMap((column) =>
    column !== null && 'property' in column ? [column.property] : [],
  )
  const rows = await holdProperties(
    tx,
    teamId,
    properties.map(({ id }) => id),
  )
  const ids = new Set(rows.map(({ id }) => id))
  const missing = properties.find(({ id }) => !ids.has(id))
  if (missing !== undefined) throw propertyGone(missing.key)
}

/** Parses a row into a contact, or returns the reason to reject it. */
function readContact(
  cells: readonly string[],
  columns: readonly (Column | null)[],
): Omit<ContactInput, 'lists'> | RowProblem | string {
  const contact: Omit<ContactInput, 'lists' | 'values'> = { email: '' }
  const values: NonNullable<ContactInput['values']>[number][] = []
  for (const [index, column] of columns.entries()) {
    const text = restoreFormulas(cells[index] as string)
    if (column === null || text === '') continue
    if ('property' in column) {
      const { id, type } = column.property
      const result = readPropertyValue(type, text, column.name)
      if ('problem' in result) return problemOf(result.problem, text)
      values.push({ propertyId: id, value: result.value })
    } else if (column.field === 'email') {
      const result = readAddressCell(text)
      if (isRowProblem(result)) return result
      contact.email = result.email
    } else if (column.field === 'timeZone') {
      const timeZone = readTimeZone(text.trim())
      if (timeZone === null) return problemOf(TIME_ZONE_PROBLEM, text)
      contact.timeZone = timeZone
    } else if (column.field === 'unsubscribed') {
      const isYes = YES_NO.get(text.trim().toLowerCase())
      if (isYes === undefined) return problemOf('The unsubscribed field must be true or false.', text)
      contact.unsubscribed = isYes
    } else {
      if (isLongerThan(text, CHARACTERS_MAX)) {
        const message = `The ${column.name} field must not be greater than ${CHARACTERS_MAX} characters.`
        return problemOf(message, text)
      }
      contact[column.field] = text
    }
  }
  return contact.email === '' ? 'The email field is required.' : { ...contact, values }
}
