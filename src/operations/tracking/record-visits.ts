import { createBatcher } from '../../base/batcher.ts'
import type { Clock } from '../../base/clock.ts'
import { cutToBytes, escapeControls } from '../../base/foreign-text.ts'
import type { Log } from '../../base/log.ts'
import { type NewEvent, recordEvents } from '../../events/record.ts'
import { type Db, runAgainOnDeadlock } from '../../store/db.ts'
import { findVisited, setLastVisits, type Visited } from '../../store/visits.ts'
import { judgeVisit, type Visit } from './judge-visit.ts'
import type { TrackedVisit } from './track-links.ts'

/** A request for the pixel or a link of an email. */
export interface SeenVisit {
  tracked: TrackedVisit
  visit: Omit<Visit, 'sinceDeliveryMs'>
  at: Date
}

export interface VisitRecorder {
  /** Never waits and never throws: who follows a link is led on whatever becomes of the record. */
  record(visit: SeenVisit): void
  /** Resolves when all that was recorded is written. */
  idle(): Promise<void>
}

const BATCH_MAX = 200
const WAITING_MAX = 5_000
/** Of one email; whoever has a link could make events without end. */
const VISITS_MAX = 500
const AGENT_BYTES_MAX = 300

/** Writes visits in batches, as events of their emails. */
export function createVisitRecorder({ db, clock, log }: { db: Db; clock: Clock; log: Log }): VisitRecorder {
  const batcher = createBatcher<SeenVisit, void>({
    itemsMax: BATCH_MAX,
    waitingMax: WAITING_MAX,
    run: async (visits) => {
      await writeVisits(db, visits, clock.now())
      return visits.map(() => undefined)
    },
  })
  const running = new Set<Promise<void>>()
  return {
    record(visit) {
      const written = batcher
        .add(visit)
        .catch((error) => log.warn({ err: error, kind: visit.tracked.kind }, 'a visit was not recorded'))
        .finally(() => running.delete(written))
      running.add(written)
    },
    async idle() {
      await Promise.all(running)
    },
  }
}

async function writeVisits(db: Db, visits: readonly SeenVisit[], now: Date): Promise<void> {
  await runAgainOnDeadlock(db, async (tx) => {
    const known = await findVisited(
      tx,
      visits.map(({ tracked }) => tracked),
      VISITS_MAX,
    )
    const counts = new Map<string, number>()
    const last = new Map<string, { teamId: string; emailId: string; lastEvent: string }>()
    const events: NewEvent[] = []
    for (const [index, seen] of visits.entries()) {
      const visited = known[index] ?? null
      const { teamId, emailId, kind } = seen.tracked
      const key = `${teamId}/${emailId}`
      const count = counts.get(key) ?? visited?.visitCount ?? 0
      if (visited === null || count >= VISITS_MAX) continue
      counts.set(key, count + 1)
      const data = dataOf(seen, visited)
      events.push({ teamId, subjectId: emailId, type: `email.${kind}`, data })
      if (!data.is_machine) last.set(key, { teamId, emailId, lastEvent: kind })
    }
    await setLastVisits(
      tx,
      [...last.keys()].sort().flatMap((key) => last.get(key) ?? []),
    )
    recordEvents(tx, events, now)
  })
}

function dataOf({ tracked, visit, at }: SeenVisit, { address, deliveredAt }: Visited) {
  const sinceDeliveryMs = deliveredAt === null ? null : at.getTime() - deliveredAt.getTime()
  const reason = judgeVisit(tracked.kind, { ...visit, sinceDeliveryMs })
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
