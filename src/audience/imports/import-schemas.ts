import Type, { type Static } from 'typebox'
import { TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { ImportError } from './import-parts-queries.ts'
import type { CsvImport } from './imports-queries.ts'

const ERROR_EXAMPLE = {
  object: 'import_error',
  id: '0198c0de-0000-7000-8000-0000000000f9',
  line: 417,
  message: 'The email field must be a valid email address.',
  value: 'ann@',
}

export const ImportErrorAnswer = Type.Object(
  {
    object: Type.Literal('import_error'),
    id: Uuid,
    line: Type.Integer({ description: 'Line on which the row starts, from 1.' }),
    message: Type.String({ description: 'Problem and its column.' }),
    value: TextOrNull('Start of the cell at fault.'),
  },
  { title: 'ImportError', examples: [ERROR_EXAMPLE] },
)

const KINDS = ['contacts', 'suppressions'] as const
const STATUSES = ['receiving', 'queued', 'running', 'completed', 'failed'] as const

export const ImportAnswer = Type.Object(
  {
    object: Type.Literal('import'),
    id: Uuid,
    kind: Type.Enum([...KINDS], { description: 'Kind of records.' }),
    dry_run: Type.Boolean({ description: 'Whether rows are only checked.' }),
    status: Type.Enum([...STATUSES], {
      description:
        '`completed`: all rows were read, even if some failed. `failed`: the file could not be read to its end; see `reason`.',
    }),
    bytes: Type.Integer({
      description: 'Size of the file in UTF-8, or the bytes received so far.',
    }),
    bytes_done: Type.Integer({ description: 'Bytes imported.' }),
    progress: Type.Integer({ description: 'Progress in percent.' }),
    rows_read: Type.Integer({ description: 'Rows read, without the header.' }),
    rows_created: Type.Integer({ description: 'New contacts or suppressions.' }),
    rows_updated: Type.Integer({ description: 'Contacts updated.' }),
    rows_unchanged: Type.Integer({ description: 'Rows that changed nothing.' }),
    rows_failed: Type.Integer({ description: 'Rows skipped because of an error.' }),
    reason: TextOrNull('Why the import failed.'),
    created_at: Timestamp,
    updated_at: Timestamp,
    finished_at: TimestampOrNull,
  },
  {
    title: 'ImportSummary',
    examples: [
      {
        object: 'import',
        id: '0198c0de-0000-7000-8000-0000000000f1',
        kind: 'contacts',
        dry_run: false,
        status: 'running',
        bytes: 57_245_806,
        bytes_done: 20_971_520,
        progress: 36,
        rows_read: 366_210,
        rows_created: 366_008,
        rows_updated: 201,
        rows_unchanged: 0,
        rows_failed: 1,
        reason: null,
        created_at: '2026-01-15 09:30:00',
        updated_at: '2026-01-15 09:30:17',
        finished_at: null,
      },
    ],
  },
)

const { examples: _examples, ...importSchema } = ImportAnswer as typeof ImportAnswer & {
  examples: [Static<typeof ImportAnswer>]
}

/** A single import also lists its errors. */
export const ImportDetail = Type.Object(
  {
    ...importSchema.properties,
    errors: Type.Array(ImportErrorAnswer, {
      description: 'The first 100; `GET .../errors` lists the first 1,000.',
    }),
  },
  { title: 'Import', 'x-extends': 'ImportSummary', examples: [{ ..._examples[0], errors: [ERROR_EXAMPLE] }] },
)

export function importToJson(one: CsvImport): Static<typeof ImportAnswer> {
  // Until its rows are processed, only the first line of an import has been read.
  const isBegun = one.status !== 'receiving' && one.status !== 'queued'
  const bytesDone = one.status === 'completed' ? one.bytes : isBegun ? one.position : 0
  const { rowsRead, rowsCreated, rowsUpdated, rowsFailed } = one
  return {
    object: 'import',
    id: one.id,
    kind: one.kind,
    dry_run: one.options.isDryRun === true,
    status: one.status,
    bytes: one.bytes,
    bytes_done: bytesDone,
    progress: one.bytes === 0 ? 0 : Math.floor((100 * bytesDone) / one.bytes),
    rows_read: rowsRead,
    rows_created: rowsCreated,
    rows_updated: rowsUpdated,
    rows_unchanged: rowsRead - rowsCreated - rowsUpdated - rowsFailed,
    rows_failed: rowsFailed,
    reason: one.reason,
    created_at: formatTime(one.createdAt),
    updated_at: formatTime(one.updatedAt),
    finished_at: formatTime(one.finishedAt),
  }
}

export function importErrorToJson({
  id,
  line,
  message,
  value,
}: ImportError): Static<typeof ImportErrorAnswer> {
  return { object: 'import_error', id, line, message, value }
}
