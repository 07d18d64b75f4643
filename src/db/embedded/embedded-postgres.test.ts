import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { startOfProcess } from '../../lib/processes.ts'
import { openDb } from '../db.ts'
import { clearPostmaster, readPostmaster } from './embedded-cluster.ts'
import { connectionInfo, startEmbeddedPostgres, useEmbeddedPostgres } from './embedded-postgres.ts'

const log = createLog('silent')
const MODULE = join(import.meta.dirname, 'embedded-postgres.ts')
const LOG_MODULE = join(import.meta.dirname, '../../lib/log.ts')
const isRoot = process.getuid?.() === 0

let folder: string
let dataDir: string
/** The data directory of a first start, as that left it when it stopped. */
let made: string
const children: ChildProcess[] = []

// One first start serves most tests, because creating a cluster takes longer than most of them. It finds the incomplete cluster
// of an earlier start that was killed, and lies below a directory that only its user may enter, as mkdtemp creates it.
beforeAll(async () => {
  made = join(await mkdtemp(join(tmpdir(), 'sendwright-made-')), 'data')
  await mkdir(join(made, 'postgres.new.1'), { recursive: true })
  await writeFile(join(made, 'postgres.new.1', 'PG_VERSION'), '18\n')
  const postgres = await startEmbeddedPostgres({ dataDir: made, log })
  await postgres.stop()
})
afterAll(() => rm(dirname(made), { recursive: true, force: true }))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendwright-embedded-'))
  dataDir = join(folder, 'data')
})

afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
  await clearPostmaster(join(dataDir, 'postgres'))
  await rm(folder, { recursive: true, force: true })
})

