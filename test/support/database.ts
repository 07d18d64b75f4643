import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { basename, join } from 'node:path'
import { expect, inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { reportLeftovers } from '../../bin/check-report.mjs'
import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { inSchema } from '../../src/db/pool.ts'
import { createLog } from '../../src/lib/log.ts'
import { startOfProcess } from '../../src/lib/processes.ts'
import { citusUrl, distributeSchema, findCitusSchemas } from './citus.ts'
import { findKeptFolder, makeRunFolder, type RunFolder } from './run-folder.ts'
import { waitForWorkers } from './worker-stops.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the server's maintenance database. */
    postgresUrl: string
  }
}

export interface TestDatabase {
  url: string
  db: Db
  /** Closes `db` and removes the database. */
  drop(): Promise<void>
}

const TEMPLATE = 'sendwright_template'
const NO_TABLES = 'template0'
/** SQLSTATE object_in_use. */
const IN_USE = '55006'
const COPY_ATTEMPTS_MAX = 10
const OPTIONS = { connectionsMax: 5, timeoutMs: 30_000, name: 'test' }

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** Creates a database cloned from a template: the migrated, empty one, or one of `createTemplate`. */
export async function createDatabase(template = TEMPLATE): Promise<TestDatabase> {
  return cloneDatabase(template)
}

/** Creates a migrated database that `prepare` fills once, for the tests of a file to clone. Call `drop` in afterAll. */
export async function createTemplate(
  prepare: (db: Db) => Promise<void>,
): Promise<{ name: string; drop(): Promise<void> }> {
  if (citusUrl !== undefined) return rememberTemplate(prepare)
  const { url, db } = await createDatabase()
  await prepare(db).finally(() => db.close())
  const name = new URL(url).pathname.slice(1)
  return { name, drop: () => dropDatabase(name) }
}

/** Creates a database without tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return cloneDatabase(NO_TABLES)
}

async function cloneDatabase(template: string): Promise<TestDatabase> {
  if (citusUrl !== undefined) return createCell(template)
  const name = nameDatabase()
  await copyDatabase(name, template)
  const url = withDatabase(inject('postgresUrl'), name)
  const db = openDb(url, OPTIONS)
  return {
    url,
    db,
    async drop() {
      await db.close()
      await dropDatabase(name)
    },
  }
}

/** On Citus, which has no templates: how the clones of each are made. */
const preparations = new Map<string, (db: Db) => Promise<void>>()

function rememberTemplate(prepare: (db: Db) => Promise<void>): { name: string; drop(): Promise<void> } {
  const name = randomBytes(8).toString('hex')
  preparations.set(name, prepare)
  return { name, drop: async () => void preparations.delete(name) }
}

/** Creates a distributed schema instead of a database. One without tables is not distributed. */
async function createCell(template: string): Promise<TestDatabase> {
  const name = nameSchema()
  const url = inSchema(inject('postgresUrl'), name)
  await command(`create schema ${name}`)
  const db = openDb(url, OPTIONS)
  if (template !== NO_TABLES) {
    await migrate(db, new Date())
    await distributeSchema(db)
  }
  await preparations.get(template)?.(db)
  return {
    url,
    db,
    async drop() {
      await db.close()
      await command(`drop schema if exists ${name} cascade`)
    },
  }
}

/** The names of channels contain that of the schema, and have at most 63 bytes too. */
function nameSchema(): string {
  return nameDatabase().replace(/^(test_.{0,16}).*_(.{8}).*$/, '$1_$2')
}

/** Names the test file, so that a database that is left has a culprit. A name of PostgreSQL has at most 63 bytes. */
function nameDatabase(): string {
  const file = basename(expect.getState().testPath ?? '', '.test.ts').replaceAll(/\W/g, '_')
  return `test_${file.slice(0, 40)}_${randomBytes(8).toString('hex')}`
}

/** The connection of this worker for commands to the server. It stays open, because opening one costs much of what a copy does. */
let server: Db | null = null

function connectServer(): Db {
  server ??= openDb(inject('postgresUrl'), { ...OPTIONS, connectionsMax: 1 })
  return server
}

async function command(statement: string): Promise<void> {
  await connectServer().query(statement, undefined, { isOneOff: true })
}

async function dropDatabase(name: string): Promise<void> {
  await command(`drop database if exists ${name} with (force)`)
}

/**
 * Copies the template file by file, which takes half the time of logging each of its blocks: PostgreSQL's reason to log them is
 * the checkpoint before and after the copy, which costs little without fsync. If autovacuum uses the template, PostgreSQL ends
 * that and waits five seconds, which may be too short on a busy machine.
 */
