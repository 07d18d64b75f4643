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
  /** Settles the journals of processes that are gone. */
  settleLeft(): Promise<void>
  stop: AbortSignal
  waits?: Partial<Waits>
}

interface Waits {
  /** Between two attempts while the database is unavailable. */
  retryMs: number
  /** After this time the leases have expired by themselves. */
  retriedForMs: number
  /** Until the statements that PostgreSQL was executing for the process are committed or undone. */
  settledMs: number
}

const WAITS: Waits = { retryMs: 250, retriedForMs: 60_000, settledMs: 2_000 }

/**
 * Returns the work of a worker that is gone to the others at once. First its journal is settled, so that nothing that a
 * server accepted is sent again; then its leases are released. A moment later this is repeated, because a commit may have
 * been on its way to PostgreSQL. Never rejects: what remains expires within a minute.
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
      log.warn({ err: error, node_gone: nodeId }, 'could not release the work of a worker; its leases expire')
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
