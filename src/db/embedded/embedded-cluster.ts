import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '../../lib/cannot-start.ts'
import { giveToOwnerOf } from '../../lib/owner.ts'
import { commandOfProcess, findProcesses, startOfProcess } from '../../lib/processes.ts'
import { type Account, type Launch, runToEnd } from './embedded-account.ts'
import type { Binaries } from './embedded-binaries.ts'

/** The name of the role and the database in the cluster. */
const NAME = 'sendwright'
const BUILDING = 'postgres.new.'
/** PostgreSQL's name for its socket on port 5432. The lock beside it has the same name with `.lock`. */
export const SOCKET_FILE = '.s.PGSQL.5432'
const FAST_STOP_MS = 10_000
const IMMEDIATE_STOP_MS = 5_000
const LEFTOVERS_END_MS = 5_000
const POLL_MS = 20

/** The lock file of a postmaster (PostgreSQL's miscadmin.h, "lock file"). */
export interface Postmaster {
  pid: number
  socketDir: string
  ready: boolean
}

export const clusterDirOf = (dataDir: string): string => join(dataDir, 'postgres')
export const passwordFileOf = (dataDir: string): string => join(dataDir, 'postgres-password')

/** Returns a connection string for the embedded cluster that listens in `socketDir`. */
export function clusterUrlOf(dataDir: string, socketDir: string): string {
  const password = readFileSync(passwordFileOf(dataDir), 'utf8').trim()
  return `postgres://${NAME}:${password}@localhost:5432/${NAME}?host=${encodeURIComponent(socketDir)}`
}

/** Reads the postmaster's lock file, whether the process is alive or not; null when there is none. */
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

/** Returns whether the process in the lock file is a postmaster of this cluster, and not another with a reused id. */
export function isRunning(postmaster: Postmaster, clusterDir: string): boolean {
  if (startOfProcess(postmaster.pid) === null) return false
  return isPostmasterOf(clusterDir, commandOfProcess(postmaster.pid) ?? '')
}

const isPostmasterOf = (clusterDir: string, command: string): boolean =>
  command.includes('postgres') && command.includes(`-D ${clusterDir}`)

/**
 * Returns the name of the cluster (`cluster_name`), which its processes have in their titles. Its path would not do:
 * clusters in containers, whose processes this machine sees, may have the same.
 */
export function clusterNameOf(clusterDir: string): string {
  const { dev, ino } = statSync(clusterDir, { bigint: true })
  return `sendwright-${dev}-${ino}`
}

/**
 * Shuts down a postmaster whose parent was killed, kills the processes that a dead one left behind, and removes stale
 * lock files: PostgreSQL itself refuses to start when the id belongs to a zombie or to another program. Two
 * postmasters still cannot run together, because each checks for shared memory used by processes of the same cluster.
 */
export async function clearPostmaster(clusterDir: string): Promise<void> {
  const postmaster = readPostmaster(clusterDir)
  if (postmaster !== null && isRunning(postmaster, clusterDir)) await stopPostmaster(postmaster.pid)
  await killLeftovers(clusterDir)
  if (postmaster === null) return
  await rm(join(clusterDir, 'postmaster.pid'), { force: true })
  if (postmaster.socketDir === '') return
  for (const name of [SOCKET_FILE, `${SOCKET_FILE}.lock`]) {
    await rm(join(postmaster.socketDir, name), { force: true })
  }
}

/**
 * Kills the processes of a cluster whose postmaster is dead. Most end by themselves when they next wait for their
 * client, but one that computes continues, and one that waits for a lock of a killed process does so forever. While any
 * of them has the shared memory, no postmaster starts. The next start recovers, so nothing committed is lost.
 */