async function copyDatabase(name: string, template: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await command(`create database ${name} template ${template} strategy file_copy`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE || attempt === COPY_ATTEMPTS_MAX) throw error
    }
  }
}

async function runOn(url: string, statement: string): Promise<void> {
  const db = openDb(url, { ...OPTIONS, connectionsMax: 1 })
  await db.query(statement).finally(() => db.close())
}

const MEMORY_DISK = '/dev/shm'
/** A run stays below one gibibyte; the rest is for its processes. */
const MEMORY_MIN = 6 * 1024 ** 3
const DATA_DIR = /^sendwright-test-(\d+)-/

/**
 * Creates the folder for PostgreSQL in memory if the machine has enough: a cloned database is 800 files, and a disk takes three
 * times as long for them. A run that was killed leaves its folder, so the next one removes it.
 */
function makeDataDir(): string {
  const folder = hasRoom(MEMORY_DISK) ? MEMORY_DISK : findKeptFolder()
  for (const name of readdirSync(folder)) {
    const pid = DATA_DIR.exec(name)?.[1]
    if (pid !== undefined && startOfProcess(Number(pid)) === null)
      rmSync(join(folder, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(folder, `sendwright-test-${process.pid}-`))
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return Math.min(bavail * bsize, freemem()) > MEMORY_MIN
  } catch {
    return false
  }
}

/**
 * Sets up one PostgreSQL for the whole run of Vitest, with the migrated template, and a temporary directory for the run. The
 * teardown waits until the workers have stopped what their files shared. It fails the run, and names what the tests left behind.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer()
  project.provide('postgresUrl', server.url)
  const folder = enterRunFolder()
  return async () => {
    await waitForWorkers()
    const databases = citusUrl === undefined ? await findDatabases(server.url) : await findCitusSchemas()
    const left = [...databases, ...((await folder?.findLeftovers()) ?? [])]
    await server.stop()
    folder?.remove()
    if (left.length === 0) return
    // Vitest logs the error of a teardown, but would exit as if the run had passed.
    process.exitCode = 1
    const { SENDWRIGHT_TEST_REPORT: report } = process.env
    if (report !== undefined) reportLeftovers(report, left)
    throw new Error(`The tests left behind:\n${left.join('\n')}`)
  }
}

interface Server {
  /** The URL of its maintenance database. */
  url: string
  stop(): Promise<void>
}

/** Returns the server of SENDWRIGHT_TEST_CITUS_URL or SENDWRIGHT_TEST_DATABASE_URL, or starts an embedded one. */
async function openServer(): Promise<Server> {
  if (citusUrl !== undefined) return { url: citusUrl, stop: async () => {} }
  const url = process.env.SENDWRIGHT_TEST_DATABASE_URL
  if (url === undefined) return startServer()
  const stop = () => runOn(url, `drop database if exists ${TEMPLATE} with (force)`)
  await stop()
  await makeTemplate(url)
  return { url, stop }
}

/** Creates the migrated template. */
async function makeTemplate(url: string): Promise<void> {
  await runOn(url, `create database ${TEMPLATE}`)
  const template = openDb(withDatabase(url, TEMPLATE), OPTIONS)
  await migrate(template, new Date()).finally(() => template.close())
}

async function startServer(): Promise<Server> {
  const dataDir = makeDataDir()
  // Tests need no durability, and run several times as fast without waiting for the disk.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_wal_size: '256MB',
    max_connections: '400',
    // Every connection computes a proof of its password, and the tests open thousands.
    scram_iterations: '1',
    // The files are in memory: processes that read, write and flush in the background only take turns from the tests.
    io_method: 'sync',
    bgwriter_lru_maxpages: '0',
    wal_writer_delay: '5s',
    max_logical_replication_workers: '0',
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn'), settings })
  const stop = async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const { username, password } = new URL(postgres.url)
    await runOn(postgres.url, `alter role ${username} password '${password}'`)
    await makeTemplate(postgres.url)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: withDatabase(postgres.url, 'postgres'), stop }
}

/**
 * Makes a run folder the temporary directory of the workers, which start later with this environment. Returns null if another
 * project of the same run has done so.
 */
function enterRunFolder(): RunFolder | null {
  if (process.env.SENDWRIGHT_KEPT_FOLDER !== undefined) return null
  const folder = makeRunFolder()
  Object.assign(process.env, folder.environment)
  return folder
}

async function findDatabases(url: string): Promise<string[]> {
  const db = openDb(url, { ...OPTIONS, connectionsMax: 1 })
  const rows = await db
    .query<{ name: string }>(
      `select datname as name from pg_database where datname like 'test\\_%' order by 1`,
    )
    .finally(() => db.close())
  return rows.map(({ name }) => `database ${name}`)
}
