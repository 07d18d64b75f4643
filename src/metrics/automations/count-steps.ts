import type { Tx } from '../../db/db-types.ts'
import { countersOf, nameOfVisit } from '../counting/count-events.ts'
import type { UncountedEvent } from '../counting/metric-feed-queries.ts'
import type { CountedVisit } from '../counting/metric-visits-queries.ts'
import { findStepsOf, type StepCounter, type StepRow } from './step-counts-queries.ts'

/** The counters of a step by those of all emails: of opens and clicks, the first of each recipient. */
const COUNTED: Readonly<Record<string, StepCounter>> = {
  delivered: 'delivered',
  bounced: 'bounced',
  complained: 'complained',
  opened_unique: 'opened',
  clicked_unique: 'clicked',
}

/** Returns what events add to the counts of the steps of automations that sent their emails, in write order. */
export async function countStepEvents(
  tx: Tx,
  events: readonly UncountedEvent[],
  firsts: readonly CountedVisit[],
): Promise<StepRow[]> {
  const ofEmails = events.filter(({ type }) => type.startsWith('email.'))
  const emails = new Map(ofEmails.map(({ teamId, subjectId }) => [subjectId, { teamId, id: subjectId }]))
  const steps = await findStepsOf(tx, [...emails.values()])
  if (steps.size === 0) return []
  const unique = new Set(firsts.map(nameOfVisit))
  const rows = new Map<string, StepRow>()
  for (const event of ofEmails) {
    const place = steps.get(event.subjectId)
    if (place === undefined) continue
    const { teamId, automationId, version, step } = place
    const key = `${teamId} ${automationId} ${version} ${step}`
    const row = rows.get(key) ?? { ...place, delivered: 0, bounced: 0, complained: 0, opened: 0, clicked: 0 }
    for (const counter of countersOf(event, unique)) {
      const name = COUNTED[counter]
      if (name !== undefined) row[name]++
    }
    rows.set(key, row)
  }
  return [...rows.keys()].sort().map((key) => rows.get(key) as StepRow)
}
