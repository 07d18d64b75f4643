import { hasOpenImport } from '../../audience/imports/erased-rows-queries.ts'
import type { Db } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findSuppressions } from '../../suppressions/suppressions-queries.ts'
import { eraseOptOuts } from './begin-erasure.ts'
import { ErasureLost, eraseEmailsFrom, eraseEmailsTo, type Holder } from './erase-emails.ts'
import { changeEvents } from './erase-event.ts'
import {
  eraseContacts,
  eraseCountedSender,
  eraseLateEvents,
  eraseNamingAnswers,
  eraseNamingEvents,
  eraseSmallTexts,
} from './erase-traces.ts'
import { listEventsOf, saveEventData } from './erase-traces-queries.ts'
import {
  claimErasure,
  type Erasure,
  finishErasure,
  type OpenErasure,
  postponeErasure,
} from './erasures-queries.ts'
import { createPerson, type Person } from './person.ts'

export interface ErasureDeps {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
  hashAddress: HashAddress
  /** Aborts when the process stops. The next process to claim the erasure continues it. */
  stopping: AbortSignal
}

/** Renewed with each batch, which takes a fraction of it. */
const LEASE_MS = 60_000
/** By then, processes that had read the address before the erasure have written their results. */
const SETTLED_MS = 2_000
/** The delay before deliveries on the wire are checked again. */
const RECHECK_MS = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Runs one due erasure to its end, or as far as currently possible. Every batch is a transaction that leaves less to
 * do, so that another process can continue after a kill.
 * @param only the erasure to run; null for any
 * @returns whether there was one
 */
export async function runErasure(
  deps: ErasureDeps,
  only: Pick<Erasure, 'teamId' | 'id'> | null = null,
): Promise<boolean> {
  const { db, clock, nodeId } = deps
  const job = await claimErasure(db, holderOf(deps), only)
  if (job === null) return false
  try {
    if (await erase(deps, job)) await finishErasure(db, job, nodeId, clock.now())
    else await postponeErasure(db, job, nodeId, new Date(clock.now().getTime() + RECHECK_MS))
  } catch (error) {
    if (!(error instanceof ErasureLost)) throw error
    deps.log.info({ erasure: job.id }, 'another process continues an erasure')
  }
  return true
}

function holderOf({ nodeId, clock }: Pick<ErasureDeps, 'nodeId' | 'clock'>): Holder {
  const now = clock.now()
  return { nodeId, now, until: new Date(now.getTime() + LEASE_MS) }
}

/**
 * Returns true if nothing of the person is left, false if a delivery is on the wire or data may still be written, also by
 * an older import.
 */
async function erase(deps: ErasureDeps, job: OpenErasure): Promise<boolean> {
  const { db, clock } = deps
  const person = createPerson(job)
  const hold = () => holderOf(deps)
  const isSettled = clock.now().getTime() >= job.createdAt.getTime() + SETTLED_MS
  const busyCount = await eraseAllEmails(deps, job, person)
  if (busyCount > 0 || !isSettled || deps.stopping.aborted) return false
  if (await hasOpenImport(db, job.teamId, job.id)) return false
  await eraseLateOptOuts(deps, job, person)
  // Before events and webhook calls: an automation could otherwise copy the address from its rules into new ones.
  await eraseSmallTexts(db, job, person)
  await eraseContacts(db, job, person, hold)
  await eraseNamingEvents(db, job, person, hold)
  await eraseNamingAnswers(db, job, person, hold)
  await eraseCountedSender(db, job, person)
  await eraseLateEvents(db, job, person, hold)
  return true
}

/** Hashes suppressions and unsubscriptions that bounces, reports and imports have added since the erasure began. */
async function eraseLateOptOuts(deps: ErasureDeps, job: OpenErasure, person: Person): Promise<void> {
  const { teamId, address } = job
  const hash = deps.hashAddress(teamId, address)
  await runAgainOnDeadlock(deps.db, async (tx) => {
    // Their events are younger than the erasure too.
    const added = await findSuppressions(tx, [{ teamId, email: address }])
    const ids = added.map(({ id }) => id)
    await saveEventData(tx, teamId, changeEvents(await listEventsOf(tx, teamId, ids), person))
    await eraseOptOuts(tx, { teamId, address, keepSuppressed: false }, hash, deps.clock.now())
  })
}

/** Returns the number of deliveries on the wire. */
async function eraseAllEmails(deps: ErasureDeps, job: OpenErasure, person: Person): Promise<number> {
  let busyCount = 0
  for (const eraseNext of [eraseEmailsTo, eraseEmailsFrom]) {
    let after: string | null = FIRST_ID
    while (after !== null && !deps.stopping.aborted) {
      const place = await eraseNext(deps.db, job, person, after, holderOf(deps))
      busyCount += place.busyCount
      after = place.after
    }
  }
  return busyCount
}
