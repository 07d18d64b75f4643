import { DatabaseUnavailable, type Db, type Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock, together } from '../../db/transactions.ts'
import { type NewEvent, recordEvents } from '../../events/record-queries.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { byEndpoint, type EndpointKey } from './endpoint-workers-queries.ts'
import {
  disableEndpoint,
  giveUpWaiting,
  insertFirstResults,
  updateLaterResults,
  writeEndpointStates,
  writeNextRetries,
} from './webhook-results-queries.ts'
import { hasRetries, type WorkerResults } from './worker-types.ts'

/** A worker with results to write. */
export interface ResultSource {
  takeResults(): WorkerResults | null
  written(results: WorkerResults, isKept: boolean): void
}

export interface ResultWriter {
  /** Announces that `source` has results. */
  note(source: ResultSource): void
  /** Resolves once all announced results are written. Abandons what cannot be written within `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>
}

export interface WriterDeps {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
}

/** How long results wait to share a transaction. Results that are lost with this process are sent again. */
const GATHER_MS = 25
const RESULTS_PER_RUN_MAX = 1000
const OUTAGE_MS = 250
const FAULT_MS = 5000
const GIVE_UP_MAX = 5000

type Taken = readonly [ResultSource, WorkerResults]

/**
 * Writes results of many endpoints in one transaction. While the database is unavailable, results are kept and
 * retried.
 */
export function createResultWriter(deps: WriterDeps): ResultWriter {
  const announced = new Set<ResultSource>()
  const beside = new Set<Promise<void>>()
  let running: Promise<void> | null = null
  let isGivingUp = false

  async function run(): Promise<void> {
    await pause(GATHER_MS)
    while (announced.size > 0 && !isGivingUp) {
      const batch = takeFrom(announced)
      if (batch.length > 0) await write(batch)
      if (announced.size > 0) await pause(GATHER_MS)
    }
  }

  /** Waits for the database. Results that cannot be written because of their content are retried separately. */
  async function write(batch: readonly Taken[]): Promise<void> {
    const refused = await attemptWrite(deps, batch, () => isGivingUp)
    for (const one of refused) {
      const again = writeEventually(one).finally(() => beside.delete(again))
      beside.add(again)
    }
  }

  async function writeEventually(one: Taken): Promise<void> {
    do await pause(FAULT_MS)
    while (!isGivingUp && (await attemptWrite(deps, [one], () => isGivingUp)).length > 0)
  }

  return {
    note(source) {
      announced.add(source)
      running ??= run().finally(() => {
        running = null
      })
    },
    async stop(timeoutMs) {
      const timer = setTimeout(() => {
        isGivingUp = true
      }, timeoutMs)
      while (running !== null) await running
      await Promise.race([Promise.all(beside), pause(FAULT_MS)])
      isGivingUp = true
      clearTimeout(timer)
    },
  }
}

/** Takes the results of sources out of `announced`, up to the limit of one run. */
function takeFrom(announced: Set<ResultSource>): Taken[] {
  const batch: Taken[] = []
  let count = 0
  for (const source of announced) {
    if (count >= RESULTS_PER_RUN_MAX) break
    announced.delete(source)
    const results = source.takeResults()
    if (results === null) continue
    batch.push([source, results])
    count += results.first.length + results.later.length
  }
  return batch
}

/**
 * Writes results and waits while the database is unavailable. Returns those that fail for another reason.
 * @param isGivingUp ends the attempts when it returns true
 */
async function attemptWrite(
  deps: WriterDeps,
  batch: readonly Taken[],
  isGivingUp: () => boolean,
): Promise<Taken[]> {
  while (!isGivingUp()) {
    try {
      const kept = await writeResults(
        deps,
        batch.map(([, results]) => results),
      )
      for (const [source, results] of batch) source.written(results, kept.has(keyOf(results.webhook)))
      return []
    } catch (error) {
      deps.log.error({ err: error, count: batch.length }, 'could not write webhook results; retrying')
      if (error instanceof DatabaseUnavailable) await pause(OUTAGE_MS)
      else if (batch.length === 1) return [...batch]
      else break
    }
  }
  const refused: Taken[] = []
  for (const one of batch) if (!isGivingUp()) refused.push(...(await attemptWrite(deps, [one], isGivingUp)))
  return refused
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function keyOf({ teamId, id }: EndpointKey): string {
  return `${teamId}/${id}`
}

/**
 * Writes the results of many endpoints in one transaction: their health, their attempts, and an event for each
 * disabled one. Skips endpoints that another process has leased since then. Idempotent. Returns the keys of the
 * endpoints written.
 */
async function writeResults(deps: WriterDeps, results: readonly WorkerResults[]): Promise<Set<string>> {
  const now = deps.clock.now()
  const all = results.toSorted((a, b) => byEndpoint(a.webhook, b.webhook))
  const written = await runAgainOnDeadlock(deps.db, async (tx) => {
    const states = all.map(({ state }) => state)
    const kept = new Set((await writeEndpointStates(tx, states, deps.nodeId)).map(keyOf))
    const ours = all.filter(({ webhook }) => kept.has(keyOf(webhook)))
    await together([
      insertFirstResults(
        tx,
        ours.flatMap(({ webhook, first }) => first.map((result) => ({ ...result, webhook }))),
        now,
      ),
      updateLaterResults(
        tx,
        ours.flatMap(({ webhook, later }) => later.map((result) => ({ ...result, webhook }))),
        now,
      ),
      writeNextRetries(
        tx,
        ours.filter(hasRetries).map(({ webhook }) => webhook),
      ),
    ])
    for (const results of ours) await disable(tx, results, now)
    return kept
  })
  for (const { webhook, disableReason } of all) {
    if (disableReason !== null) await giveUpAll(deps.db, webhook, now)
  }
  return written
}

/** Runs after the transaction, because there may be very many deliveries. */
async function giveUpAll(db: Db, webhook: EndpointKey, now: Date): Promise<void> {
  while ((await giveUpWaiting(db, webhook, now, GIVE_UP_MAX)) === GIVE_UP_MAX);
}

async function disable(tx: Tx, { state, disableReason }: WorkerResults, now: Date): Promise<void> {
  if (disableReason === null) return
  const url = await disableEndpoint(tx, state, disableReason, now)
  if (url === null) return
  await giveUpWaiting(tx, state, now, GIVE_UP_MAX)
  const { teamId, id } = state
  const event: NewEvent = {
    teamId,
    subjectId: id,
    type: 'webhook.disabled',
    data: { id, endpoint: url, reason: disableReason },
  }
  recordEvents(tx, [event], now)
}
