import Type, { type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import { readCounter } from '../../db/counters.ts'
import type { Db } from '../../db/db-types.ts'
import { listOf, listToJson, PageQuery, readPage } from '../../http/page.ts'
import { type Route, routesOf } from '../../http/route.ts'
import { IdParams } from '../../http/schemas.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { countImportErrors, listImportErrors } from './import-parts-queries.ts'
import {
  ImportAnswer,
  ImportDetail,
  ImportErrorAnswer,
  importErrorToJson,
  importToJson,
} from './import-schemas.ts'
import { findImport, type ImportKind, importCounter, listImports } from './imports-queries.ts'
import { readMapping } from './map-columns.ts'
import { type ImportRequest, receiveImport } from './receive-import.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
  wakeImports(): void
}

const { route } = routesOf<Deps>()

const UPLOAD_BYTES_MAX = 512 * 1024 * 1024
const ERRORS_SHOWN = 100
const LISTS_MAX = 100
/** With the rest of a request's header it stays below what is read of one. */
const MAPPING_CHARS_MAX = 8000

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const

const OPTIONS = {
  delimiter: Type.Optional(
    Type.Enum(['comma', 'semicolon', 'tab'], {
      description: 'The cell separator. Default: the most frequent one in the first line.',
    }),
  ),
  ignore_unknown: Type.Optional(
    Type.Boolean({ description: 'Skips unknown columns. By default they return 422.' }),
  ),
  mapping: Type.Optional(
    Type.String({
      maxLength: MAPPING_CHARS_MAX,
      description:
        'Maps column names to fields, as a JSON object: {"Email Address":"email","Plan":"properties.PLAN","Notes":null}. Case-insensitive; null skips a column. Columns not listed are recognized by name.',
    }),
  ),
}
const SuppressionOptions = Type.Object(OPTIONS)
const ContactOptions = Type.Object({
  ...OPTIONS,
  list_ids: Type.Optional(
    Type.String({
      description: `Up to ${LISTS_MAX} list ids, separated by commas. Every contact is added to these lists.`,
    }),
  ),
})

const FORMAT =
  'The body is a CSV file (RFC 4180) in UTF-8 of up to 512 MiB. Its first line names the columns, in any order and case. Quote cells that contain a delimiter, a quote, or a line break. An apostrophe before `=`, `+`, `-`, or `@`, which exports add, is removed. The API responds when the whole file has arrived; rows are imported after that, in batches. Invalid rows are skipped and listed in `errors`. An account may have 5 imports queued or running; they run one after the other.'

interface Kind {
  kind: ImportKind
  tag: string
  summary: string
  description: string
  options: typeof ContactOptions
  example: string
}

const CONTACTS: Kind = {
  kind: 'contacts',
  tag: 'Contacts',
  summary: 'Import contacts from a CSV file',
  description: `${FORMAT} Columns: \`email\` (required), \`first_name\`, \`last_name\`, \`user_id\`, \`unsubscribed\` (true or false), and property keys; \`properties.KEY\` names a property whose key equals a field name. A contact with the same address is updated. An empty cell leaves its field unchanged.`,
  options: ContactOptions,
  example: 'email,first_name,last_name,plan\r\nann@customer.example,Ann,Smith,pro\r\n',
}

const SUPPRESSIONS: Kind = {
  kind: 'suppressions',
  tag: 'Suppressions',
  summary: 'Import suppressions from a CSV file',
  description: `${FORMAT} Columns: \`email\` (required) and \`reason\` (manual, bounce, complaint, or empty; default manual). An address that is already suppressed does not change.`,
  options: SuppressionOptions as unknown as typeof ContactOptions,
  example: 'email,reason\r\nann@customer.example,complaint\r\n',
}

