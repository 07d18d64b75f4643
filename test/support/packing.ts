import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { PackRound } from '../../src/bodies/packing/pack-round.ts'
import { createReadBody } from '../../src/bodies/read-body.ts'
import type { BodyStore } from '../../src/bodies/store/body-store.ts'
import { openBodyStore } from '../../src/bodies/store/open-body-store.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Db } from '../../src/db/db-types.ts'
import type { ReadPackedBody } from '../../src/emails/rows/packed-queries.ts'
import { createLog, type Log } from '../../src/lib/log.ts'
import type { Clock } from '../../src/lib/time/clock.ts'
import { readMessage, shopMessage } from './bodies.ts'
import { createDatabase, createTemplate } from './database.ts'
import { daysBefore, givenTeamRow, makeWeekOf } from './old-weeks.ts'

export const HOUR_MS = 3_600_000
const AFTER_MS = 12 * HOUR_MS
/** Rounds run up to 39 days later, which must not be in the future. */
export const NOW = daysBefore(new Date(), 50)
export const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS)
export const ORDERS = Array.from({ length: 60 }, (_, number) => shopMessage(number))

interface RoundOptions {
  at?: Date
  clock?: Clock
  store?: BodyStore
  db?: Db
  onPacked?: () => void
}

/** A database, a directory for bodies and a team. */
export interface Packing {
  db: Db
  directory: string
  store: BodyStore
  key: Buffer
  log: Log
  readBody: ReadPackedBody
  team: string
  /** The messages of errors that the rounds logged. */
  failures: string[]
  makeRound(options?: RoundOptions): PackRound
  /** Runs a round of a new process. */
  runRound(options?: RoundOptions): Promise<void>
  filesOf(teamId?: string): string[]
  statesOf(): Promise<string[]>
  read(id: string, reader?: ReadPackedBody): Promise<Buffer | null>
  countContents(): Promise<{ stored: number; packed: number }>
  /** Expects every message to be read as it was given. */
  expectMessages(ids: readonly string[], messages: readonly Buffer[]): Promise<void>
  /** Leaves the empty folder that the file system of the directory was mounted on. */
  unmount(): void
  mount(): void
  stop(): Promise<void>
}

/** Creates what `startPacking` copies. */
export const createPackingTemplate = () =>
  createTemplate(async (prepared) => {
    await makeWeekOf(prepared, NOW)
    await makeWeekOf(prepared, daysBefore(NOW, 7))
  })

export async function startPacking(template: string): Promise<Packing> {
  const database = await createDatabase(template)
  const { db } = database
  const directory = mkdtempSync(join(tmpdir(), 'sendwright-bodies-'))
  const store = openBodyStore(readConfig({ SENDWRIGHT_BODIES: `file://${directory}` })) as BodyStore
  const key = randomBytes(32)
  const failures: string[] = []
  const log = createLog('silent')
  log.warn = ({ err }: { err: Error }) => void failures.push(err.message)
  const readBody = createReadBody({ db, store, key, log })
  const team = await givenTeamRow(db)
  const given = { db, directory, store, key, log, readBody, team, failures }

  function makeRound({ at = NOW, ...over }: RoundOptions = {}): PackRound {
    const clock = { now: () => at }
    return new PackRound({ db, store, key, log, clock, afterMs: AFTER_MS, onPacked: () => {}, ...over })
  }
  return {
    ...given,
    ...viewOf(given),
    makeRound,
    runRound: (options) => makeRound(options).run(),
    unmount() {
      renameSync(directory, `${directory}-unmounted`)
      mkdirSync(directory)
    },
    mount() {
      rmSync(directory, { recursive: true })
      renameSync(`${directory}-unmounted`, directory)
    },
    async stop() {
      await database.drop()
      for (const path of [directory, `${directory}-unmounted`]) rmSync(path, { recursive: true, force: true })
    },
  }
}

type Given = Pick<Packing, 'db' | 'directory' | 'readBody' | 'team'>

/** Methods that read where the messages are. */
function viewOf({ db, directory, readBody, team }: Given) {
  const read = (id: string, reader = readBody) => readMessage(db, reader, team, id)
  return {
    read,
    filesOf(teamId = team) {
      try {
        return readdirSync(join(directory, teamId))
      } catch {
        return []
      }
    },
    async statesOf() {
      const rows = await db.query<{ state: string }>('select state from body_pack order by id')
      return rows.map(({ state }) => state)
    },
    async countContents() {
      const [row] = await db.query<{ stored: number; packed: number }>(
        `select (select count(*)::int4 from email_content where team_id = $1) as stored,
           (select count(*)::int4 from packed_content where team_id = $1) as packed`,
        [team],
      )
      return row ?? { stored: -1, packed: -1 }
    },
    async expectMessages(ids: readonly string[], messages: readonly Buffer[]) {
      for (const [index, id] of ids.entries()) {
        expect((await read(id))?.equals(messages[index] as Buffer), `message ${index}`).toBe(true)
      }
    },
  }
}
