import type { Tx } from '../../db/db-types.ts'
import { toFeedEvents } from '../../events/feed-queries.ts'
import { findFollowedPosition } from '../rows/automation-feed-queries.ts'
import { findMissedEvents } from '../rows/missed-events-queries.ts'
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

/**
 * Lets runs whose wait has timed out hear what the feed has already and nobody has followed yet. On a busy machine, the feed is followed
 * late, and a wait would time out although its event came in time.
 */
export async function hearUnfollowed(
  tx: Tx,
  hearing: Hearing,
  teamId: string,
  runs: readonly AutomationRun[],
): Promise<void> {
  if (runs.length === 0) return
  const position = await findFollowedPosition(tx, teamId)
  await hearMissed(tx, hearing, teamId, new Map(runs.map((run) => [run.id, run])), position)
}

async function hearMissed(
  tx: Tx,
  hearing: Hearing,
  teamId: string,
  runs: ReadonlyMap<string, AutomationRun>,
  after = 0,
): Promise<void> {
  for (const { runId, ...stored } of await findMissedEvents(tx, teamId, [...runs.values()], after)) {
    const run = runs.get(runId)
    const [event] = await hearEvents(tx, teamId, await toFeedEvents(tx, teamId, [stored]))
    if (run !== undefined && event !== undefined) await hearEvent(hearing, run, event)
  }
}