/** The import routes of one kind; kinds differ only in what a row becomes. */
function importRoutesOf({ kind, tag, summary, description, options, example }: Kind): Route<Deps>[] {
  const common = { tag, permission: 'full', limit: 'general' } as const
  const word = kind.slice(0, -1)
  const noun = word.charAt(0).toUpperCase() + word.slice(1)
  const names = { kind, word, noun }
  const postImport = route('POST', `/${kind}/import`, {
    ...common,
    operationId: `import${noun}s`,
    action: `${kind}.import`,
    summary,
    description,
    query: options,
    upload: {
      type: 'text/csv',
      bytesMax: UPLOAD_BYTES_MAX,
      description: 'A CSV file whose first line names the columns.',
      example,
    },
    responses: {
      202: { description: 'The import is queued or running.', schema: ImportAnswer },
    },
    async handle({ caller, query, upload, audited, deps }) {
      const importing = { db: audited, clock: deps.clock }
      const received = await receiveImport(importing, caller.teamId, readOptions(kind, query), upload)
      deps.wakeImports()
      return { status: 202, json: importToJson(received) }
    },
  })

  const getImports = route('GET', `/${kind}/imports`, {
    ...common,
    operationId: `list${noun}Imports`,
    summary: `List ${word} imports`,
    description: 'Newest first. Imports are kept for 30 days after they finish.',
    query: PageQuery,
    responses: { 200: { description: 'Newest first.', schema: listOf(ImportAnswer) } },
    async handle({ caller, query, deps: { lists, config } }) {
      const page = readPage(query)
      const { rows, hasMore } = await listImports(lists, caller.teamId, kind, page)
      const total = await readCounter(lists, caller.teamId, importCounter(kind))
      const list = { publicUrl: config.publicUrl, path: `/${kind}/imports`, query, page, total, hasMore }
      return { status: 200, json: listToJson({ ...list, data: rows.map(importToJson) }) }
    },
  })

  return [postImport, getImports, ...singleImportRoutes(names, common)]
}

type Common = Pick<Route<Deps>, 'tag' | 'permission' | 'limit'>

/** The routes of one import and its errors. */
function singleImportRoutes(
  { kind, word, noun }: { kind: ImportKind; word: string; noun: string },
  common: Common,
): Route<Deps>[] {
  const getImport = route('GET', `/${kind}/imports/:id`, {
    ...common,
    operationId: `get${noun}Import`,
    summary: `Get a ${word} import`,
    description: 'Its progress and first errors.',
    params: IdParams,
    responses: { 200: { description: 'The import.', schema: ImportDetail } },
    async handle({ caller, params, deps: { db } }) {
      const one = await findImport(db, caller.teamId, kind, params.id)
      if (one === null) throw new ApiError('not_found')
      const range = { size: ERRORS_SHOWN, offset: 0, after: null, before: null }
      const { rows } = await listImportErrors(db, one, range)
      return { status: 200, json: { ...importToJson(one), errors: rows.map(importErrorToJson) } }
    },
  })

  const getErrors = route('GET', `/${kind}/imports/:id/errors`, {
    ...common,
    operationId: `list${noun}ImportErrors`,
    summary: `List the errors of a ${word} import`,
    description: 'Covers the first 1,000 rows that were skipped.',
    params: IdParams,
    query: PageQuery,
    responses: { 200: { description: 'In line order.', schema: listOf(ImportErrorAnswer) } },
    async handle({ caller, params, query, deps: { lists, config } }) {
      const page = readPage(query)
      const one = await findImport(lists, caller.teamId, kind, params.id)
      if (one === null) throw new ApiError('not_found')
      const { rows, hasMore } = await listImportErrors(lists, one, page)
      const total = await countImportErrors(lists, one)
      const path = `/${kind}/imports/${one.id}/errors`
      const list = { publicUrl: config.publicUrl, path, query, page, total, hasMore }
      return { status: 200, json: listToJson({ ...list, data: rows.map(importErrorToJson) }) }
    },
  })

  return [getImport, getErrors]
}

function readOptions(kind: ImportKind, query: Static<typeof ContactOptions>): ImportRequest {
  return {
    kind,
    listIds: readListIds(query.list_ids),
    delimiter: query.delimiter === undefined ? null : DELIMITERS[query.delimiter as keyof typeof DELIMITERS],
    ignoreUnknown: query.ignore_unknown ?? false,
    mapping: readMapping(query.mapping),
  }
}

function readListIds(text = ''): string[] {
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (ids.length > LISTS_MAX) {
    throw invalidField('list_ids', `The list_ids field must not have more than ${LISTS_MAX} items.`)
  }
  const wrong = ids.findIndex((id) => !isUuid(id))
  if (wrong >= 0) {
    const field = `list_ids.${wrong}`
    throw invalidField(field, `The ${field} field must be a valid UUID.`)
  }
  return ids
}

export const importRoutes: readonly Route<Deps>[] = [CONTACTS, SUPPRESSIONS].flatMap(importRoutesOf)
