import Type, { type Static } from 'typebox'
import type { Area } from '../../access/permissions.ts'
import { listOf, PageQuery, pageReply, readPage } from '../../http/route/page.ts'
import { Resource, type ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { invalidField, orNotFound } from '../../lib/api-error.ts'
import { isUuid } from '../../lib/ids.ts'
import { ENCODINGS, type FileEncoding } from './decode-file.ts'
import { countImportErrors, listImportErrors } from './import-parts-queries.ts'
import {
  ImportAnswer,
  ImportDetail,
  ImportErrorAnswer,
  importErrorToJson,
  importToJson,
} from './import-schemas.ts'
import { type CsvImport, findImport, type ImportKind, importCounter, listImports } from './imports-queries.ts'
import { readMapping } from './map-columns.ts'
import { DELIMITERS } from './read-header.ts'
import { type ImportRequest, receiveImport } from './receive-import.ts'

interface Deps extends ResourceDeps {
  wakeImports(): void
}

const { route } = routesOf<Deps>()

const UPLOAD_BYTES_MAX = 512 * 1024 * 1024
const ERRORS_SHOWN = 100
const LISTS_MAX = 100
/** Keeps a request's header, with the rest of it, below the server's limit. */
const MAPPING_CHARS_MAX = 8000

const OPTIONS = {
  delimiter: Type.Optional(
    Type.Enum(['comma', 'semicolon', 'tab', 'pipe'], {
      description: 'Default: by a `sep=` line, or the most frequent one in the first line.',
    }),
  ),
  encoding: Type.Optional(
    Type.Enum([...ENCODINGS], {
      description: 'Default: by the byte order mark, or UTF-8.',
    }),
  ),
  ignore_unknown: Type.Optional(
    Type.Boolean({ description: 'Skips unknown columns. By default they return 422.' }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only checks the rows.' })),
  mapping: Type.Optional(
    Type.String({
      maxLength: MAPPING_CHARS_MAX,
      description:
        'A JSON object from column names to fields: `{"Email Address":"email","Plan":"properties.PLAN","Notes":null}`. Case-insensitive. Null skips a column; other columns are recognized by name.',
    }),
  ),
}
const SuppressionOptions = Type.Object(OPTIONS)
const ContactOptions = Type.Object({
  ...OPTIONS,
  run_automations: Type.Optional(
    Type.Boolean({ description: 'Whether rows begin automations. Default: false.' }),
  ),
  existing: Type.Optional(
    Type.Enum(['update', 'skip'], {
      description: '`skip`: existing contacts are only added to the lists. Default: `update`.',
    }),
  ),
  list_ids: Type.Optional(
    Type.String({
      description: `Up to ${LISTS_MAX} list ids, separated by commas. Every contact is added to these lists.`,
    }),
  ),
})

const FORMAT =
  'The body is a CSV file (RFC 4180), in UTF-8 by default, up to 512 MiB. Its first line names the columns in any order and case. The import runs in the background after the upload. Invalid rows are skipped and listed in `errors`. A team can have 5 imports queued or running, one at a time.'

interface Kind {
  kind: ImportKind
  area: Area
  summary: string
  description: string
  options: typeof ContactOptions
  example: string
}

const CONTACTS: Kind = {
  kind: 'contacts',
  area: 'contacts',
  summary: 'Import contacts from a CSV file',
  description: `${FORMAT} Columns: \`email\` (required), \`first_name\`, \`last_name\`, \`user_id\`, \`time_zone\`, \`unsubscribed\` (true or false, yes or no), and property keys; \`properties.KEY\` names a property whose key equals a field name. An empty cell leaves its field unchanged.`,
  options: ContactOptions,
  example: 'email,first_name,last_name,plan\r\nann@customer.example,Ann,Smith,pro\r\n',
}

const SUPPRESSIONS: Kind = {
  kind: 'suppressions',
  area: 'suppressions',
  summary: 'Import suppressions from a CSV file',
  description:
    'Works as `POST /contacts/import`, with the columns `email` (required) and `reason` (`manual`, `bounce`, `complaint`, or empty; default `manual`). Addresses that are already suppressed do not change.',
  options: SuppressionOptions as unknown as typeof ContactOptions,
  example: 'email,reason\r\nann@customer.example,complaint\r\n',
}

/** Returns the import routes of one kind. Kinds differ only in the meaning of a row. */
function importRoutesOf({ kind, area, summary, description, options, example }: Kind): Route<Deps>[] {
  const common = { area, permission: 'full' } as const
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
      description: 'The CSV file.',
      example,
    },
    responses: {
      202: { description: 'The import is queued or running.', schema: ImportAnswer },
    },
    async handle({ caller, query, upload, audited, deps }) {
      const importing = { db: audited, clock: deps.clock }
      const csvImport = await receiveImport(importing, caller.teamId, readOptions(kind, query), upload)
      deps.wakeImports()
      return { status: 202, json: importToJson(csvImport) }
    },
  })

  return [postImport, ...readingRoutesOf(names, common)]
}

