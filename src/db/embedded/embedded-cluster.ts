import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '../../lib/cannot-start.ts'
import { giveToOwnerOf } from '../../lib/owner.ts'
import { commandOfProcess, startOfProcess } from '../../lib/processes.ts'
import { type Account, type Launch, runToEnd } from './embedded-account.ts'
import type { Binaries } from './embedded-binaries.ts'

/** The role and the database of ours inside the cluster. */
const NAME = 'sendwright'
const BUILDING = 'postgres.new.'
/** What PostgreSQL calls its socket on port 5432; the lock beside it has the same name and `.lock`. */
export const SOCKET_FILE = '.s.PGSQL.5432'
const FAST_STOP_MS = 10_000
const IMMEDIATE_STOP_MS = 5_000
const POLL_MS = 20

/** What a running postmaster wrote about itself (PostgreSQL's miscadmin.h, "lock file"). */
export interface Postmaster {
  pid: number
  socketDir: string
  ready: boolean
}

export const clusterDirOf = (dataDir: string): string => join(dataDir, 'postgres')
export const passwordFileOf = (dataDir: string): string => join(dataDir, 'postgres-password')

/** A connection string for a cluster of ours that listens in `socketDir`. */
export function urlOf(dataDir: string, socketDir: string): string {
  const password = readFileSync(passwordFileOf(dataDir), 'utf8').trim()
  return `postgres://${NAME}:${password}@localhost:5432/${NAME}?host=${encodeURIComponent(socketDir)}`
}

/** The postmaster of the cluster by its own account, alive or not; null when there is no such file. */
export function readPostmaster(clusterDir: string): Postmaster | null {
  try {
    const lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    if (!Number.isInteger(pid) || pid <= 0) return null
    return { pid, socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
  } catch {
    return null
  }
}

/** True while the process that the file names is a postmaster of this very cluster, and not one with a reused id. */
export function isRunning(postmaster: Postmaster, clusterDir: string): boolean {
  if (startOfProcess(postmaster.pid) === null) return false
  const command = commandOfProcess(postmaster.pid)
  return command?.includes('postgres') === true && command.includes(`-D ${clusterDir}`)
}

/**
 * Leaves no postmaster behind on this cluster: one whose parent was killed is shut down in order. Lock files without
 * one are removed: PostgreSQL itself would refuse to start over a zombie, or over another program with the same id. Two
 * postmasters can still not meet: each looks for shared memory in use by processes of the same cluster.
 */
export async function clearPostmaster(clusterDir: string): Promise<void> {
  const postmaster = readPostmaster(clusterDir)
  if (postmaster === null) return
  if (isRunning(postmaster, clusterDir)) await stopPostmaster(postmaster.pid)
  await rm(join(clusterDir, 'postmaster.pid'), { force: true })
  if (postmaster.socketDir === '') return
  for (const name of [SOCKET_FILE, `${SOCKET_FILE}.lock`]) {
    await rm(join(postmaster.socketDir, name), { force: true })
  }
}

/** Shuts a postmaster down: fast (SIGINT), then immediate (SIGQUIT: the next start recovers), then by force. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', IMMEDIATE_STOP_MS],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    const deadline = Date.now() + waitMs
    while (startOfProcess(pid) !== null && Date.now() < deadline) await sleep(POLL_MS)
    if (startOfProcess(pid) === null) return
  }
}

/** Throws CannotStart when the cluster was made by another major version. */
export async function checkVersion(dataDir: string, binaries: Binaries): Promise<void> {
  const clusterDir = clusterDirOf(dataDir)
  if (!existsSync(clusterDir)) return
  const found = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'it has no PG_VERSION' : `${error.code}`
      throw new CannotStart(`${clusterDir} cannot be used as a PostgreSQL database: ${why}.`, {
        cause: error,
      })
    },
  )
  if (found.trim() === binaries.major) return
  throw new CannotStart(
    `The database in ${clusterDir} was made by PostgreSQL ${found.trim()}, but this Sendwright brings PostgreSQL ` +
      `${binaries.major}: dump it with the older version and restore it, or set DATABASE_URL.`,
  )
}

