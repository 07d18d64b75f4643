import { SERVER } from '../../../bin/built-server.mjs'
import { commandOfProcess, startOfProcess } from '../../../src/lib/processes.ts'
import { type Child, familyOf, signalAll, until } from './children.ts'
import { START_LIMIT_MS } from './installation.ts'

/** Returns the ids of a server's living worker processes, the oldest first. */
export function workersOf(server: Child): number[] {
  const startOf = new Map<number, number>()
  for (const pid of familyOf(server.pid).slice(1)) {
    const start = startOfProcess(pid)
    if (start !== null && commandOfProcess(pid)?.includes(SERVER) === true) startOf.set(pid, Number(start))
  }
  return [...startOf].sort(([, a], [, b]) => a - b).map(([pid]) => pid)
}

/** Kills the oldest worker, so that repeated calls kill each of them in turn. Null when there is none. */
export function killOldestWorker(server: Child): { atMs: number; backMs: number } | null {
  const [oldest] = workersOf(server)
  if (oldest === undefined) return null
  const atMs = Date.now()
  signalAll([oldest], 'SIGKILL')
  return { atMs, backMs: atMs }
}

/** Resolves when none of these processes is left. */
export async function untilGone(pids: Iterable<number>): Promise<void> {
  const all = [...pids]
  await until('no worker is left', START_LIMIT_MS, () =>
    all.every((pid) => startOfProcess(pid) === null) ? true : null,
  )
}
