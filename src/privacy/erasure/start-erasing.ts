import { type Repeating, repeat } from '../../lib/async/repeat.ts'
import { forgetErasures, sweepErasedContents } from './erasures-queries.ts'
import { type ErasureDeps, runErasure } from './run-erasure.ts'

/** Somebody waits for it. */
const LOOK_MS = 500
/** So long a message to somebody who was erased may outlive its last recipient. */
const CONTENTS_MS = 5_000
const CONTENTS_MAX = 500
/** What is done holds nothing of anybody; so long it can be asked after. */
const KEPT_MS = 90 * 24 * 3_600_000
const FORGET_MS = 3_600_000
const FORGET_MAX = 1_000

/** Works off what is to be erased, whoever asked for it, until it is stopped; several processes may. */
export function startErasing(deps: Omit<ErasureDeps, 'stopping'>): Repeating {
  const { db, clock, log } = deps
  const stopping = new AbortController()
  const tasks = [
    repeat('erase people', LOOK_MS, () => runErasure({ ...deps, stopping: stopping.signal }), log),
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
