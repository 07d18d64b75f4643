import type { Log } from '../lib/log.ts'

export type Stop = () => Promise<void>

/** Parts that stop at the same moment, when the turn of their group comes. */
export interface StopGroup {
  /** Call it as soon as the part has started: a start that fails later stops what is here. */
  add(name: string, stop: Stop): void
}

/** What runs in this process, in the order in which it started. */
export interface Lifecycle extends StopGroup {
  /** Takes the group's place in the order now; parts join it later. */
  addGroup(): StopGroup
  /** Adds what runs when the operator asks for it (SIGHUP). */
  onReload(name: string, work: () => Promise<void>): void
  /** Runs one after another, in the order of `onReload`. The first that fails, by its name in the log, ends it and rejects. */
  reload(): Promise<void>
  /**
   * Stops the last that started first. A part that fails to stop is logged by its name, and holds up none of the others:
   * deliveries drain and the database closes all the same. Never rejects; a second call has nothing left to stop.
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
      log.warn({ err: error, part: name }, 'a part could not be stopped cleanly')
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
