import { setTimeout as pause } from 'node:timers/promises'
import { type Child, signalAll } from './children.ts'
import { START_LIMIT_MS, STARTED } from './installation.ts'

/** A process that is restarted whenever it ends, as by an init system. */
export interface Kept {
  /**
   * Kills the process with SIGKILL and restarts it immediately. Resolves when the old process is gone, with the time
   * of the kill.
   */
  kill(): Promise<{ atMs: number; backMs: number }>
  /** Resolves when the current process has started. */
  ready(): Promise<void>
  /** Unexpected exits of processes that had started. */
  crashes(): string[]
  current(): Child
  /** Stops restarting the process. */
  release(): void
}

const RESTART_MS = 250

/**
 * Keeps a process running.
 * @param start starts the process, which logs when it has started
 */
export function keepRunning(start: () => Child): Kept {
  let isKept = true
  let current = start()
  const killed = new Set<Child>()
  const crashes: string[] = []

  async function keep(): Promise<void> {
    while (isKept) {
      const child = current
      const code = await child.ended
      if (!isKept) return
      if (!killed.has(child)) {
        // A start while the database is unavailable ends with one sentence and is repeated. Any later exit is a
        // crash.
        if (child.lines.some((line) => line.includes(STARTED))) {
          crashes.push(`exit code ${code}: ${child.lines.slice(-10).join('\n')}`)
        }
        await pause(RESTART_MS)
        if (!isKept) return
      }
      current = start()
    }
  }
  void keep()

  return {
    async kill() {
      const child = current
      killed.add(child)
      const atMs = Date.now()
      signalAll([child.pid], 'SIGKILL')
      await child.ended
      return { atMs, backMs: atMs }
    },
    async ready() {
      const deadlineMs = performance.now() + START_LIMIT_MS
      for (;;) {
        const child = current
        const isUp = await child.waitForLine(STARTED, START_LIMIT_MS).then(
          () => true,
          () => false,
        )
        if (isUp && child === current && !child.hasEnded) return
        if (performance.now() > deadlineMs)
          throw new Error(`not started:\n${child.lines.slice(-15).join('\n')}`)
        await pause(RESTART_MS)
      }
    },
    crashes: () => crashes,
    current: () => current,
    release: () => {
      isKept = false
    },
  }
}
