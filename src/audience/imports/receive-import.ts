import type { Transactions, Tx } from '../../db/db-types.ts'
import { ApiError, type FieldErrors, throwInvalid } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { restoreFormulas } from '../../lib/text/csv.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { suppressKeys } from '../../suppressions/suppressions.ts'
import type { SuppressionReason } from '../../suppressions/suppressions-queries.ts'
import { readLists } from '../contacts/contact-input.ts'
import { readAddressCell } from './address-cell.ts'
import { checkCells, readColumnNames } from './columns.ts'
import { contactRows } from './contact-rows.ts'
import { decodeFile, type FileEncoding } from './decode-file.ts'
import { type CheckedColumn, type ImportKindRules, isRowProblem, problemOf, readEach } from './import-kind.ts'
import { insertPiece } from './import-parts-queries.ts'
import {
  type CsvImport,
  countOpenImports,
  deleteImport,
  extendUpload,
  findImport,
  type ImportKind,
  insertImport,
  queueImport,
} from './imports-queries.ts'
import { type ColumnMapping, checkMapped, mapColumns } from './map-columns.ts'
import { HEADER_LINE_BYTES_MAX, type Header, readHeaderLine } from './read-header.ts'

type Column = 'email' | 'reason'

const PASSED: ReadonlySet<string> = new Set(['object', 'id', 'source_email_id', 'created_at', 'updated_at'])
const REASONS: readonly SuppressionReason[] = ['manual', 'bounce', 'complaint']

/** Imports suppressions from a file. Existing entries stay unchanged. */
const suppressionRows: ImportKindRules = {
  async checkColumns(_tx, _teamId, names, ignoreUnknown) {
    const find = (name: string): Column | 'passed' | null => {
      if (name === 'email' || name === 'reason') return name
      return PASSED.has(name) ? 'passed' : null
    }
    const columns = readColumnNames(names, find, ignoreUnknown)
    return names.map((name, index) => (columns[index] === null ? null : { name, propertyId: null }))
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
        return { rowsCreated: outcomes.filter(({ isNew }) => isNew).length, rowsUpdated: 0, failures: [] }
      }
      return { failures, write }
    }
  },
}

export interface ImportRequest {
  kind: ImportKind
  /** Lists that every contact is added to. */
  listIds: readonly string[]
  /** Null to detect it. */
  delimiter: string | null
  /** Null for UTF-8. A byte order mark wins. */
  encoding: FileEncoding | null
  ignoreUnknown: boolean
  /** Maps columns whose names are not field names. */
  mapping: ColumnMapping
  isDryRun: boolean
  skipsExisting: boolean
  runsAutomations: boolean
}

export const IMPORT_KINDS: Readonly<Record<ImportKind, ImportKindRules>> = {
  contacts: contactRows,
  suppressions: suppressionRows,
}

/** The limit on a team's open imports. */
export const OPEN_IMPORTS_MAX = 5
const PIECE_BYTES = 1024 * 1024
/** Much longer than the statement that extends it may take, and than an upload may stall. */
const UPLOAD_LEASE_MS = 120_000
/** The interval at which a slow upload extends its lease. */
const EXTEND_MS = 20_000

/**
 * Receives a file. When this returns, all bytes are stored and the import is queued; if anything fails before,
 * nothing is left. Throws `conflict` if too many imports are open, and `validation_error` for lists, for the
 * delimiter, for the first line as soon as it arrives, and for a file that is not valid in its encoding. The file is
 * stored in UTF-8.
 */
export async function receiveImport(
  deps: { db: Transactions; clock: Clock },
  teamId: string,
  request: ImportRequest,
  bytes: AsyncIterable<Buffer>,
): Promise<CsvImport> {
  const upload = new Upload(deps, teamId, request)
  await upload.open()
  try {
    for await (const chunk of decodeFile(bytes, request.encoding)) await upload.take(chunk)
    return await upload.close()
  } catch (error) {
    // If the database is unavailable too, the lease expires and the scheduler deletes the upload.
    await upload.remove().catch(() => {})
    throw error
  }
}

type CheckedHeader = Header & { fields: (CheckedColumn | null)[] }

class Upload {
  readonly #db: Transactions
  readonly #clock: Clock
  readonly #teamId: string
  readonly #request: ImportRequest
  readonly #id: string
  readonly #leasedBy = newId()
  #listIds: string[] = []
  #header: CheckedHeader | null = null
  /**
   * Received bytes that are not yet stored. They are copied, because many small chunks would use more memory than
   * their bytes.
   */
  readonly #waiting = Buffer.allocUnsafe(PIECE_BYTES)
  #waitingBytes = 0
  #storedBytes = 0
  #pieces = 0
  #extendAtMs = 0

  constructor(deps: { db: Transactions; clock: Clock }, teamId: string, request: ImportRequest) {
    this.#db = deps.db
    this.#clock = deps.clock
    this.#teamId = teamId
    this.#request = request
    this.#id = newId(deps.clock.now().getTime())
  }

