import type { Log } from '../log.ts'

export interface Repeating {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>
}

/**
 * Runs `work` now and again `everyMs` after it ended, until stopped. Runs never overlap; an error is logged and does
 * not stop the repetition. If `work` returns true ("there is more") it runs again at once.
 */
export function repeat(name: string, everyMs: number, work: () => Promise<unknown>, log: Log): Repeating {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function turn(): Promise<void> {
    let more = false
    try {
      more = (await work()) === true
    } catch (error) {
      log.warn({ err: error, task: name }, 'a background task failed; it will be retried')
    }
    if (!stopped) timer = setTimeout(start, more ? 0 : everyMs)
  }
  function start(): void {
    running = turn()
  }
  start()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
