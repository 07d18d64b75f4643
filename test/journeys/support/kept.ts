import { setTimeout as pause } from 'node:timers/promises'
import { type Child, signalAll } from './children.ts'
import { START_LIMIT_MS, STARTED } from './installation.ts'

/** A process that is started again whenever it ends, as an operator's init system does it. */
export interface Kept {
  /** SIGKILL, and a new start at once. Resolves when the old process is gone, with the moment of the kill. */
  kill(): Promise<{ atMs: number; backMs: number }>
  /** Resolves when the one that runs now has started. */
  ready(): Promise<void>
  /** Ends that nobody asked for, of processes that had started. */
  crashes(): string[]
  current(): Child
  /** Lets it end, and starts it no more. */
  release(): void
}

const AGAIN_MS = 250

/** @param start starts the process; it has started once it says so */
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
        // A start while the database is away ends with a sentence and is tried again; anything later is a crash.
        if (child.lines.some((line) => line.includes(STARTED))) {
          crashes.push(`exit code ${code}: ${child.lines.slice(-10).join('\n')}`)
        }
        await pause(AGAIN_MS)
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
        const isUp = await child.said(STARTED, START_LIMIT_MS).then(
          () => true,
          () => false,
        )
        if (isUp && child === current && !child.hasEnded) return
        if (performance.now() > deadlineMs)
          throw new Error(`not started:\n${child.lines.slice(-15).join('\n')}`)
        await pause(AGAIN_MS)
      }
    },
    crashes: () => crashes,
    current: () => current,
    release: () => {
      isKept = false
    },
  }
}
