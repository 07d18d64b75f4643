import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import { notify } from '../../db/listen.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { deleteNode } from '../../operator/nodes-queries.ts'
import { releaseLeasesOf } from '../../queue/lease-queries.ts'
import { releaseEndpointsOf } from '../../webhooks/endpoint/endpoint-workers-queries.ts'

export interface RecoverDeps {
  db: Db
  clock: Clock
  log: Log
  /** Settles the journals of dead processes. */
  settleLeft(): Promise<void>
  stop: AbortSignal
  waits?: Partial<Waits>
}

interface Waits {
  /** The wait between two attempts while the database is unavailable. */
  retryMs: number
  /** After this time the leases have expired by themselves. */
  retriedForMs: number
  /** The time in which PostgreSQL commits or rolls back the statements that it was executing for the process. */
  settledMs: number
}

const WAITS: Waits = { retryMs: 250, retriedForMs: 60_000, settledMs: 2_000 }

/**
 * Makes the work of a dead worker available to the others at once. Settles its journal first, so that messages that a
 * server accepted are not sent again, and then releases its leases. Repeats both a moment later, because a commit may
 * still have been on its way to PostgreSQL. Never rejects: leases that remain expire within a minute.
 */
export async function recoverWorker(deps: RecoverDeps, nodeId: string): Promise<void> {
  const { log, stop } = deps
  const { settledMs } = { ...WAITS, ...deps.waits }
  try {
    const first = await retry(deps, () => release(deps, nodeId))
    await pause(settledMs, undefined, { signal: stop })
    const second = await retry(deps, () => release(deps, nodeId))
    const count = first + second
    if (count > 0) log.info({ node_gone: nodeId, count }, 'released the deliveries of a worker that ended')
  } catch (error) {
    if (!stop.aborted)
      log.warn(
        { err: error, node_gone: nodeId },
        'could not release the leases of a worker; they will expire',
      )
  }
}

/** Returns the number of released deliveries. */
async function release({ db, clock, settleLeft }: RecoverDeps, nodeId: string): Promise<number> {
  await settleLeft()
  const now = clock.now()
  const count = await releaseLeasesOf(db, nodeId, now)
  if (count > 0) await notify(db, 'sendwright_due')
  if ((await releaseEndpointsOf(db, nodeId)) > 0) await notify(db, 'sendwright_events')
  await deleteNode(db, nodeId)
  return count
}

async function retry<T>({ stop, waits }: RecoverDeps, work: () => Promise<T>): Promise<T> {
  const { retryMs, retriedForMs } = { ...WAITS, ...waits }
  const untilMs = performance.now() + retriedForMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() > untilMs) throw error
    }
    await pause(retryMs, undefined, { signal: stop })
  }
}
