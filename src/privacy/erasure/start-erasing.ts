import { type Repeating, repeat } from '../../lib/async/repeat.ts'
import { forgetErasures, sweepErasedContents } from './erasures-queries.ts'
import { type ErasureDeps, runErasure } from './run-erasure.ts'

/** Short, because a person waits for the erasure. */
const POLL_MS = 500
/** How long the content of an erased person's email may outlive its last delivery. */
const CONTENTS_MS = 5_000
const CONTENTS_MAX = 500
/** How long a finished erasure can be queried. It contains no personal data. */
const KEPT_MS = 90 * 24 * 3_600_000
const FORGET_MS = 3_600_000
const FORGET_MAX = 1_000

/** Runs erasures until stopped. Several processes may do so at the same time. */
export function startErasing(deps: Omit<ErasureDeps, 'stopping'>): Repeating {
  const { db, clock, log } = deps
  const stopping = new AbortController()
  const tasks = [
    repeat('erase people', POLL_MS, () => runErasure({ ...deps, stopping: stopping.signal }), log),
    repeat(
      'delete messages to erased people',
      CONTENTS_MS,
      async () => (await sweepErasedContents(db, CONTENTS_MAX)) === CONTENTS_MAX,
      log,
    ),
    repeat(
      'forget erasures',
      FORGET_MS,
      async () => {
        const before = new Date(clock.now().getTime() - KEPT_MS)
        return (await forgetErasures(db, before, FORGET_MAX)) === FORGET_MAX
      },
      log,
    ),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(tasks.map((task) => task.stop()))
    },
  }
}
