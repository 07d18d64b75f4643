import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '../../lib/cannot-start.ts'
import type { Log } from '../../lib/log.ts'
import { holderOf, lockDataDir, makeDataDir, type Purpose } from './data-dir.ts'
import { type Account, chooseAccount, chooseLaunch } from './embedded-account.ts'
import { type Binaries, findBinaries } from './embedded-binaries.ts'
import {
  checkVersion,
  clearPostmaster,
  clusterDirOf,
  clusterNameOf,
  clusterUrlOf,
  ensureCluster,
  isRunning,
  makePrivateDir,
  prepareClusterDir,
  readPostmaster,
  SOCKET_FILE,
} from './embedded-cluster.ts'
import { superviseProcess } from './embedded-supervisor.ts'

export interface EmbeddedPostgres {
  /** The URL for openDb, which does not change when PostgreSQL restarts. */
  url: string
  /** Shuts PostgreSQL down and releases the data directory. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  purpose?: Purpose
  /** PostgreSQL settings that override the defaults, for example `{ max_connections: '100' }`. */
  settings?: Readonly<Record<string, string>>
}

/** Small defaults, so that an idle installation fits a small machine. They never change the durability of commits. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // Otherwise all commits wait for about 50 ms whenever a new file of the log is filled (ADR 0057).
  wal_init_zero: 'off',
  jit: 'off',
  // After a crash, PostgreSQL ends and the supervisor restarts it as often as necessary. If PostgreSQL 18 restarts
  // itself, it hangs forever when its recovery fails once, for example because the disk is full and its log cannot be
  // written.
  restart_after_crash: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Its lines go to Sendwright's log, so they must contain no row values and no prefix.
  log_line_prefix: '',
  log_error_verbosity: 'terse',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** A socket path may have 108 bytes on Linux and 104 on macOS (unix(7), sys/un.h), including the file name. */
const SOCKET_PATH_BYTES_MAX = 100
const SOCKET_DIR_PREFIX = 'sendwright-socket-'
const POLL_MS = 50
const ATTACH_WAIT_MS = 60_000

/**
 * Starts the PostgreSQL from npm on `dataDir`/postgres and keeps it running until `stop`. First clears the remains of
 * an earlier process: an orphaned postmaster, a stale pid file, an incomplete cluster. Throws CannotStart when the
 * directory is in use, the version is wrong, or PostgreSQL cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, purpose = 'server' } = options
  const binaries = findBinaries()
  await makeDataDir(dataDir)
  const unlock = await lockDataDir(dataDir, purpose)
  let socketDir: string | null = null
  try {
    await clearRemains(dataDir, binaries)
    const account = chooseAccount([clusterDirOf(dataDir), dataDir])
    socketDir = await makeSocketDir(dataDir, account)
    const postmaster = await startIn(socketDir, account, binaries, options)
    return {
      url: clusterUrlOf(dataDir, socketDir),
      async stop() {
        await postmaster.stop()
        await removeSocketDir(socketDir)
        unlock()
      },
    }
  } catch (error) {
    await removeSocketDir(socketDir)
    unlock()
    throw error
  }
}

/**
 * Returns the embedded PostgreSQL for a command: that of a running server, or a new one until `stop`. Throws
 * CannotStart.
 */
export async function useEmbeddedPostgres(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + ATTACH_WAIT_MS
  while (holderOf(dataDir)?.purpose === 'server') {
    const url = connectionInfo(dataDir)
    if (url !== null) return { url, stop: async () => {} }
    if (Date.now() > deadline)
      throw new CannotStart('A server is starting, but its PostgreSQL does not respond yet.')
    await sleep(POLL_MS)
  }
  return startEmbeddedPostgres({ dataDir, log, purpose: 'command' })
}

/** Returns the connection string of the PostgreSQL that runs on `dataDir`, or null when none does. */
export function connectionInfo(dataDir: string): string | null {
  const clusterDir = clusterDirOf(dataDir)
  const postmaster = readPostmaster(clusterDir)
  if (postmaster === null || !postmaster.ready || !isRunning(postmaster, clusterDir)) return null
  return clusterUrlOf(dataDir, postmaster.socketDir)
}

async function clearRemains(dataDir: string, binaries: Binaries): Promise<void> {
  const clusterDir = clusterDirOf(dataDir)
  await checkVersion(dataDir, binaries)
  const socketDir = readPostmaster(clusterDir)?.socketDir ?? null
  await clearPostmaster(clusterDir)
  await removeSocketDir(socketDir)
}

async function startIn(
  socketDir: string,
  account: Account | null,
  binaries: Binaries,
  { dataDir, log, settings = {} }: EmbeddedOptions,
): Promise<{ stop(): Promise<void> }> {
  const catalogue = join(binaries.root, 'share', 'postgresql', 'postgres.bki')
  const clusterDir = await prepareClusterDir(dataDir, account)
  const launch = chooseLaunch(account, binaries.postgres, catalogue, [clusterDir, socketDir])
  await ensureCluster(dataDir, clusterDir, binaries, launch)
  return superviseProcess({
    binary: binaries.postgres,
    launch,
    clusterDir: clusterDirOf(dataDir),
    settings: {
      ...SETTINGS,
      ...settings,
      cluster_name: clusterNameOf(clusterDirOf(dataDir)),
      // The setting is a list. Quotes keep a comma or a space in the path from splitting it.
      unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    },
    log,
  })
}

/**
 * Creates the socket directory inside the data directory or, when that path is too long for a socket, a private one
 * in the temporary directory.
 */
async function makeSocketDir(dataDir: string, account: Account | null): Promise<string> {
  const fits = (directory: string) => Buffer.byteLength(join(directory, SOCKET_FILE)) <= SOCKET_PATH_BYTES_MAX
  const dir = join(dataDir, 'postgres-socket')
  if (fits(dir)) {
    await makePrivateDir(dir, account)
    return dir
  }
  const temporary = [tmpdir(), '/tmp'].find((directory) =>
    fits(join(directory, `${SOCKET_DIR_PREFIX}123456`)),
  )
  const temporaryDir = await mkdtemp(join(temporary ?? '/tmp', SOCKET_DIR_PREFIX))
  await makePrivateDir(temporaryDir, account)
  return temporaryDir
}

/** Removes a socket directory, but only one that makeSocketDir created in the temporary directory. */
async function removeSocketDir(socketDir: string | null): Promise<void> {
  if (socketDir === null || !basename(socketDir).startsWith(SOCKET_DIR_PREFIX)) return
  await rm(socketDir, { recursive: true, force: true })
}
