import type { Db, Tx } from '../../db/db-types.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { PausedReason } from '../rows/campaigns-queries.ts'
import { pickWaiting } from '../rows/recipients-queries.ts'
import { holdRun, type Move, moveCampaign, type Run } from '../rows/runs-queries.ts'
import { recordMove } from './campaign-events.ts'
import { isQueueEmpty } from './pacer.ts'

interface EndDeps {
  db: Db
  clock: Clock
  log: Log
}

/** Ends a campaign once nobody waits and its emails have left the queue. Returns whether it ended. */
export async function finishRun({ db, clock, log }: EndDeps, run: Run): Promise<boolean> {
  if (!(await isQueueEmpty(db, run))) return false
  const hasEnded = await db.transaction(async (tx) => {
    const current = await holdRun(tx, run.teamId, run.id)
    if (current === null || !current.isAudienceDone || current.retryAfter !== null) return false
    if ((await pickWaiting(tx, run, 1)).length > 0) return false
    await endRun(tx, run, { status: 'sent', pausedReason: null }, clock.now())
    return true
  })
  if (hasEnded) log.info({ campaign: run.id, team: run.teamId }, 'a campaign was sent')
  return hasEnded
}

async function endRun(tx: Tx, run: Run, move: Move, now: Date): Promise<void> {
  const name = await moveCampaign(tx, run, move, now)
  await recordMove(tx, { ...run, name }, move, now)
}

/** Pauses a campaign that cannot continue by itself. */
export async function stopRun(
  { db, clock, log }: EndDeps,
  run: Run,
  pausedReason: PausedReason,
): Promise<void> {
  const isPaused = await db.transaction(async (tx) => {
    if ((await holdRun(tx, run.teamId, run.id)) === null) return false
    await endRun(tx, run, { status: 'paused', pausedReason }, clock.now())
    return true
  })
  if (isPaused)
    log.warn({ campaign: run.id, team: run.teamId, reason: pausedReason }, 'a campaign was paused')
}
