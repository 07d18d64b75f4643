import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '../../lib/cannot-start.ts'
import { startOfProcess } from '../../lib/processes.ts'

/** `server`: runs until it is stopped. `command`: a command line that needs the database briefly. */
export type Purpose = 'server' | 'command'

interface Holder {
  pid: number
  /** Distinguishes this process from a later one with the same id. */
  start: string | null
  purpose: Purpose
}

const LOCK_FILE = 'sendwright.lock'
/** How long to wait for a command that holds the data directory. */
const COMMAND_WAIT_MS = 15_000
/** How long to wait for a server, which may be stopping or may have lost its parent process. */
const SERVER_WAIT_MS = 4_000
const POLL_MS = 50

/**
 * Creates the data directory if it is missing. No other user may read it. When root creates it, others may pass
 * through it (0711), because PostgreSQL runs under another account and its directory lies inside.
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    const firstCreated = await mkdir(dataDir, { recursive: true })
    if (firstCreated !== undefined) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CannotStart(`The data directory ${dataDir} cannot be created (${code}).`, { cause: error })
  }
}

/** Returns the current holder of the data directory, or null. The lock of a dead process is ignored. */
export function holderOf(dataDir: string): Holder | null {
  const holder = readHolder(join(dataDir, LOCK_FILE))
  if (holder === null) return null
  const start = startOfProcess(holder.pid)
  return start !== null && (holder.start === null || holder.start === start) ? holder : null
}

/**
 * Locks the data directory for this process. Returns a function that releases it. Waits for the current holder,
 * longer for a command than for a server, then throws CannotStart.
 */
export async function lockDataDir(dataDir: string, purpose: Purpose): Promise<() => void> {
  const sinceMs = performance.now()
  while (!tryLock(dataDir, purpose)) {
    const holder = holderOf(dataDir)
    const waitMs = holder?.purpose === 'server' ? SERVER_WAIT_MS : COMMAND_WAIT_MS
    if (holder !== null && performance.now() - sinceMs > waitMs) {
      throw new CannotStart(
        `The data directory ${dataDir} is in use by another Sendwright (process ${holder.pid}). ` +
          'Stop that one first, or set SENDWRIGHT_DATA_DIR to another directory.',
      )
    }
    await sleep(holder === null ? 1 : POLL_MS)
  }
  return () => {
    if (readHolder(join(dataDir, LOCK_FILE))?.pid === process.pid)
      rmSync(join(dataDir, LOCK_FILE), { force: true })
  }
}

/** Links a finished file, which makes the lock atomic: a lock without content is never visible. */
function tryLock(dataDir: string, purpose: Purpose): boolean {
  const lock = join(dataDir, LOCK_FILE)
  const temporaryPath = `${lock}.${process.pid}`
  const holder: Holder = { pid: process.pid, start: startOfProcess(process.pid), purpose }
  try {
    writeFileSync(temporaryPath, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
    linkSync(temporaryPath, lock)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') {
      throw new CannotStart(`The data directory ${dataDir} cannot be written to (${code}).`, { cause: error })
    }
    if (holderOf(dataDir) === null) removeStale(lock)
    return false
  } finally {
    rmSync(temporaryPath, { force: true })
  }
}

/** Removes a stale lock. Two processes may find the same one: a process that moved a live lock away restores it. */
function removeStale(lock: string): void {
  const aside = `${lock}.stale.${process.pid}`
  try {
    renameSync(lock, aside)
    const holder = readHolder(aside)
    if (
      holder !== null &&
      startOfProcess(holder.pid) !== null &&
      startOfProcess(holder.pid) === holder.start
    ) {
      linkSync(aside, lock)
    }
  } catch {
    // Another process was faster. The next round sees the current state.
  } finally {
    rmSync(aside, { force: true })
  }
}

function readHolder(path: string): Holder | null {
  try {
    const { pid, start, purpose } = JSON.parse(readFileSync(path, 'utf8')) as Holder
    return Number.isInteger(pid) && pid > 0 ? { pid, start, purpose } : null
  } catch {
    return null
  }
}