type Common = Pick<Route<Deps>, 'area' | 'permission' | 'limit'>

/** Returns the routes of the list of imports, of one import, and of its errors. */
function readingRoutesOf(
  { kind, word, noun }: { kind: ImportKind; word: string; noun: string },
  common: Common,
): Route<Deps>[] {
  const imports = new Resource<CsvImport, Deps>(`/${kind}/imports`, 'import', {
    ...common,
    noun: 'import',
    schema: ImportAnswer,
    toJson: importToJson,
  })
  const getImports = imports.list(`list${noun}Imports`, `List ${word} imports`, {
    description: 'Newest first. Imports are kept for 30 days after they finish.',
    read: (db, teamId, page) => listImports(db, teamId, kind, page),
    counter: importCounter(kind),
  })

  const getImport = imports.get(`get${noun}Import`, `Get a ${word} import`, {
    description: 'Includes the progress and the first errors.',
    schema: ImportDetail,
    read: (db, teamId, id) => findImport(db, teamId, kind, id),
    async toJson(one, { deps: { db } }) {
      const range = { size: ERRORS_SHOWN, offset: 0, after: null, before: null }
      const { rows } = await listImportErrors(db, one, range)
      return { ...importToJson(one), errors: rows.map(importErrorToJson) }
    },
  })

  const getErrors = route('GET', `/${kind}/imports/:id/errors`, {
    ...common,
    operationId: `list${noun}ImportErrors`,
    summary: `List the errors of a ${word} import`,
    description: 'The first 1,000 skipped rows.',
    params: IdParams,
    query: PageQuery,
    responses: { 200: { description: 'In line order.', schema: listOf(ImportErrorAnswer) } },
    async handle(request) {
      const { caller, params, query, deps } = request
      const page = readPage(query)
      const one = orNotFound(await findImport(deps.lists, caller.teamId, kind, params.id))
      const errors = await listImportErrors(deps.lists, one, page)
      const total = await countImportErrors(deps.lists, one)
      const path = `/${kind}/imports/${one.id}/errors`
      return pageReply(request, path, { ...errors, page, total }, importErrorToJson)
    },
  })

  return [getImports, getImport, getErrors]
}

function readOptions(kind: ImportKind, query: Static<typeof ContactOptions>): ImportRequest {
  return {
    kind,
    listIds: readListIds(query.list_ids),
    delimiter: query.delimiter === undefined ? null : DELIMITERS[query.delimiter as keyof typeof DELIMITERS],
    encoding: (query.encoding as FileEncoding | undefined) ?? null,
    ignoreUnknown: query.ignore_unknown ?? false,
    mapping: readMapping(query.mapping),
    isDryRun: query.dry_run ?? false,
    skipsExisting: query.existing === 'skip',
    runsAutomations: query.run_automations ?? false,
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
