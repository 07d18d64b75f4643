import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { examineServer, type ServerFinding } from '../doctor/examine-server.ts'
import { findSourceAddresses } from '../doctor/find-addresses.ts'
import { claimServerRun, findServerRun, type ServerRun, updateServerRun } from './server-checks-queries.ts'

/** The checks contact other servers, so all processes together run them at most once in this time. */
export const RUN_EVERY_MS = 60_000
/** A run that takes longer is stored as it is. */
const RUN_MAX_MS = 50_000
/** A mail server that always answers. The checks send it QUIT and no mail. */
const PROBE_DOMAIN = 'gmail.com'

/** `interrupted`: the process that ran the checks stopped, or they took too long. */
export type ServerChecksState = 'never' | 'running' | 'interrupted' | 'done'

export interface ServerChecksView {
  state: ServerChecksState
  run: ServerRun | null
  /** The earliest start of the next run. */
  nextAt: Date | null
}

/** The network checks of `sendwright doctor`, run by this process when an operator asks for them. */
export interface ServerChecks {
  read(): Promise<ServerChecksView>
  /** Starts a run in the background, unless one began within the last minute. Resolves to the state afterwards. */
  start(): Promise<ServerChecksView>
  /** Ends a run that is in progress, and resolves when it no longer uses the database. */
  stop(): Promise<void>
}

interface Deps {
  config: Config
  db: Db
  clock: Clock
  log: Log
  /** Replaces the domain whose mail server is contacted. */
  probeDomain?: string
}

export function createServerChecks(deps: Deps): ServerChecks {
  const { db, clock, log } = deps
  let running: { ended: Promise<void>; abort: AbortController } | null = null

  async function read(): Promise<ServerChecksView> {
    const run = await findServerRun(db)
    if (run === null) return { state: 'never', run, nextAt: null }
    const nextAt = new Date(run.startedAt.getTime() + RUN_EVERY_MS)
    if (run.finishedAt !== null) return { state: 'done', run, nextAt }
    return { state: clock.now() < nextAt ? 'running' : 'interrupted', run, nextAt }
  }

  return {
    read,
    async start() {
      const now = clock.now()
      const runId = newId()
      const notSince = new Date(now.getTime() - RUN_EVERY_MS)
      if (running === null && (await claimServerRun(db, { runId, now, notSince }))) {
        const abort = new AbortController()
        const ended = runChecks(deps, runId, abort.signal)
          .catch((error: unknown) => log.warn({ err: error }, 'the server checks failed'))
          .finally(() => {
            running = null
          })
        running = { ended, abort }
      }
      return read()
    },
    async stop() {
      running?.abort.abort()
      await running?.ended
    },
  }
}

/** Runs the checks, and stores the findings after each one, so that readers see the progress. */
async function runChecks(
  { config, db, clock, probeDomain = PROBE_DOMAIN }: Deps,
  runId: string,
  stopped: AbortSignal,
): Promise<void> {
  const { addresses } = await findSourceAddresses(config)
  const findings: ServerFinding[] = []
  const checks = examineServer({ config, addresses }, { probeDomain })
  const over = untilAborted(AbortSignal.any([stopped, AbortSignal.timeout(RUN_MAX_MS)]))
  try {
    for (;;) {
      // A check that is cut off ends by its own time limit, and its finding is dropped.
      const next = await Promise.race([checks.next(), over])
      if (next === null || next.done === true) break
      findings.push(next.value)
      await updateServerRun(db, { runId, findings, finishedAt: null })
    }
  } finally {
    await updateServerRun(db, { runId, findings, finishedAt: stopped.aborted ? null : clock.now() })
  }
}

function untilAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}
