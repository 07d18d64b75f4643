import { CannotStart } from '../../lib/cannot-start.ts'
import type { Log } from '../../lib/log.ts'
import { type Clock, systemClock } from '../../lib/time/clock.ts'
import { BadRules, type Rules, readRules } from './read-site-rules.ts'

/** The active rules. */
export interface LiveRules {
  current(): Rules
  loadedAt(): Date
  /** The last failed reload, or null if the rules match the file. */
  failure(): { at: Date; message: string } | null
  /** Reloads the file. If it is invalid, logs the reason, and the old rules stay active. */
  reload(): Promise<void>
}

/**
 * Reads the rules file and activates it. Throws CannotStart if the file is invalid.
 * @param use receives each set of rules before it becomes active, and may reject it with CannotStart
 */
export async function startRules(
  path: string | null,
  log: Log,
  use: (rules: Rules) => Promise<void>,
  clock: Clock = systemClock,
): Promise<LiveRules> {
  const readOrExplain = async () => {
    const rules = await readRules(path).catch((error: unknown) => {
      throw error instanceof BadRules ? new CannotStart(error.message) : error
    })
    await use(rules)
    return rules
  }
  let current = await readOrExplain()
  let loadedAt = clock.now()
  let failure: ReturnType<LiveRules['failure']> = null
  const readAgain = async () => {
    try {
      current = await readOrExplain()
      loadedAt = clock.now()
      failure = null
    } catch (error) {
      if (!(error instanceof CannotStart)) throw error
      failure = { at: clock.now(), message: error.message }
      log.error({ reason: error.message }, 'could not reload the delivery rules; the old rules stay active')
    }
  }
  let last: Promise<void> = Promise.resolve()
  return {
    current: () => current,
    loadedAt: () => loadedAt,
    failure: () => failure,
    reload() {
      // Reload one after the other, so that the last version of the file applies.
      last = last.then(readAgain, readAgain)
      return last
    },
  }
}
