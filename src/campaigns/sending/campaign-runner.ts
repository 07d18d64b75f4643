import { createSignal } from '../../lib/async/signal.ts'
import type { Log } from '../../lib/log.ts'
import { leaseRuns } from '../rows/runs-queries.ts'
import type { FeedDeps } from './feed-campaign.ts'
import { RUN_LEASE_MS, type SendRunDeps, sendRun } from './send-run.ts'
import { Slots } from './slots.ts'
import { startDue } from './start-campaign.ts'

export interface RunnerDeps extends FeedDeps {
  log: Log
  nodeId: string
}

export interface CampaignRunner {
  /** Waits for the emails that are being accepted. Another process, or the next start, continues. */
  stop(): Promise<void>
}

const POLL_MS = 500
/** The campaigns that a process works on at a time, which bounds its connections to the database. */
const WORKING_MAX = 4
/** The campaigns that a process leases. Most of many wait for their hours, their rate or the queue. */
const RUNS_MAX = 64

/**
 * Sends campaigns until stopped. A process leases a campaign, reads its audience part by part, and meanwhile accepts emails of
 * those who wait. Any process may die at any point: what counts are the rows, which change with what they stand for.
 */
export function startCampaignRunner(deps: RunnerDeps): CampaignRunner {
  const stopping = new AbortController()
  const signal = createSignal()
  const runs = new Map<string, Promise<void>>()
  const slots = new Slots(WORKING_MAX)
  // With all leases taken, each campaign gives its lease up after a while, to those that wait for one.
  const isFull = () => runs.size >= RUNS_MAX
  const runDeps: SendRunDeps = { ...deps, slots, isFull }

  async function look(): Promise<void> {
    const now = deps.clock.now()
    await startDue(deps, now)
    // Few at a time, so that several processes share the campaigns.
    const free = Math.min(WORKING_MAX, RUNS_MAX - runs.size)
    if (free === 0) return
    const until = new Date(now.getTime() + RUN_LEASE_MS)
    for (const run of await leaseRuns(deps.db, deps.nodeId, { now, until }, free)) {
      const key = `${run.teamId}/${run.id}`
      const work = sendRun(runDeps, run, stopping.signal).finally(() => runs.delete(key))
      runs.set(key, work)
    }
  }

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) =>
        deps.log.warn({ err: error }, 'could not look for campaigns to send'),
      )
      if (!stopping.signal.aborted) await signal.wait(POLL_MS)
    }
  })()

  return {
    async stop() {
      stopping.abort()
      signal.notify()
      await loop
      await Promise.all(runs.values())
    },
  }
}
