import type { Tx } from '../../db/db-types.ts'
import { toFeedEvents } from '../../events/feed-queries.ts'
import { findEventsSince, findMissedEvents } from '../rows/missed-events-queries.ts'
import type { AutomationRun } from '../rows/runs-queries.ts'
import type { Moves } from '../running/moves.ts'
import { type Hearing, hearEvent } from './hear-event.ts'
import { hearEvents } from './heard-events.ts'

/**
 * Lets runs that begin to wait in this transaction hear what came after the event that began them, while steps without a delay
 * were taken. The feed may have been followed beyond that already.
 */
export async function catchUp(tx: Tx, hearing: Hearing, moves: Moves): Promise<void> {
  const seen = new Set<string>()
  // What one wait heard may lead to another one.
  for (;;) {
    const waiting = moves.waiting().filter(({ id, moves: count }) => !seen.has(`${id} ${count}`))
    if (waiting.length === 0) return
    for (const { id, moves: count } of waiting) seen.add(`${id} ${count}`)
    await hearMissed(tx, hearing, moves.teamId, new Map(waiting.map((run) => [run.id, run])))
  }
}

/** Lets a run that is taken up again hear what happened to its contact since it ended, such as an exit. */
export async function hearSince(tx: Tx, hearing: Hearing, run: AutomationRun, since: Date): Promise<void> {
  const stored = await findEventsSince(tx, run, since)
  for (const event of await hearEvents(tx, run.teamId, await toFeedEvents(tx, run.teamId, stored)))
    await hearEvent(hearing, run, event)
}

/** Reads on while there may be more: those of one name may be many, and only the last of them fit. */
async function hearMissed(
  tx: Tx,
  hearing: Hearing,
  teamId: string,
  runs: ReadonlyMap<string, AutomationRun>,
): Promise<void> {
  let after = new Map([...runs.values()].map((run) => [run, run.heardUntil]))
  while (after.size > 0) {
    const missed = await findMissedEvents(tx, teamId, after)
    after = new Map()
    for (const { runId, isLast, ...stored } of missed) {
      const run = runs.get(runId)
      if (run === undefined) continue
      const [event] = await hearEvents(tx, teamId, await toFeedEvents(tx, teamId, [stored]))
      if (event !== undefined) await hearEvent(hearing, run, event)
      if (isLast && run.awaits !== null && run.heardUntil < stored.position) after.set(run, stored.position)
    }
  }
}
