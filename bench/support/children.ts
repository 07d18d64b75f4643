import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const REPOSITORY = join(import.meta.dirname, '..', '..')
/** The Node.js that the product runs on, so that both sides of a comparison use the same version. */
export const NODE = join(REPOSITORY, 'node_modules', '.bin', 'node')

const children = new Set<ChildProcess>()
const directories = new Set<string>()
/** Processes that a child started and that may outlive it, for example a database server. */
const strays = new Map<() => number | null, NodeJS.Signals>()

const STOP_TIMEOUT_MS = 30_000

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Starts a process, which ends no later than the benchmark. */
export function startChild(file: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(file, args, { stdio: 'ignore', ...options })
  children.add(child)
  child.once('error', () => children.delete(child))
  child.once('exit', () => children.delete(child))
  return child
}

/** Runs a command until it exits. Throws if it takes longer than `timeoutMs`, but never for its exit code. */
export async function runChild(
  file: string,
  args: readonly string[],
  options: SpawnOptions & { timeoutMs?: number } = {},
): Promise<Finished> {
  const child = startChild(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const timeoutMs = options.timeoutMs ?? 60_000
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const [code, signal] = await once(child, 'close')
  clearTimeout(timer)
  if (signal === 'SIGKILL')
    throw new Error(`${file} did not end within ${timeoutMs / 1000} s: ${stderr.slice(-500)}`)
  return { code, stdout, stderr }
}

/** Waits until a child exits, and sends SIGKILL after `timeoutMs`. */
export async function waitForExit(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await once(child, 'exit')
  clearTimeout(timer)
}

/** Sends SIGTERM, then SIGKILL if the child has not exited in time. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await waitForExit(child, STOP_TIMEOUT_MS)
}

/**
 * Creates a directory that other users may enter (Postfix and PostgreSQL run as their own) and that is removed at
 * exit.
 */
export function makeDirectory(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `sendwright bench ${name} `.replaceAll(' ', '-')))
  chmodSync(path, 0o755)
  directories.add(path)
  return path
}

export function removeDirectory(path: string): void {
  rmSync(path, { recursive: true, force: true })
  directories.delete(path)
}

/**
 * Registers a process to end with the benchmark. `pidOf` returns its id; `signal` must also end its children.
 */
export function watchStray(pidOf: () => number | null, signal: NodeJS.Signals): void {
  strays.set(pidOf, signal)
}

/** Waits until a process accepts connections on the port. Throws after `timeoutMs`, or if `child` exits first. */
export async function waitForPort(port: number, child: ChildProcess, timeoutMs = 30_000): Promise<void> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`the process for port ${port} exited with ${child.exitCode}`)
    if (await canConnect(port)) return
    await pause(20)
  }
  throw new Error(`nothing listens on port ${port} after ${timeoutMs / 1000} s`)
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/**
 * Ends the remaining processes of the benchmark by id, and removes its directories. Synchronous, because it runs at
 * exit.
 */
export function cleanUp(): void {
  for (const child of children) child.kill('SIGKILL')
  for (const [pidOf, signal] of strays) {
    const pid = pidOf()
    if (pid !== null) killIfRunning(pid, signal)
  }
  for (const path of directories) removeDirectory(path)
}

function killIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already exited.
  }
}
