import type { Queryable, Tx } from '../../db/db-types.ts'
import { type FieldErrors, throwInvalid } from '../../lib/api-error.ts'
import {
  findTeamRetention,
  KEPT_KINDS,
  type KeptKind,
  putTeamRetention,
} from '../../teams/team-retention-queries.ts'
import { EVENTS_DAYS_MIN, limitsOf, type Periods, parsePeriod, periodsOf, writePeriod } from './periods.ts'

/** A team's retention periods, and the longest it may choose. */
export interface Kept {
  periods: Periods
  limits: Periods
}

/** `30d`, `forever` or null for each kind. Null removes the setting. */
export type KeptChanges = Partial<Record<KeptKind, string | null>>

export async function readKept(db: Queryable, installation: Periods, teamId: string): Promise<Kept> {
  const settings = await findTeamRetention(db, teamId)
  return { periods: periodsOf(installation, settings), limits: limitsOf(installation, settings) }
}

/**
 * Changes the periods that a team chooses for itself, within the operator's limits. The next round deletes data that
 * has expired. Throws `validation_error`.
 */
export async function changeKept(
  tx: Tx,
  installation: Periods,
  teamId: string,
  changes: KeptChanges,
  now: Date,
): Promise<Kept> {
  const { limits } = await readKept(tx, installation, teamId)
  refuseUnfit(changes, limits)
  for (const { kind, days } of readDays(changes)) {
    const ownDays = days === null || days === Number.POSITIVE_INFINITY ? null : days
    await putTeamRetention(tx, 'own_days', { teamId, kind, days: ownDays }, now)
  }
  return readKept(tx, installation, teamId)
}

/** Changes the operator's limits for a team, shorter or longer than others. Throws `validation_error`. */
export async function limitKept(
  tx: Tx,
  installation: Periods,
  teamId: string,
  changes: KeptChanges,
  now: Date,
): Promise<Kept> {
  refuseUnfit(changes, null)
  for (const { kind, days } of readDays(changes)) {
    const limitDays = days === Number.POSITIVE_INFINITY ? 0 : days
    await putTeamRetention(tx, 'limit_days', { teamId, kind, days: limitDays }, now)
  }
  return readKept(tx, installation, teamId)
}

function readDays(changes: KeptChanges): { kind: KeptKind; days: number | null }[] {
  return KEPT_KINDS.flatMap((kind) => {
    const text = changes[kind]
    return text === undefined ? [] : [{ kind, days: text === null ? null : parsePeriod(text) }]
  })
}

function refuseUnfit(changes: KeptChanges, limits: Periods | null): void {
  const errors: FieldErrors = {}
  for (const kind of KEPT_KINDS) {
    const text = changes[kind]
    const problem = text === undefined || text === null ? null : findProblem(kind, text, limits)
    if (problem !== null) errors[kind] = [`The ${kind} field ${problem}`]
  }
  throwInvalid(errors)
}

function findProblem(kind: KeptKind, text: string, limits: Periods | null): string | null {
  const days = parsePeriod(text)
  if (days === null) return 'must be a number of days such as 30d, or forever.'
  if (kind === 'events' && days < EVENTS_DAYS_MIN) {
    return `must be at least ${EVENTS_DAYS_MIN}d, because webhooks can deliver an event for days.`
  }
  if (limits !== null && days > limits[kind]) {
    return `must not be longer than ${writePeriod(limits[kind])}, which is what the operator allows.`
  }
  return null
}
