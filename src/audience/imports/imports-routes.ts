import Type, { type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import { readCounter } from '../../db/counters.ts'
import type { Db } from '../../db/db.ts'
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
      description: 'What stands between cells. By default what the first line has most of.',
    }),
  ),
  ignore_unknown: Type.Optional(
    Type.Boolean({ description: 'true: columns that are unknown are passed over; by default they are 422.' }),
  ),
  mapping: Type.Optional(
    Type.String({
      maxLength: MAPPING_CHARS_MAX,
      description:
        'What columns are whose names do not say it, as a JSON object: {"Email Address":"email","Plan":"properties.PLAN","Notes":null}. Names in any case; null passes a column over. Columns that are not in it are known by their names.',
    }),
  ),
}
const SuppressionOptions = Type.Object(OPTIONS)
const ContactOptions = Type.Object({
  ...OPTIONS,
  list_ids: Type.Optional(
    Type.String({
      description: `Ids of lists, separated by commas, at most ${LISTS_MAX}: every contact is added to them.`,
    }),
  ),
})

const FORMAT =
  'The body is a CSV file (RFC 4180) in UTF-8 of up to 512 MiB. Its first line names the columns, in any order and case. Cells with a delimiter, a quote or a line break stand in quotes. An apostrophe in front of `=`, `+`, `-` or `@`, which an export puts there, is removed. The answer comes as soon as the whole file has arrived; its rows are imported after that, batch by batch. Rows that are wrong are left out and told as `errors`. At most 5 imports of an account may wait or run; they run one after the other.'

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
  description: `${FORMAT} Columns: \`email\` (required), \`first_name\`, \`last_name\`, \`user_id\`, \`unsubscribed\` (true or false), and the keys of properties; \`properties.KEY\` is the property whose key is a field's name. A contact with the same address is updated. An empty cell leaves its field as it is.`,
  options: ContactOptions,
  example: 'email,first_name,last_name,plan\r\nann@customer.example,Ann,Smith,pro\r\n',
}

const SUPPRESSIONS: Kind = {
  kind: 'suppressions',
  tag: 'Suppressions',
  summary: 'Import suppressions from a CSV file',
  description: `${FORMAT} Columns: \`email\` (required) and \`reason\` (manual, bounce, complaint or empty; manual where there is no such column). An address that is suppressed already stays as it is.`,
  options: SuppressionOptions as unknown as typeof ContactOptions,
  example: 'email,reason\r\nann@customer.example,complaint\r\n',
}

/** The routes of imports of one kind, which differ in nothing but what a row becomes. */
function importRoutesOf({ kind, tag, summary, description, options, example }: Kind): Route<Deps>[] {
  const common = { tag, permission: 'full', limit: 'general' } as const
  const postImport = route('POST', `/${kind}/import`, {
    ...common,
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
      202: { description: 'The file has arrived; the import waits or runs.', schema: ImportAnswer },
    },
    async handle({ caller, query, upload, deps }) {
      const received = await receiveImport(deps, caller.teamId, readOptions(kind, query), upload)
      deps.wakeImports()
      return { status: 202, json: importToJson(received) }
    },
  })

  const getImports = route('GET', `/${kind}/imports`, {
    ...common,
    summary: `List imports of ${kind}`,
    description: 'They are kept for 30 days after their end.',
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

  const getImport = route('GET', `/${kind}/imports/:id`, {
    ...common,
    summary: `Read an import of ${kind}`,
    description: 'How far it is, and the first of its errors.',
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
    summary: `List the errors of an import of ${kind}`,
    description: 'Of the first 1,000 rows that were left out.',
    params: IdParams,
    query: PageQuery,
    responses: { 200: { description: 'In the order of the lines.', schema: listOf(ImportErrorAnswer) } },
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

  return [postImport, getImports, getImport, getErrors]
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