/** A directory of the account's own, closed to all others. */
export async function makePrivateDir(path: string, account: Account | null): Promise<void> {
  await mkdir(path, { recursive: true })
  if (account !== null) await chown(path, account.uid, account.gid)
  await chmod(path, 0o700)
}

/**
 * The directory that PostgreSQL's programs will write to, owned by their account: the cluster, or an empty one to
 * build it in. Half-built ones of a killed first start are thrown away.
 */
export async function prepareClusterDir(dataDir: string, account: Account | null): Promise<string> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(BUILDING)) await rm(join(dataDir, name), { recursive: true, force: true })
  }
  const clusterDir = clusterDirOf(dataDir)
  if (!existsSync(clusterDir)) {
    const building = join(dataDir, `${BUILDING}${process.pid}`)
    await makePrivateDir(building, account)
    return building
  }
  if (account !== null) await giveTo(account, clusterDir)
  return clusterDir
}

/**
 * Makes a cluster out of the directory of prepareClusterDir where it is not one, and a new password where that is
 * missing or others could have read it. Built under another name and renamed when whole: a killed initdb is never taken for a database.
 */
export async function ensureCluster(
  dataDir: string,
  prepared: string,
  binaries: Binaries,
  launch: Launch,
): Promise<void> {
  const clusterDir = clusterDirOf(dataDir)
  if (prepared === clusterDir) {
    if (!(await isPasswordPrivate(dataDir))) await setPassword(dataDir, clusterDir, binaries, launch, '')
    return
  }
  await initialize(prepared, binaries, launch)
  await setPassword(dataDir, prepared, binaries, launch, `create database ${NAME};\n`)
  await rename(prepared, clusterDir)
  const directory = await open(dataDir)
  await directory.sync().finally(() => directory.close())
}

/**
 * Returns whether the password file exists and only its user may read it: this process's own, or, for root, the owner of
 * the data directory. PostgreSQL's account has no use for it, and other programs may run under that account (`nobody`).
 */
async function isPasswordPrivate(dataDir: string): Promise<boolean> {
  const uid = process.getuid?.()
  const found = await stat(passwordFileOf(dataDir)).catch(() => null)
  if (found === null) return false
  if (uid === undefined) return true
  const owner = uid === 0 ? (await stat(dataDir)).uid : uid
  return found.uid === owner && (found.mode & 0o077) === 0
}

async function initialize(clusterDir: string, binaries: Binaries, launch: Launch): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  // "trust" only until the next line has replaced the file: nothing listens yet.
  const args = ['-D', clusterDir, `--username=${NAME}`, '--auth=trust', '--data-checksums', ...locale]
  await runToEnd(launch, binaries.initdb, args)
  await writeFile(join(clusterDir, 'pg_hba.conf'), 'local all all scram-sha-256\n')
}

/** In single-user mode, where no password is asked for; each line of its input is a statement. */
async function setPassword(
  dataDir: string,
  clusterDir: string,
  binaries: Binaries,
  launch: Launch,
  more: string,
): Promise<void> {
  const password = randomBytes(24).toString('hex')
  const statements = `alter role ${NAME} password '${password}';\n${more}`
  await runToEnd(launch, binaries.postgres, ['--single', '-D', clusterDir, 'postgres'], statements)
  const path = passwordFileOf(dataDir)
  // writeFile applies the mode only to a new file.
  await rm(`${path}.new`, { force: true })
  await writeFile(`${path}.new`, `${password}\n`, { mode: 0o600, flush: true })
  giveToOwnerOf(dataDir, `${path}.new`)
  await rename(`${path}.new`, path)
}

/** A cluster that was copied or restored by root belongs to root, and PostgreSQL would refuse it. */
async function giveTo(account: Account, clusterDir: string): Promise<void> {
  if ((await stat(clusterDir)).uid === account.uid) return
  for (const entry of await readdir(clusterDir, { recursive: true })) {
    await chown(join(clusterDir, entry), account.uid, account.gid)
  }
  await chown(clusterDir, account.uid, account.gid)
}
