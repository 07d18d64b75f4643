import type { Db } from '../db/db-types.ts'
import { runAgainOnDeadlock, together } from '../db/transactions.ts'
import { type NewEvent, recordEvents } from '../events/record-queries.ts'
import { createBatcher } from '../lib/async/batcher.ts'
import type { Log } from '../lib/log.ts'
import { cutToBytes, escapeControls } from '../lib/text/foreign-text.ts'
import type { Clock } from '../lib/time/clock.ts'
import { classifyVisit, type Visit } from './classify-visit.ts'
import type { TrackedVisit } from './track-links.ts'
import {
  countVisitsByKind,
  findVisited,
  setLastVisits,
  type Visited,
  visitKindKey,
} from './visits-queries.ts'

/** A request for the pixel or a link of an email. */
export interface RecordedVisit {
  tracked: TrackedVisit
  visit: Omit<Visit, 'sinceDeliveryMs' | 'isUnsent'>
  at: Date
}

export interface VisitRecorder {
  /** Records a visit. Never waits and never throws: the visitor is redirected even if recording fails. */
  record(visit: RecordedVisit): void
  /** Resolves when all recorded visits are written. */
  idle(): Promise<void>
}

const BATCH_MAX = 200
const WAITING_MAX = 5_000
/** The limit per email, so that a link that is requested repeatedly leaves room for others. */
const WAITING_OF_EMAIL_MAX = 100
/**
 * The limit of recorded visits per email and kind, counted separately for people and machines: anyone with a link
 * could cause any number of events, and scanners must not use up people's share.
 */
const VISITS_MAX = 250
const AGENT_BYTES_MAX = 300
/** An outage loses many visits: log it at this interval instead of for each visit. */
const WARN_GAP_MS = 10_000

/** Creates a recorder that writes visits in batches, as events of their emails. */
export function createVisitRecorder({ db, clock, log }: { db: Db; clock: Clock; log: Log }): VisitRecorder {
  const batcher = createBatcher<RecordedVisit, void>({
    itemsMax: BATCH_MAX,
    waitingMax: WAITING_MAX,
    run: async (visits) => {
      await writeVisits(db, visits, clock.now())
      return visits.map(() => undefined)
    },
  })
  const running = new Set<Promise<void>>()
  const waitingOf = new Map<string, number>()
  const logLost = createLossLog(log)
  return {
    record(visit) {
      const key = emailOf(visit)
      const waiting = waitingOf.get(key) ?? 0
      if (waiting >= WAITING_OF_EMAIL_MAX) return
      waitingOf.set(key, waiting + 1)
      const written = batcher
        .add(visit)
        .catch(logLost)
        .finally(() => {
          running.delete(written)
          const count = (waitingOf.get(key) ?? 1) - 1
          if (count === 0) waitingOf.delete(key)
          else waitingOf.set(key, count)
        })
      running.add(written)
    },
    async idle() {
      await Promise.all(running)
    },
  }
}

/** Returns a function that logs the first loss, and then the number of losses at intervals. */
function createLossLog(log: Log): (error: unknown) => void {
  let count = 0
  let loggedAtMs = Number.NEGATIVE_INFINITY
  return (error) => {
    count++
    if (performance.now() - loggedAtMs < WARN_GAP_MS) return
    log.warn({ err: error, count }, 'could not record visits')
    loggedAtMs = performance.now()
    count = 0
  }
}

function emailOf({ tracked: { teamId, emailId } }: RecordedVisit): string {
  return `${teamId}/${emailId}`
}

async function writeVisits(db: Db, visits: readonly RecordedVisit[], now: Date): Promise<void> {
  await runAgainOnDeadlock(db, async (tx) => {
    const keys = visits.map(({ tracked }) => tracked)
    const [targets, counts] = await together([findVisited(tx, keys), countVisitsByKind(tx, keys)])
    const last = new Map<string, { teamId: string; emailId: string; lastEvent: string }>()
    const events: NewEvent[] = []
    for (const [index, visit] of visits.entries()) {
      const visited = targets[index] ?? null
      if (visited === null) continue
      const { teamId, emailId, kind } = visit.tracked
      const data = dataOf(visit, visited)
      const type = `email.${kind}` as const
      const sort = visitKindKey({ teamId, emailId, type, isMachine: data.is_machine })
      const count = counts.get(sort) ?? 0
      if (count >= VISITS_MAX) continue
      counts.set(sort, count + 1)
      events.push({ teamId, subjectId: emailId, type, data })
      if (!data.is_machine) last.set(emailOf(visit), { teamId, emailId, lastEvent: kind })
    }
    await setLastVisits(
      tx,
      [...last.keys()].sort().flatMap((key) => last.get(key) ?? []),
    )
    recordEvents(tx, events, now)
  })
}

function dataOf({ tracked, visit, at }: RecordedVisit, { address, deliveredAt, isUnsent }: Visited) {
  const sinceDeliveryMs = deliveredAt === null ? null : at.getTime() - deliveredAt.getTime()
  const reason = classifyVisit(tracked.kind, { ...visit, sinceDeliveryMs, isUnsent })
  return {
    recipient: address,
    ip_address: visit.ipAddress,
    user_agent:
      visit.userAgent === null ? null : cutToBytes(escapeControls(visit.userAgent), AGENT_BYTES_MAX),
    is_machine: reason !== null,
    machine_reason: reason,
    ...(tracked.kind === 'clicked' ? { link: tracked.link } : {}),
  }
}
