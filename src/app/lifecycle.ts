import type { Log } from '../lib/log.ts'

export type Stop = () => Promise<void>

/** A group of parts that stop concurrently when the group's turn comes. */
export interface StopGroup {
  /** Adds a part. Call it as soon as the part has started, so that a later failure of the start stops it. */
  add(name: string, stop: Stop): void
}

/** The running parts of this process, in the order in which they started. */
export interface Lifecycle extends StopGroup {
  /** Reserves a place in the order for a group; parts join it later. */
  addGroup(): StopGroup
  /** Adds work for a reload (SIGHUP). */
  onReload(name: string, work: () => Promise<void>): void
  /**
   * Runs the reloads one after another, in the order of `onReload`. The first failure is logged by name, stops the
   * reload and rejects.
   */
  reload(): Promise<void>
  /**
   * Stops the parts in reverse order. A part that fails to stop is logged by name and does not prevent the others
   * from stopping. Never rejects; a second call does nothing.
   */
  stop(): Promise<void>
}

export function createLifecycle(log: Log): Lifecycle {
  const steps: Stop[] = []
  const reloads: { name: string; work: () => Promise<void> }[] = []

  async function stopPart(name: string, stop: Stop): Promise<void> {
    try {
      await stop()
    } catch (error) {
      log.warn({ err: error, part: name }, 'a part did not stop cleanly')
    }
  }

  return {
    add(name, stop) {
      steps.push(() => stopPart(name, stop))
    },
    addGroup() {
      const parts: Stop[] = []
      steps.push(async () => {
        await Promise.all(parts.map((stop) => stop()))
      })
      return { add: (name, stop) => void parts.push(() => stopPart(name, stop)) }
    },
    onReload(name, work) {
      reloads.push({ name, work })
    },
    async reload() {
      for (const { name, work } of reloads) {
        await work().catch((error: unknown) => {
          log.warn({ part: name }, 'a part could not be reloaded')
          throw error
        })
      }
    },
    async stop() {
      for (const step of steps.splice(0).reverse()) await step()
    },
  }
}
