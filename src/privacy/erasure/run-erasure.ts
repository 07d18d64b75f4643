import type { Db } from '../../db/db-types.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { ErasureLost, eraseEmailsFrom, eraseEmailsTo, type Holder } from './erase-emails.ts'
import {
  eraseContacts,
  eraseLateEvents,
  eraseNamingAnswers,
  eraseNamingEvents,
  eraseSmallTexts,
} from './erase-traces.ts'
import {
  claimErasure,
  type Erasure,
  finishErasure,
  type OpenErasure,
  postponeErasure,
} from './erasures-queries.ts'
import { knowPerson, type Person } from './person.ts'

export interface ErasureDeps {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
  /** Aborts when the process is told to stop: whoever claims it next goes on. */
  stopping: AbortSignal
}

/** Renewed with each batch, which takes a fraction of it. */
const LEASE_MS = 60_000
/** Whoever had read the address before it was to be erased has written what they made of it by then. */
const SETTLED_MS = 2_000
/** Deliveries that were on the wire are looked at again then. */
const AGAIN_MS = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Works on one erasure that is due, to its end or as far as it can be now. Every batch is a transaction that leaves less to
 * do: whoever comes after a process that was killed goes on where it was.
 * @param only this one, or any
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
    else await postponeErasure(db, job, nodeId, new Date(clock.now().getTime() + AGAIN_MS))
  } catch (error) {
    if (!(error instanceof ErasureLost)) throw error
    deps.log.info({ erasure: job.id }, 'another process goes on with an erasure')
  }
  return true
}

function holderOf({ nodeId, clock }: Pick<ErasureDeps, 'nodeId' | 'clock'>): Holder {
  const now = clock.now()
  return { nodeId, now, until: new Date(now.getTime() + LEASE_MS) }
}

/** True: nothing of the person is left. False: something is on the wire, or may still be written. */
async function erase(deps: ErasureDeps, job: OpenErasure): Promise<boolean> {
  const { db, clock } = deps
  const person = knowPerson(job)
  const hold = () => holderOf(deps)
  const isSettled = clock.now().getTime() >= job.createdAt.getTime() + SETTLED_MS
  const busyCount = await eraseAllEmails(deps, job, person)
  if (busyCount > 0 || !isSettled || deps.stopping.aborted) return false
  await eraseContacts(db, job, person, hold)
  await eraseNamingEvents(db, job, person, hold)
  await eraseNamingAnswers(db, job, person, hold)
  await eraseSmallTexts(db, job, person)
  await eraseLateEvents(db, job, person, hold)
  return true
}

/** Returns how many deliveries are on the wire just now. */
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
