import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenTeamRow } from '../../../test/support/old-weeks.ts'
import { findTexts } from '../../../test/support/personal-data.ts'
import type { ImportKind } from '../../audience/imports/imports-queries.ts'
import { receiveImport } from '../../audience/imports/receive-import.ts'
import { runNextImport } from '../../audience/imports/run-import.ts'
import type { Db } from '../../db/db-types.ts'
import { createHashAddress } from '../../lib/crypto/erased-address.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { beginErasure } from './begin-erasure.ts'
import { findErasure } from './erasures-queries.ts'
import { runErasure } from './run-erasure.ts'

let database: TestDatabase
let db: Db
let teamId: string

beforeAll(async () => {
  database = await createDatabase()
  db = database.db
  teamId = await givenTeamRow(db)
})
afterAll(() => database.drop())

const hashAddress = createHashAddress(Buffer.alloc(32))
const log = createLog('silent')
const clockAt = (offsetMs: number) => ({ now: () => new Date(Date.now() + offsetMs) })

/** Uploads a file, which waits until it is run. */
async function givenImport(file: string, kind: ImportKind = 'contacts'): Promise<string> {
  const request = {
    kind,
    listIds: [],
    delimiter: null,
    encoding: null,
    ignoreUnknown: false,
    mapping: new Map<string, string>(),
    isDryRun: false,
    skipsExisting: false,
    runsAutomations: true,
  }
  const { id } = await receiveImport(
    { db, clock: clockAt(0) },
    teamId,
    request,
    Readable.from([Buffer.from(file)]),
  )
  return id
}

async function runImports(by = db): Promise<void> {
  const { signal } = new AbortController()
  while (await runNextImport({ db: by, clock: clockAt(0), log }, signal));
}

const begin = (address: string) =>
  beginErasure({ db, clock: clockAt(0), hashAddress }, { teamId, address, keepSuppressed: false })

/** Runs an erasure as far as possible, by a time when its next run is due. Returns whether it has ended. */
async function runAt(offsetMs: number, id: string): Promise<boolean> {
  const stopping = new AbortController().signal
  const deps = { db, clock: clockAt(offsetMs), log, nodeId: newId(), hashAddress, stopping }
  expect(await runErasure(deps, { teamId, id })).toBe(true)
  return (await findErasure(db, teamId, id))?.finishedAt != null
}

test('skipped: the row of a person who was erased between the upload and the run, for which the erasure waits', async () => {
  const importId = await givenImport(
    'email,first_name\nfriend@y.test,Fay\nB@Y.test,Jane\nb@y.test,Jane\nnot b@y.test,Jane\n',
  )
  const { id } = await begin('b@y.test')
  expect(await runAt(3_000, id)).toBe(false)
  await runImports()
  expect(await db.query('select email from contact where team_id = $1', [teamId])).toEqual([
    { email: 'friend@y.test' },
  ])
  expect(await runAt(6_000, id)).toBe(true)

  expect(await findTexts(db, ['b@y.test', 'Jane'])).toEqual([])
  const counts = await db.query(
    'select status, rows_read, rows_created, rows_updated, rows_failed from csv_import where id = $1',
    [importId],
  )
  expect(counts).toEqual([
    { status: 'completed', rowsRead: 4, rowsCreated: 1, rowsUpdated: 0, rowsFailed: 3 },
  ])
  const errors = await db.query<{ line: number; message: string }>(
    'select line, message from csv_import_error where import_id = $1 order by line',
    [importId],
  )
  expect(errors.map(({ line }) => line)).toEqual([3, 4, 5])
  expect(errors[0]?.message).toBe('The person was erased after the upload.')
})

test('imported: the person in a file that was uploaded after the erasure began, for which it does not wait', async () => {
  const { id } = await begin('c@y.test')
  await givenImport('email\nc@y.test\n')
  expect(await runAt(3_000, id)).toBe(true)
  await runImports()
  expect(await findTexts(db, ['c@y.test'])).toEqual(['contact.email', 'event.data'])
})

test('stored as a hash: the suppression from a file that was uploaded before the erasure', async () => {
  await givenImport('email\nsupp@y.test\n', 'suppressions')
  const { id } = await begin('supp@y.test')
  await runImports()
  expect(await runAt(3_000, id)).toBe(true)
  expect(await db.query('select email from suppression where team_id = $1', [teamId])).toEqual([
    { email: hashAddress(teamId, 'supp@y.test') },
  ])
  expect(await findTexts(db, ['supp@y.test'])).toEqual([])
})

test('waiting for a batch in progress: its contact is erased', async () => {
  await givenImport('email\ndora@y.test\n')
  let erasure: ReturnType<typeof begin> | null = null
  let isBegun = false
  let transactions = 0
  const racing: Db = {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx)
        // The first one opens the rows, the second writes them.
        if (++transactions !== 2) return result
        erasure = begin('dora@y.test')
        erasure.then(
          () => (isBegun = true),
          () => {},
        )
        await expect.poll(async () => isBegun || (await isAnyoneWaiting())).toBe(true)
        return result
      }),
  }
  await runImports(racing)
  const { id } = await (erasure as unknown as ReturnType<typeof begin>)
  expect(await runAt(3_000, id)).toBe(true)
  expect(await findTexts(db, ['dora@y.test'])).toEqual([])
})

const isAnyoneWaiting = async () =>
  (
    await db.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  ).length > 0