  get #key() {
    return { teamId: this.#teamId, id: this.#id, kind: this.#request.kind }
  }

  #lease() {
    const now = this.#clock.now()
    this.#extendAtMs = now.getTime() + EXTEND_MS
    return { by: this.#leasedBy, until: new Date(now.getTime() + UPLOAD_LEASE_MS) }
  }

  async open(): Promise<void> {
    const { listIds, isDryRun, skipsExisting, runsAutomations } = this.#request
    await this.#db.transaction(async (tx) => {
      if ((await countOpenImports(tx, this.#teamId)) >= OPEN_IMPORTS_MAX) {
        throw new ApiError('conflict', `No more than ${OPEN_IMPORTS_MAX} imports may wait or run at once.`)
      }
      const errors: FieldErrors = {}
      this.#listIds = await readLists(tx, this.#teamId, listIds, errors)
      throwInvalid(errors)
      const flags = { isDryRun, skipsExisting, runsAutomations }
      const options = { listIds: this.#listIds, delimiter: '', columns: [], ...flags }
      await insertImport(tx, this.#key, options, this.#lease(), this.#clock.now())
    })
  }

  async take(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const length = chunk.copy(this.#waiting, this.#waitingBytes, at)
      this.#waitingBytes += length
      at += length
      if (this.#header === null && this.#mayHaveHeader(chunk)) await this.#findHeader(false)
      const isLate = this.#clock.now().getTime() >= this.#extendAtMs
      if (this.#waitingBytes === PIECE_BYTES || isLate) await this.#storePiece()
    }
  }

  #mayHaveHeader(chunk: Buffer): boolean {
    return chunk.includes(10) || chunk.includes(13) || this.#waitingBytes > HEADER_LINE_BYTES_MAX
  }

  async #storePiece(): Promise<void> {
    await this.#db.transaction(async (tx) => {
      // The first line is searched in the bytes that are not stored yet.
      if (this.#header !== null) await this.#store(tx)
      const bytes = this.#storedBytes + this.#waitingBytes
      const isOurs = await extendUpload(tx, this.#key, bytes, this.#lease(), this.#clock.now())
      if (!isOurs) throw new ApiError('service_unavailable')
    })
  }

  async close(): Promise<CsvImport> {
    if (this.#header === null) await this.#findHeader(true)
    const { fields, delimiter, position, line } = this.#header as CheckedHeader
    const { isDryRun, skipsExisting, runsAutomations } = this.#request
    return this.#db.transaction(async (tx) => {
      await this.#store(tx)
      const upload = {
        bytes: this.#storedBytes,
        options: {
          listIds: this.#listIds,
          delimiter,
          columns: fields.map((field) => field?.name ?? null),
          propertyIds: fields.map((field) => field?.propertyId ?? null),
          isDryRun,
          skipsExisting,
          runsAutomations,
        },
        place: { position, line },
        leasedBy: this.#leasedBy,
      }
      const isOurs = await queueImport(tx, this.#key, upload, this.#clock.now())
      const row = isOurs ? await findImport(tx, this.#teamId, this.#request.kind, this.#id) : null
      if (row === null) throw new ApiError('service_unavailable')
      return row
    })
  }

  async remove(): Promise<void> {
    await this.#db.transaction((tx) => deleteImport(tx, this.#key))
  }

  async #findHeader(isWhole: boolean): Promise<void> {
    const { kind, delimiter, ignoreUnknown, mapping } = this.#request
    const header = readHeaderLine(this.#waiting.subarray(0, this.#waitingBytes), isWhole, delimiter)
    if (header === null) return
    const columns = mapColumns(header.columns, mapping)
    const fields = await this.#db.transaction((tx) =>
      checkMapped(columns, (names) =>
        IMPORT_KINDS[kind].checkColumns(tx, this.#teamId, names, ignoreUnknown),
      ),
    )
    this.#header = { ...header, fields }
  }

  /** Stores the waiting bytes as the next piece. */
  async #store(tx: Tx): Promise<void> {
    if (this.#waitingBytes === 0) return
    const content = this.#waiting.subarray(0, this.#waitingBytes)
    await insertPiece(tx, this.#key, { no: this.#pieces, position: this.#storedBytes, content })
    this.#storedBytes += content.length
    this.#pieces++
    this.#waitingBytes = 0
  }
}

/** @param reason undefined if the file has no such column; the entry then counts as manual */
function readEntry(address: string, reason: string | undefined) {
  const result = readAddressCell(restoreFormulas(address))
  if (isRowProblem(result)) return result
  const { email } = result
  const word = reason === undefined ? 'manual' : reason.trim().toLowerCase()
  if (word === '') return { email, reason: null }
  const knownReason = REASONS.find((one) => one === word)
  return knownReason === undefined
    ? problemOf(`The reason field must be one of ${REASONS.join(', ')}.`, reason ?? null)
    : { email, reason: knownReason }
}
