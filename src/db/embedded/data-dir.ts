import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '../../lib/cannot-start.ts'
import { startOfProcess } from '../../lib/processes.ts'

/** `server`: runs until told to stop. `command`: a command line that needs the database for a moment. */
export type Purpose = 'server' | 'command'

interface Holder {
  pid: number
  /** Tells this process from a later one with the same id. */
  start: string | null
  purpose: Purpose
}

const LOCK_FILE = 'sendwright.lock'
/** How long a command may hold the data directory before the next one gives up. */
const COMMAND_WAIT_MS = 15_000
/** A server that was told to stop, or whose starting process was killed a moment ago, is on its way out. */
const SERVER_WAIT_MS = 4_000
const POLL_MS = 50

/**
 * Makes the data directory where it is missing. Nobody else may read it; when root makes it, others may pass through
 * it (0711), because PostgreSQL runs under another account and its own directory lies inside.
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    const made = await mkdir(dataDir, { recursive: true })
    if (made !== undefined) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CannotStart(`The data directory ${dataDir} cannot be made (${code}).`, { cause: error })
  }
}

/** Who holds the data directory now, or null. A lock whose process is gone counts for nothing. */
export function holderOf(dataDir: string): Holder | null {
  const holder = readHolder(join(dataDir, LOCK_FILE))
  if (holder === null) return null
  const start = startOfProcess(holder.pid)
  return start !== null && (holder.start === null || holder.start === start) ? holder : null
}

/**
 * Takes the data directory for this process; returns what gives it back. Whoever holds it is waited for, a command
 * longer than a server; throws CannotStart after that.
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

/** Linking a finished file is what makes it atomic: a lock without its content is never seen. */
function tryLock(dataDir: string, purpose: Purpose): boolean {
  const lock = join(dataDir, LOCK_FILE)
  const mine = `${lock}.${process.pid}`
  const holder: Holder = { pid: process.pid, start: startOfProcess(process.pid), purpose }
  try {
    writeFileSync(mine, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
    linkSync(mine, lock)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') {
      throw new CannotStart(`The data directory ${dataDir} cannot be written to (${code}).`, { cause: error })
    }
    if (holderOf(dataDir) === null) removeStale(lock)
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

/** Two processes may find the same stale lock: whoever moved away a live one puts it back. */
function removeStale(lock: string): void {
  const aside = `${lock}.stale.${process.pid}`
  try {
    renameSync(lock, aside)
    const moved = readHolder(aside)
    if (moved !== null && startOfProcess(moved.pid) !== null && startOfProcess(moved.pid) === moved.start) {
      linkSync(aside, lock)
    }
  } catch {
    // Someone else was faster; the next round sees what is there now.
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
