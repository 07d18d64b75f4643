import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const REPOSITORY = join(import.meta.dirname, '..', '..')
/** The runtime that the product itself is started with, so that both sides of a comparison run on the same one. */
export const NODE = join(REPOSITORY, 'node_modules', '.bin', 'node')

const children = new Set<ChildProcess>()
const directories = new Set<string>()
/** Processes that one of our children started and that outlive it, for example a database server. */
const strays = new Map<() => number | null, NodeJS.Signals>()

const STOP_TIMEOUT_MS = 30_000

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Starts a process that is ended with the benchmark at the latest. */
export function startChild(file: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(file, args, { stdio: 'ignore', ...options })
  children.add(child)
  child.once('error', () => children.delete(child))
  child.once('exit', () => children.delete(child))
  return child
}

/** Runs a command to its end. Throws when it takes longer than timeoutMs; never for its exit code. */
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

/** Waits for a child to end by itself; SIGKILL after timeoutMs. */
export async function waitForExit(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await once(child, 'exit')
  clearTimeout(timer)
}

/** SIGTERM, and SIGKILL for a child that does not obey. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await waitForExit(child, STOP_TIMEOUT_MS)
}

/** A directory that other users may enter (Postfix and PostgreSQL run under their own) and that is removed at the end. */
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

/** Registers a process to end with the benchmark, by the question for its id and the signal that takes its children along. */
export function watchStray(pidOf: () => number | null, signal: NodeJS.Signals): void {
  strays.set(pidOf, signal)
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no TCP port')
  return address.port
}

/** Waits until something accepts connections. Throws after timeoutMs or when `child` ends before. */
export async function waitForPort(port: number, child: ChildProcess, timeoutMs = 30_000): Promise<void> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`the process for port ${port} ended with ${child.exitCode}`)
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

/** Ends what is left of our own processes, by id, and removes our directories. Synchronous: it runs at exit. */
export function cleanUp(): void {
  for (const child of children) child.kill('SIGKILL')
  for (const [pidOf, signal] of strays) {
    const pid = pidOf()
    if (pid !== null) tryKill(pid, signal)
  }
  for (const path of directories) removeDirectory(path)
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended on its own, which is what was wanted.
  }
}
