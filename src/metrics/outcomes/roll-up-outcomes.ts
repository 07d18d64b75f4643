import type { Tx } from '../../db/db-types.ts'
import type { CountedEmail, UncountedEvent } from '../counting/metric-feed-queries.ts'
import { type CountedVisit, countVisits } from '../counting/metric-visits-queries.ts'
import { countSingle, moveStatus, OutcomeChanges } from './count-outcomes.ts'
import {
  type CountedStatus,
  findCountedStatuses,
  type OutcomeRow,
  storeCountedStatuses,
} from './outcome-counts-queries.ts'

interface Key {
  teamId: string
  emailId: string
}

/**
 * Counts how emails ended, by the time of their acceptance. The events of an email with one recipient say how its
 * status changes. The status of several recipients follows from all of them: it is read, and the counted one is stored.
 * Emails that are no longer stored are left out.
 * @param firsts the first visits of each recipient, which are stored already
 */
export async function rollUpOutcomes(
  tx: Tx,
  events: readonly UncountedEvent[],
  emails: ReadonlyMap<string, CountedEmail>,
  firsts: readonly CountedVisit[],
): Promise<OutcomeRow[]> {
  const changes = new OutcomeChanges()
  const shared = new Map<string, Key>()
  for (const event of events) {
    const { teamId, subjectId: emailId } = event
    const email = emails.get(emailId)
    if (email === undefined) continue
    if (email.recipientCount === 1) countSingle(changes.find(teamId, emailId, email), event, email)
    else shared.set(emailId, { teamId, emailId })
  }
  await countShared(tx, changes, emails, [...shared.values()])
  await countFirstVisits(tx, changes, emails, firsts)
  return changes.listRows()
}

async function countShared(
  tx: Tx,
  changes: OutcomeChanges,
  emails: ReadonlyMap<string, CountedEmail>,
  keys: readonly Key[],
): Promise<void> {
  const counted = await findCountedStatuses(tx, keys)
  const moved: CountedStatus[] = []
  for (const { teamId, emailId } of keys) {
    const email = emails.get(emailId)
    const before = counted.get(emailId) ?? null
    if (email === undefined || email.status === before) continue
    const counts = changes.find(teamId, emailId, email)
    if (before === null) counts.emails++
    moveStatus(counts, before, email.status)
    moved.push({ teamId, emailId, status: email.status })
  }
  await storeCountedStatuses(tx, moved)
}

/** Counts an email once for each kind of visit, however many of its recipients made one. */
async function countFirstVisits(
  tx: Tx,
  changes: OutcomeChanges,
  emails: ReadonlyMap<string, CountedEmail>,
  firsts: readonly CountedVisit[],
): Promise<void> {
  const fresh = new Map<string, { visit: CountedVisit; count: number }>()
  for (const visit of firsts) {
    const name = `${visit.emailId} ${visit.name}`
    fresh.set(name, { visit, count: (fresh.get(name)?.count ?? 0) + 1 })
  }
  const shared = firsts.filter(({ emailId }) => (emails.get(emailId)?.recipientCount ?? 1) > 1)
  const keys = new Map(shared.map(({ teamId, emailId }) => [emailId, { teamId, emailId }]))
  const stored = new Map(
    (await countVisits(tx, [...keys.values()])).map(({ emailId, name, count }) => [
      `${emailId} ${name}`,
      count,
    ]),
  )
  for (const [name, { visit, count }] of fresh) {
    const email = emails.get(visit.emailId)
    const isFirst = (stored.get(name) ?? count) === count
    if (email !== undefined && isFirst) changes.find(visit.teamId, visit.emailId, email)[visit.name]++
  }
}
