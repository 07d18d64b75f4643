import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { createLog } from '../../lib/log.ts'
import { startOfProcess } from '../../lib/processes.ts'
import { openDb } from '../db.ts'
import { clearPostmaster, readPostmaster } from './embedded-cluster.ts'
import { connectionInfo, startEmbeddedPostgres, useEmbeddedPostgres } from './embedded-postgres.ts'

const log = createLog('silent')
const MODULE = join(import.meta.dirname, 'embedded-postgres.ts')
const LOG_MODULE = join(import.meta.dirname, '../../lib/log.ts')
const isRoot = process.getuid?.() === 0
/** Ends a test whose PostgreSQL does not come back. A slow machine must not reach it. */
const LONG_WAIT = { timeout: 60_000, interval: 50 }

/** A name with everything that needs quotes in a setting, longer than the path of a socket may be. */
const LONG_NAME = `it's a "long", long ${'x'.repeat(150)}`

let folder: string
let dataDir: string
/** The data directory of a first start, while no test has it. */
let made: string
/** The lock file of the first start. */
let lockFile: string
const children: ChildProcess[] = []

// One cluster passes from test to test, because creating or copying one takes longer than most tests. Its first start finds the
// incomplete cluster of an earlier start that was killed, and lies below a directory that only its user may enter, as mkdtemp
// creates it.
beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'sendwright-made-'))
  const first = join(parent, LONG_NAME)
  made = join(parent, 'data')
  await mkdir(join(first, 'postgres.new.1'), { recursive: true })
  await writeFile(join(first, 'postgres.new.1', 'PG_VERSION'), '18\n')
  const postgres = await startEmbeddedPostgres({ dataDir: first, log })
  lockFile = await readFile(join(first, 'postgres', 'postmaster.pid'), 'utf8')
  await postgres.stop()
  await rename(first, made)
})
afterAll(() => rm(dirname(made), { recursive: true, force: true }))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendwright-embedded-'))
  dataDir = join(folder, 'data')
})

afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
  await clearPostmaster(join(dataDir, 'postgres'))
  if (!existsSync(made)) await rename(dataDir, made)
  // A test that failed may hold it.
  await rm(join(made, 'sendwright.lock'), { force: true })
  await rm(folder, { recursive: true, force: true })
})

