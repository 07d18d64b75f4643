import { CannotStart } from '../../lib/cannot-start.ts'
import type { Log } from '../../lib/log.ts'
import { type Clock, systemClock } from '../../lib/time/clock.ts'
import { BadRules, type Rules, readRules } from './read-site-rules.ts'

/** The rules in force. */
export interface LiveRules {
  current(): Rules
  loadedAt(): Date
  /** The last time that the file could not be used; null: what it says is in force. */
  failure(): { at: Date; message: string } | null
  /** Reads the file again; a bad one is logged, and leaves the old rules in force. */
  reload(): Promise<void>
}

/**
 * Reads the rules file and puts it in force. Throws CannotStart for a file that cannot be used.
 * @param use is told of every set of rules before it counts, and may refuse it by throwing CannotStart
 */
export async function startRules(
  path: string | null,
  log: Log,
  use: (rules: Rules) => Promise<void>,
  clock: Clock = systemClock,
): Promise<LiveRules> {
  const read = async () => {
    const rules = await readRules(path).catch((error: unknown) => {
      throw error instanceof BadRules ? new CannotStart(error.message) : error
    })
    await use(rules)
    return rules
  }
  let current = await read()
  let loadedAt = clock.now()
  let failure: ReturnType<LiveRules['failure']> = null
  const readAgain = async () => {
    try {
      current = await read()
      loadedAt = clock.now()
      failure = null
    } catch (error) {
      if (!(error instanceof CannotStart)) throw error
      failure = { at: clock.now(), message: error.message }
      log.error({ reason: error.message }, 'the delivery rules stay as they were')
    }
  }
  let last: Promise<void> = Promise.resolve()
  return {
    current: () => current,
    loadedAt: () => loadedAt,
    failure: () => failure,
    reload() {
      // One after the other: what the file said last is in force last.
      last = last.then(readAgain, readAgain)
      return last
    },
  }
}
