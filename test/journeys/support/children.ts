import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

export const REPOSITORY = join(import.meta.dirname, '..', '..', '..')

const LINES_KEPT = 400
const POLL_MS = 25
/** The interval for expensive checks: a new connection to the database, a growing ledger. */
export const SLOW_POLL_MS = 250

/** A child process and its output. It never outlives this process. */
export interface Child {
  readonly pid: number
  readonly lines: readonly string[]
  /**
   * Resolves to the first output line, past or future, that contains `text`. Rejects when the process ends before.
   */
  waitForLine(text: string, timeoutMs: number): Promise<string>
  /** Resolves when the process has ended: its exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
  readonly hasEnded: boolean
  signal(name: NodeJS.Signals): void
}

const alive = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Follows a process that was just spawned with pipes. */
export function follow(child: ChildProcess): Child {
  alive.add(child)
  const lines: string[] = []
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  let hasEnded = false
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > LINES_KEPT) lines.shift()
      tell()
    })
  }
  const ended = new Promise<number | null>((resolve) => {
    const finish = (code: number | null) => {
      alive.delete(child)
      hasEnded = true
      resolve(code)
      tell()
    }
    // Not `exit`, because the last output may still be in the pipe.
    child.once('close', (code) => finish(code))
    child.once('error', () => finish(null))
  })
  return {
    pid: child.pid ?? -1,
    lines,
    ended,
    get hasEnded() {
      return hasEnded
    },
    signal: (name) => void child.kill(name),
    waitForLine: (text, timeoutMs) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) =>
          reject(new Error(`${why} before "${text}":\n${lines.slice(-15).join('\n')}`))
        const timer = setTimeout(() => settle(() => fail(`${timeoutMs} ms went by`)), timeoutMs)
        const settle = (how: () => void) => {
          clearTimeout(timer)
          listeners.delete(look)
          how()
        }
        const look = () => {
          const line = lines.find((candidate) => candidate.includes(text))
          if (line !== undefined) settle(() => resolve(line))
          else if (hasEnded) settle(() => fail('it ended'))
        }
        listeners.add(look)
        look()
      }),
  }
}

/**
 * Runs a TypeScript file with the runtime of this process. An IPC channel tells it when this process is gone.
 * @param flags of Node.js
 */
export function runScript(
  file: string,
  args: readonly string[],
  options: SpawnOptions = {},
  flags: readonly string[] = [],
): Child {
  return follow(
    spawn(process.execPath, [...flags, file, ...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  )
}

/** Polls every `pollMs` until `condition` returns a value other than null. Rejects after `timeoutMs`. */
export async function until<T>(
  what: string,
  timeoutMs: number,
  condition: () => T | null | Promise<T | null>,
  pollMs = POLL_MS,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const found = await condition()
    if (found !== null) return found
    if (performance.now() > deadlineMs) throw new Error(`${what}: timed out after ${timeoutMs} ms`)
    await pause(pollMs)
  }
}

/** Returns the ids of a process and its descendants, its own id first. */
export function familyOf(pid: number): number[] {
  const parents = readParents()
  const family = [pid]
  for (const one of family) {
    for (const [child, parent] of parents) if (parent === one) family.push(child)
  }
  return family
}

/** Returns all processes of the machine with their parents. */
function readParents(): Map<number, number> {
  if (process.platform !== 'linux') {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim()
    return new Map(table.split('\n').map((line) => line.trim().split(/\s+/).map(Number) as [number, number]))
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return new Map(pids.map((pid) => [Number(pid), parentOf(pid)]))
}

/** Returns the parent of a process. In proc(5), it is the second field after the name, which is in brackets. */
function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return -1
  }
}

/** Sends a signal to processes by id; those that have ended are skipped. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // The process has already ended.
    }
  }
}