/** Moves the cluster to the data directory of this test. */
async function givenCluster(): Promise<void> {
  await rename(made, dataDir)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** Runs PostgreSQL on `directory` in a separate process. Resolves to the URL when it is ready. */
async function runElsewhere(
  directory: string,
  account: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; url: string }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(MODULE)}
    import { createLog } from ${JSON.stringify(LOG_MODULE)}
    try {
      const { url } = await startEmbeddedPostgres({ dataDir: process.argv[1], log: createLog('silent') })
      console.log(url)
    } catch (error) {
      console.log(error.name + ': ' + error.message)
      process.exit(1)
    }`
  const command = ['--input-type=module', '--eval', program, '--', directory]
  const [file, args, options] = commandAs(account, command)
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return { child, url: line.toString().trim() }
}

/**
 * Returns the command that runs Node as another user. When the clone is below a directory that only root may enter,
 * the user gets the right to read there and no other.
 */
function commandAs(
  account: { uid?: number; gid?: number },
  args: string[],
): [file: string, args: string[], options: { uid?: number; gid?: number }] {
  if (account.uid === undefined || mayEnter(process.execPath)) return [process.execPath, args, account]
  const who = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  const rights = ['--inh-caps=-all,+dac_read_search', '--ambient-caps=-all,+dac_read_search']
  const look = '--securebits=+no_setuid_fixup'
  return ['setpriv', [...who, look, ...rights, '--', process.execPath, ...args], {}]
}

/** Returns whether every directory above `path` allows other users to pass through. */
function mayEnter(path: string): boolean {
  const above = dirname(path)
  return above === path || ((statSync(above).mode & 0o001) !== 0 && mayEnter(above))
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const db = openDb(url, { connectionsMax: 1, timeoutMs: 10_000, name: 'test' })
  return db.query(sql).finally(() => db.close())
}

/** Creates a table with the row 7, in place of that of an earlier test. */
const createKept = (url: string) =>
  query(url, 'do $$ begin drop table if exists kept; create table kept as select 7 as a; end $$')
const findKept = (url: string) => query(url, 'select a from kept')

/**
 * Freezes a process of PostgreSQL, so that it outlives its postmaster, like one that waits for a lock of a killed
 * process. While it has the shared memory, no postmaster starts.
 */
async function freezeCheckpointer(url: string): Promise<number> {
  const rows = await query(url, "select pid from pg_stat_activity where backend_type = 'checkpointer'")
  const [{ pid }] = rows as [{ pid: number }]
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => {
    if (startOfProcess(pid) !== null) process.kill(pid, 'SIGKILL')
  })
  return pid
}

const postmasterOf = (directory: string) => readPostmaster(join(directory, 'postgres'))?.pid as number

test('an incomplete cluster of a killed first start is removed', async () => {
  expect((await readdir(made)).sort()).toEqual(['postgres', 'postgres-password'])
})

test('a new cluster is UTF-8, checksummed, durable, and closed to other users and to the network, and rows and the URL survive a restart', async () => {
  await givenCluster()
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const [settings] = await query(
    postgres.url,
    `select current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums,
            current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
            current_setting('full_page_writes') as pages, current_setting('listen_addresses') as addresses,
            current_database() as name, 'ß' ~* 'ẞ' and upper('é') = 'É' as unicode`,
  )
  expect(settings).toEqual({
    encoding: 'UTF8',
    checksums: 'on',
    fsync: 'on',
    commits: 'on',
    pages: 'on',
    addresses: '',
    name: 'sendwright',
    unicode: true,
  })
  const modeOf = async (path: string) => (await stat(join(dataDir, path))).mode & 0o777
  expect(await modeOf('postgres')).toBe(0o700)
  expect(await modeOf('postgres-password')).toBe(0o600)
  expect((await stat(join(dataDir, 'postgres-password'))).uid).toBe(process.getuid?.())
  expect(await modeOf('postgres-socket')).toBe(0o700)
  await expect(query(postgres.url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/)
  await createKept(postgres.url)
  await postgres.stop()
  expect(connectionInfo(dataDir)).toBeNull()
  const second = await startEmbeddedPostgres({ dataDir, log })
  expect(second.url).toBe(postgres.url)
  expect(await findKept(second.url)).toEqual([{ a: 7 }])
  await second.stop()
})

test('a path of 150 characters with spaces, a comma and quotes works', async () => {
  dataDir = join(folder, LONG_NAME)
  await givenCluster()
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  expect(connectionInfo(dataDir)).toBe(postgres.url)
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const socketDir = new URL(postgres.url).searchParams.get('host') as string
  expect((await stat(socketDir)).mode & 0o777).toBe(0o700)
  await postgres.stop()
  await expect(stat(socketDir)).rejects.toThrow('ENOENT')
})

test('PostgreSQL killed with SIGKILL is restarted, with every committed row, and a stop during that leaves nothing running', async () => {
  await givenCluster()
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  await createKept(postgres.url)
  const before = postmasterOf(dataDir)
  process.kill(before, 'SIGKILL')
  await vi.waitFor(() => expect([before, undefined]).not.toContain(postmasterOf(dataDir)), LONG_WAIT)
  expect(await vi.waitFor(() => findKept(postgres.url), LONG_WAIT)).toEqual([{ a: 7 }])
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await postgres.stop()
  expect(connectionInfo(dataDir)).toBeNull()
  const again = await startEmbeddedPostgres({ dataDir, log })
  await again.stop()
})

test('PostgreSQL killed with SIGKILL is restarted although one of its processes hangs', async () => {
  await givenCluster()
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  await createKept(postgres.url)
  const hanging = await freezeCheckpointer(postgres.url)
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await vi.waitFor(() => expect(startOfProcess(hanging)).toBeNull(), LONG_WAIT)
  expect(await vi.waitFor(() => findKept(postgres.url), LONG_WAIT)).toEqual([{ a: 7 }])
  await postgres.stop()
})

test('a server waits for a command that holds the directory briefly, and then has it to itself', async () => {
  await givenCluster()
  const command = await useEmbeddedPostgres(dataDir, log)
  const starting = runElsewhere(dataDir)
  await command.stop()
  const { child, url } = await starting
  await createKept(url)
  // Another server is rejected with one sentence, and does not disturb it. A command uses its PostgreSQL.
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    `The data directory ${dataDir} is in use by another Sendwright (process ${child.pid}).`,
  )
  const attached = await useEmbeddedPostgres(dataDir, log)
  expect(attached.url).toBe(url)
  await attached.stop()
  expect(await findKept(url)).toEqual([{ a: 7 }])
  // When it was killed, its orphaned PostgreSQL is shut down, and a command starts one for itself.
  const orphan = postmasterOf(dataDir)
  await end(child)
  expect(startOfProcess(orphan)).not.toBeNull()
  const own = await useEmbeddedPostgres(dataDir, log)
  expect(startOfProcess(orphan)).toBeNull()
  expect(await findKept(own.url)).toEqual([{ a: 7 }])
  await own.stop()
  expect(connectionInfo(dataDir)).toBeNull()
})

test('a start recovers after its parent and PostgreSQL were killed with SIGKILL and one process was left', async () => {
  await givenCluster()
  const { child, url } = await runElsewhere(dataDir)
  await createKept(url)
  const pid = postmasterOf(dataDir)
  const hanging = await freezeCheckpointer(url)
  await end(child)
  process.kill(pid, 'SIGKILL')
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  expect(startOfProcess(hanging)).toBeNull()
  expect(await findKept(postgres.url)).toEqual([{ a: 7 }])
  await postgres.stop()
})

test('a stale pid file with the id of another program does not prevent a start', async () => {
  await givenCluster()
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const stranger = spawn('/bin/sleep', ['60'], await ownerOf(join(dataDir, 'postgres')))
  children.push(stranger)
  await writeFile(pidFile, lockFile.replace(/^\d+/, `${stranger.pid}`))
  expect(connectionInfo(dataDir)).toBeNull()
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(stranger.exitCode).toBeNull()
  await postgres.stop()
})

async function ownerOf(path: string): Promise<{ uid?: number; gid?: number }> {
  const { uid, gid } = await stat(path)
  return isRoot ? { uid, gid } : {}
}

test('rejected with one sentence when another major version created the cluster', async () => {
  await givenCluster()
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    /was created by PostgreSQL 17, but this Sendwright includes PostgreSQL 18/,
  )
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n')
})

test('a password file that was lost or readable by others is replaced, with a new password', async () => {
  await givenCluster()
  const path = join(dataDir, 'postgres-password')
  const exposures = {
    lost: () => rm(path),
    'readable by its group and by others': () => chmod(path, 0o644),
    ...(isRoot ? { "owned by PostgreSQL's account": () => chown(path, 1, 1) } : {}),
  }
  const passwords = [await readFile(path, 'utf8')]
  for (const [exposure, expose] of Object.entries(exposures)) {
    await expose()
    // A file left by a killed start keeps its mode.
    await writeFile(`${path}.new`, 'left over', { mode: 0o666 })
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    expect(await query(postgres.url, 'select 1 as one'), exposure).toEqual([{ one: 1 }])
    await postgres.stop()
    const { mode, uid } = await stat(path)
    expect([mode & 0o777, uid], exposure).toEqual([0o600, (await stat(dataDir)).uid])
    const password = await readFile(path, 'utf8')
    expect(passwords, exposure).not.toContain(password)
    passwords.push(password)
  }
  const next = await startEmbeddedPostgres({ dataDir, log })
  await next.stop()
  expect(await readFile(path, 'utf8')).toBe(passwords.at(-1))
})

describe.runIf(isRoot)('started by root', () => {
  // Every Unix system has a user with this id.
  const user = { uid: 1, gid: 1 }
  const stranger = { uid: 54_321, gid: 54_321 }

  test('a cluster that was copied by root is given to another account, even below a directory that only root may enter', async () => {
    await givenCluster()
    await chown(join(dataDir, 'postgres'), 0, 0)
    await chmod(folder, 0o700)
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    const owner = await stat(join(dataDir, 'postgres'))
    expect(owner.uid).not.toBe(0)
    expect((await stat(`/proc/${postmasterOf(dataDir)}`)).uid).toBe(owner.uid)
    await query(postgres.url, 'create table written (a int)')
    await query(postgres.url, 'checkpoint')
    await postgres.stop()
  })

  test('PostgreSQL runs as the owner of the data directory, who can start it alone afterwards', async () => {
    await chmod(folder, 0o711)
    await mkdir(dataDir, { mode: 0o700 })
    await chown(dataDir, user.uid, user.gid)
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    await query(postgres.url, 'create table kept (a int)')
    await postgres.stop()
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(user.uid)
    const alone = await runElsewhere(dataDir, user)
    expect(await query(alone.url, 'select a from kept')).toEqual([])
  })

  test('PostgreSQL runs as a named user when the owner of the data directory has no name', async () => {
    await givenCluster()
    const owned = [dataDir, join(dataDir, 'postgres')]
    for (const path of owned) await chown(path, stranger.uid, stranger.gid)
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    const { uid } = await stat(join(dataDir, 'postgres'))
    expect([0, stranger.uid]).not.toContain(uid)
    expect((await stat(`/proc/${postmasterOf(dataDir)}`)).uid).toBe(uid)
    await postgres.stop()
    await chown(dataDir, 0, 0)
  })

  test('a user without a name gets an error that names the missing entry', async () => {
    await chown(folder, stranger.uid, stranger.gid)
    const { url } = await runElsewhere(dataDir, stranger)
    expect(url).toMatch(/^CannotStart: .*user does not exist/)
  })

  test("a regular user starts PostgreSQL in that user's directory", async () => {
    await chown(folder, user.uid, user.gid)
    const { url } = await runElsewhere(dataDir, user)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(user.uid)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  })
})