/** Copies the data directory of the first start, which is stopped. */
function givenCluster(): void {
  execFileSync('cp', ['-Rp', made, dataDir])
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

/** Retries until PostgreSQL responds or the test times out. */
async function queryUntilAnswered(url: string, sql: string): Promise<unknown[]> {
  for (;;) {
    try {
      return await query(url, sql)
    } catch {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

const postmasterOf = (directory: string) => readPostmaster(join(directory, 'postgres'))?.pid as number

test('a new cluster is UTF-8, checksummed, durable, and closed to other users and to the network', async () => {
  givenCluster()
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
  await postgres.stop()
  expect(connectionInfo(dataDir)).toBeNull()
})

test('rows and the URL survive a restart', async () => {
  givenCluster()
  const first = await startEmbeddedPostgres({ dataDir, log })
  await query(first.url, 'create table kept (a int)')
  await first.stop()
  const second = await startEmbeddedPostgres({ dataDir, log })
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select a from kept')).toEqual([])
  await second.stop()
})

test('a path of 150 characters with spaces, a comma and quotes works', async () => {
  dataDir = join(folder, `it's a "long", long ${'x'.repeat(150)}`)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  expect(connectionInfo(dataDir)).toBe(postgres.url)
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const socketDir = new URL(postgres.url).searchParams.get('host') as string
  expect((await stat(socketDir)).mode & 0o777).toBe(0o700)
  await postgres.stop()
  await expect(stat(socketDir)).rejects.toThrow('ENOENT')
})

test('PostgreSQL killed with SIGKILL is restarted, with every committed row', async () => {
  givenCluster()
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  await query(postgres.url, 'create table kept (a int)')
  await query(postgres.url, 'insert into kept values (7)')
  const before = postmasterOf(dataDir)
  process.kill(before, 'SIGKILL')
  while (startOfProcess(before) !== null) await new Promise((resolve) => setImmediate(resolve))
  expect(await queryUntilAnswered(postgres.url, 'select a from kept')).toEqual([{ a: 7 }])
  expect(postmasterOf(dataDir)).not.toBe(before)
  await postgres.stop()
})

test('a stop during a restart of PostgreSQL leaves nothing running', async () => {
  givenCluster()
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await postgres.stop()
  expect(connectionInfo(dataDir)).toBeNull()
  const again = await startEmbeddedPostgres({ dataDir, log })
  await again.stop()
})

describe('after its parent was killed with SIGKILL', () => {
  test('the orphaned PostgreSQL is shut down and replaced', async () => {
    givenCluster()
    const { child, url } = await runElsewhere(dataDir)
    await query(url, 'create table kept (a int)')
    const orphan = postmasterOf(dataDir)
    await end(child)
    expect(startOfProcess(orphan)).not.toBeNull()
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    expect(startOfProcess(orphan)).toBeNull()
    expect(await query(postgres.url, 'select a from kept')).toEqual([])
    await postgres.stop()
  })

  test('with PostgreSQL killed too, the next start recovers', async () => {
    givenCluster()
    const { child, url } = await runElsewhere(dataDir)
    await query(url, 'create table kept (a int)')
    await query(url, 'insert into kept values (7)')
    const pid = postmasterOf(dataDir)
    await end(child)
    process.kill(pid, 'SIGKILL')
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    expect(await query(postgres.url, 'select a from kept')).toEqual([{ a: 7 }])
    await postgres.stop()
  })
})

test('a stale pid file with the id of another program does not prevent a start', async () => {
  givenCluster()
  const first = await startEmbeddedPostgres({ dataDir, log })
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const lines = (await readFile(pidFile, 'utf8')).split('\n')
  await first.stop()
  const stranger = spawn('/bin/sleep', ['60'], await ownerOf(join(dataDir, 'postgres')))
  children.push(stranger)
  await writeFile(pidFile, [stranger.pid, ...lines.slice(1)].join('\n'))
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

test('rejected with one sentence while another Sendwright runs on the directory, which is not disturbed', async () => {
  givenCluster()
  const { child, url } = await runElsewhere(dataDir)
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    `The data directory ${dataDir} is in use by another Sendwright (process ${child.pid}).`,
  )
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a command uses the running server, and starts a PostgreSQL when there is none', async () => {
  givenCluster()
  const { child, url } = await runElsewhere(dataDir)
  const attached = await useEmbeddedPostgres(dataDir, log)
  expect(attached.url).toBe(url)
  await attached.stop()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await end(child)
  const own = await useEmbeddedPostgres(dataDir, log)
  expect(await query(own.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await own.stop()
  expect(connectionInfo(dataDir)).toBeNull()
})

test('a server waits for a command that holds the directory briefly', async () => {
  givenCluster()
  const command = await useEmbeddedPostgres(dataDir, log)
  const starting = runElsewhere(dataDir)
  await command.stop()
  const { url } = await starting
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('an incomplete cluster of a killed first start is removed', async () => {
  expect((await readdir(made)).sort()).toEqual(['postgres', 'postgres-password', 'postgres-socket'])
})

test('rejected with one sentence when another major version created the cluster', async () => {
  givenCluster()
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    /was created by PostgreSQL 17, but this Sendwright includes PostgreSQL 18/,
  )
})

test('a lost password file is created again', async () => {
  givenCluster()
  await rm(join(dataDir, 'postgres-password'))
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await postgres.stop()
})

describe('a password file that was readable by others is replaced, with a new password', () => {
  const path = () => join(dataDir, 'postgres-password')
  const exposures: [string, () => Promise<void>][] = [
    ['readable by its group and by others', () => chmod(path(), 0o644)],
    ...(isRoot
      ? [["PostgreSQL's account owns it", () => chown(path(), 1, 1)] as [string, () => Promise<void>]]
      : []),
  ]

  test.each(exposures)('%s', async (_, expose) => {
    givenCluster()
    const before = await readFile(path(), 'utf8')
    await expose()
    // A file left by a killed start keeps its mode.
    await writeFile(`${path()}.new`, 'left over', { mode: 0o666 })
    const first = await startEmbeddedPostgres({ dataDir, log })
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.stop()
    const { mode, uid } = await stat(path())
    expect([mode & 0o777, uid]).toEqual([0o600, (await stat(dataDir)).uid])
    expect(await readFile(path(), 'utf8')).not.toBe(before)
    const second = await startEmbeddedPostgres({ dataDir, log })
    expect(second.url).toBe(first.url)
    await second.stop()
  })
})

describe.runIf(isRoot)('started by root', () => {
  // Every Unix system has a user with this id.
  const user = { uid: 1, gid: 1 }
  const stranger = { uid: 54_321, gid: 54_321 }

  test('PostgreSQL runs under another account, even below a directory that only root may enter', async () => {
    givenCluster()
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
    await mkdir(dataDir, { mode: 0o700 })
    await chown(dataDir, stranger.uid, stranger.gid)
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(stranger.uid)
    await postgres.stop()
  })

  test('a user without a name gets an error that names the missing entry', async () => {
    await chown(folder, stranger.uid, stranger.gid)
    const { url } = await runElsewhere(dataDir, stranger)
    expect(url).toMatch(/^CannotStart: .*user does not exist/)
  })

  test('a cluster that was copied by root is given to the account', async () => {
    givenCluster()
    await chown(join(dataDir, 'postgres'), 0, 0)
    const postgres = await startEmbeddedPostgres({ dataDir, log })
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
  })

  test("a regular user starts PostgreSQL in that user's directory", async () => {
    await chown(folder, user.uid, user.gid)
    const { url } = await runElsewhere(dataDir, user)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(user.uid)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  })
})
