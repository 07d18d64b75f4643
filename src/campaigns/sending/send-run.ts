import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { CAMPAIGN_PAUSED } from '../../queue/campaign-paused.ts'
import {
  type CampaignVersion,
  extendRun,
  findVersion,
  type Run,
  releaseCampaignDeliveries,
  releaseRun,
} from '../rows/runs-queries.ts'
import { type AcceptRunDeps, acceptRun, type Sending } from './accept-run.ts'
import { stopRun } from './end-run.ts'
import { feedCampaign } from './feed-campaign.ts'
import { Feeds } from './feeds.ts'
import { Pacer } from './pacer.ts'
import { type CompiledVersion, compileVersion } from './render-campaign.ts'
import { Zones } from './zones.ts'

export interface SendRunDeps extends AcceptRunDeps {
  nodeId: string
  /** Returns whether this process can lease no further campaign. */
  isFull(): boolean
}

/** Time after which another process takes over the campaigns of one that died. */
export const RUN_LEASE_MS = 30_000
/** The wait after a failure. */
const IDLE_MS = 500
const FAILURES_MAX = 20
const RELEASES_MAX = 2

interface Progress {
  /** Each resumption makes a version. */
  version: number
  /** How often its held mail was released. The second time finds what was on its way to be held at the resumption. */
  releaseCount: number
  /** Null: it is not sent by the clocks of its contacts. Its hours change with its versions only. */
  zones: Zones | null
}

function zonesOf(deps: SendRunDeps, { sendWindow }: Run): Zones | null {
  return sendWindow?.byContact === true ? new Zones(deps, sendWindow) : null
}

/** Sends one leased campaign until it ends, is paused or canceled, or the process stops. Never rejects. */
export async function sendRun(deps: SendRunDeps, run: Run, stopping: AbortSignal): Promise<void> {
  const about = { campaign: run.id, team: run.teamId }
  let failureCount = 0
  deps.log.info(about, 'a campaign is being sent')
  const progress: Progress = { version: 0, releaseCount: 0, zones: null }
  while (!stopping.aborted) {
    try {
      if (!(await work(deps, run, progress, stopping)) || deps.isFull()) break
      failureCount = 0
    } catch (error) {
      deps.log.warn({ err: error, ...about }, 'sending a campaign was interrupted and is resumed')
      if (!isPassing(error) && ++failureCount >= FAILURES_MAX)
        await stopRun(deps, run, 'errors').catch(() => {})
      await pause(IDLE_MS)
    }
  }
  await releaseRun(deps.db, run, deps.nodeId, deps.clock.now()).catch(() => {})
}

/** Returns whether a failure passes by itself: the database is away, or the server has too much to do. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable ||
    (error instanceof ApiError && error.code === 'service_unavailable')
  )
}

/** Works on a campaign for one extension of its lease. Returns whether to continue. */
async function work(
  deps: SendRunDeps,
  { teamId, id }: Run,
  progress: Progress,
  stopping: AbortSignal,
): Promise<boolean> {
  const { db, clock, nodeId } = deps
  const run = await extendRun(db, { teamId, id }, nodeId, new Date(clock.now().getTime() + RUN_LEASE_MS))
  if (run === null) return false
  const version = await findVersion(db, run)
  if (version === null) throw new Error(`Campaign ${id} has no version ${run.version}.`)
  if (progress.version !== run.version)
    Object.assign(progress, { version: run.version, releaseCount: 0, zones: zonesOf(deps, run) })
  if (progress.releaseCount++ < RELEASES_MAX) await releaseAll(deps, run)
  let compiled: CompiledVersion<CampaignVersion> | null = null
  const feeds = new Feeds()
  const sending: Sending = {
    run,
    version,
    feeds,
    pacer: new Pacer(deps, run),
    zones: progress.zones,
    stopping,
    // Most turns of a campaign that waits need no content.
    feed(contactIds) {
      compiled ??= compileVersion(version)
      return feedCampaign(deps, run, compiled, contactIds)
    },
  }
  return deps.slots.during(() => acceptRun(deps, sending).finally(() => feeds.end()))
}

/** Lets mail that a pause held go on. By itself it would look within a minute whether the pause is over. */
async function releaseAll({ db, clock }: SendRunDeps, run: Run): Promise<void> {
  while ((await releaseCampaignDeliveries(db, run, CAMPAIGN_PAUSED, clock.now())) > 0);
}
