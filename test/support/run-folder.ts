import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RunFolder {
  path: string
  /** Makes the folder the temporary directory of the processes that get this environment. */
  environment: Readonly<Record<string, string>>
  /** Names the files in the folder, and the processes that still run after `waitMs`, a few seconds by default. */
  findLeftovers(waitMs?: number): Promise<string[]>
  remove(): void
}

/** Vitest ends a teardown that takes ten seconds. */
const END_WAIT_MS = 4000
const POLL_MS = 50

/** Returns the folder of caches that runs share: an unpacked browser, a certificate, and the code that Node compiled. */
export function findKeptFolder(): string {
  return process.env.SENDWRIGHT_KEPT_FOLDER ?? tmpdir()
}

/** Creates a temporary directory for one run of the tests, so that whatever is left in it at the end has a culprit. */
export function makeRunFolder(): RunFolder {
  const kept = findKeptFolder()
  // PostgreSQL's sockets lie below it, and a socket path has at most 100 bytes, so the name is short.
  const path = mkdtempSync(join(kept, 'sw-'))
  // Tests run by root start programs of other users.
  chmodSync(path, 0o1777)
  return {
    path,
    environment: {
      TMPDIR: path,
      SENDWRIGHT_KEPT_FOLDER: kept,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(kept, 'node-compile-cache'),
    },
    async findLeftovers(waitMs = END_WAIT_MS) {
      const deadlineMs = performance.now() + waitMs
      while (findProcesses(path).length > 0 && performance.now() < deadlineMs) await sleep(POLL_MS)
      return [...findProcesses(path), ...readdirSync(path).map((name) => join(path, name))]
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

/**
 * Describes the processes with the folder in their environment, arguments, or working directory. Only Linux shows them.
 * The children of this process are the workers of Vitest, which end after the teardown.
 */
function findProcesses(folder: string): string[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const read = (name: string) =>
          readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', ' ').trim()
        const [parent] = read('stat').split(') ').at(-1)?.split(' ').slice(1) ?? []
        if (Number(parent) === process.pid) return []
        const [command, directory] = [read('cmdline'), readlinkSync(`/proc/${pid}/cwd`)]
        const isOfRun = [read('environ'), command, directory].some((text) => text.includes(folder))
        return isOfRun ? [`process ${pid}: ${command}`] : []
      } catch {
        // It has ended, or is another user's.
        return []
      }
    })
}