async function killLeftovers(clusterDir: string): Promise<void> {
  if (!existsSync(clusterDir)) return
  const name = clusterNameOf(clusterDir)
  // A process has its postmaster's command line until it sets its title.
  const isLeft = (command: string) =>
    command.startsWith(`postgres: ${name}: `) ||
    (isPostmasterOf(clusterDir, command) && command.includes(`cluster_name=${name} `))
  const deadline = Date.now() + LEFTOVERS_END_MS
  for (;;) {
    const left = findProcesses(isLeft)
    if (left.length === 0 || Date.now() > deadline) return
    for (const pid of left) killQuietly(pid)
    await sleep(POLL_MS)
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/**
 * Shuts down a postmaster: fast (SIGINT), then immediate (SIGQUIT, after which the next start recovers), then
 * SIGKILL.
 */
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

/** Throws CannotStart when the cluster belongs to another major version. */
export async function checkVersion(dataDir: string, binaries: Binaries): Promise<void> {
  const clusterDir = clusterDirOf(dataDir)
  if (!existsSync(clusterDir)) return
  const version = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'it has no PG_VERSION' : `${error.code}`
      throw new CannotStart(`${clusterDir} cannot be used as a PostgreSQL database: ${why}.`, {
        cause: error,
      })
    },
  )
  if (version.trim() === binaries.major) return
  throw new CannotStart(
    `The database in ${clusterDir} was created by PostgreSQL ${version.trim()}, but this Sendwright includes PostgreSQL ` +
      `${binaries.major}. Dump it with the other version and restore it, or set DATABASE_URL.`,
  )
}

/** Creates a directory that belongs to the account and that no other user may enter. */
export async function makePrivateDir(path: string, account: Account | null): Promise<void> {
  await mkdir(path, { recursive: true })
  if (account !== null) await chown(path, account.uid, account.gid)
  await chmod(path, 0o700)
}

/**
 * Prepares the directory that PostgreSQL's programs write to, owned by their account: the cluster, or an empty
 * directory to build it in. Removes incomplete clusters of a first start that was killed.
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
 * Creates the cluster in the directory of prepareClusterDir if it does not exist, and a new password if the file is
 * missing or readable by others. The cluster is built under another name and renamed when complete, so that a killed
 * initdb is never taken for a database.
 */
export async function ensureCluster(
  dataDir: string,
  workDir: string,
  binaries: Binaries,
  launch: Launch,
): Promise<void> {
  const clusterDir = clusterDirOf(dataDir)
  if (workDir === clusterDir) {
    if (!(await isPasswordPrivate(dataDir))) await setPassword(dataDir, clusterDir, binaries, launch, '')
    return
  }
  await initialize(workDir, binaries, launch)
  await setPassword(dataDir, workDir, binaries, launch, `create database ${NAME};\n`)
  await rename(workDir, clusterDir)
  const directory = await open(dataDir)
  await directory.sync().finally(() => directory.close())
}

/**
 * Returns whether the password file exists and only its user may read it: the user of this process or, for root, the
 * owner of the data directory. PostgreSQL's account does not need it, and other programs may run under that account
 * (`nobody`).
 */
async function isPasswordPrivate(dataDir: string): Promise<boolean> {
  const uid = process.getuid?.()
  const stats = await stat(passwordFileOf(dataDir)).catch(() => null)
  if (stats === null) return false
  if (uid === undefined) return true
  const owner = uid === 0 ? (await stat(dataDir)).uid : uid
  return stats.uid === owner && (stats.mode & 0o077) === 0
}

async function initialize(clusterDir: string, binaries: Binaries, launch: Launch): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  // "trust" applies only until the next line replaces the file; nothing listens yet.
  const args = ['-D', clusterDir, `--username=${NAME}`, '--auth=trust', '--data-checksums', ...locale]
  await runToEnd(launch, binaries.initdb, args)
  await writeFile(join(clusterDir, 'pg_hba.conf'), 'local all all scram-sha-256\n')
}

/** Sets the password in single-user mode, which requires none. Each line of the input is a statement. */
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

/** Gives the cluster to the account. One that root copied or restored belongs to root, and PostgreSQL refuses it. */
async function giveTo(account: Account, clusterDir: string): Promise<void> {
  if ((await stat(clusterDir)).uid === account.uid) return
  for (const entry of await readdir(clusterDir, { recursive: true })) {
    await chown(join(clusterDir, entry), account.uid, account.gid)
  }
  await chown(clusterDir, account.uid, account.gid)
}
