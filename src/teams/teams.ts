import { hintAccessChanged } from '../access/access-changes-queries.ts'
import type { PlanName } from '../access/plans.ts'
import type { Transactions, Tx } from '../db/db-types.ts'
import { recordEvents } from '../events/record-queries.ts'
import { newId } from '../lib/ids.ts'
import { newTeamTag } from '../mime/return-path.ts'
import { insertTeam, lockTeam, type Team, updateTeamPause, updateTeamPlan } from './teams-queries.ts'

const TAG_ATTEMPTS_MAX = 5

/** Creates an empty team. A team tag is never given to two teams. */
export async function createTeam(tx: Tx, input: { name: string; plan: PlanName }, now: Date): Promise<Team> {
  for (let attempts = 0; attempts < TAG_ATTEMPTS_MAX; attempts++) {
    const team: Team = {
      id: newId(now.getTime()),
      tag: newTeamTag(),
      name: input.name,
      plan: input.plan,
      sendingPausedAt: null,
      sendingPausedReason: null,
      sendingPausedBy: null,
      guardUntil: null,
      createdAt: now,
      updatedAt: now,
    }
    if (await insertTeam(tx, team)) return team
  }
  throw new Error('Could not find a free tag for the team.')
}

/**
 * Moves a team to another plan, which every process applies within a second. Returns null when the team does not
 * exist.
 */
export async function setPlan(
  db: Transactions,
  teamId: string,
  plan: PlanName,
  now: Date,
): Promise<Team | null> {
  return changeTeam(db, (tx) => updateTeamPlan(tx, teamId, plan, now))
}

/**
 * Pauses a team on behalf of the operator: new emails are rejected; emails accepted earlier are still delivered. A
 * team that is already paused keeps the time of its pause. Returns null when the team does not exist.
 */
export async function pauseTeam(
  db: Transactions,
  teamId: string,
  now: Date,
  reason: string | null = null,
): Promise<Team | null> {
  return changeTeam(db, (tx) =>
    movePause(tx, teamId, now, (team) => ({
      sendingPausedAt: team.sendingPausedAt ?? now,
      sendingPausedReason: reason ?? team.sendingPausedReason,
      sendingPausedBy: 'operator',
    })),
  )
}

/**
 * After an operator resumes a team, the service does not pause it for this long. It then evaluates only mail sent
 * since.
 */
const GUARD_REST_MS = 24 * 3_600_000

/** Resumes a team, even if the guard paused it. Returns null if the team does not exist. */
export async function resumeTeam(db: Transactions, teamId: string, now: Date): Promise<Team | null> {
  return changeTeam(db, (tx) =>
    movePause(tx, teamId, now, () => ({
      sendingPausedAt: null,
      sendingPausedReason: null,
      sendingPausedBy: null,
      guardUntil: new Date(now.getTime() + GUARD_REST_MS),
    })),
  )
}

/** Pauses a team because of its reputation, unless it is already paused or an operator resumed it recently. */
export async function pauseForReputation(tx: Tx, teamId: string, reason: string, now: Date): Promise<void> {
  await movePause(tx, teamId, now, ({ sendingPausedAt, guardUntil }) =>
    sendingPausedAt !== null || (guardUntil !== null && guardUntil > now)
      ? null
      : { sendingPausedAt: now, sendingPausedReason: reason, sendingPausedBy: 'reputation' },
  )
}

type Pause = Pick<Team, 'sendingPausedAt' | 'sendingPausedReason' | 'sendingPausedBy'> & {
  guardUntil?: Date | null
}

/**
 * Changes the pause of a team, and records an event when the team becomes paused or resumes. `change` returns null
 * when nothing is to change.
 */
async function movePause(
  tx: Tx,
  teamId: string,
  now: Date,
  change: (team: Team) => Pause | null,
): Promise<Team | null> {
  const before = await lockTeam(tx, teamId)
  const pause = before === null ? null : change(before)
  if (before === null || pause === null) return before
  const team: Team = { ...before, ...pause, updatedAt: now }
  await updateTeamPause(tx, team)
  const isPaused = team.sendingPausedAt !== null
  if (isPaused !== (before.sendingPausedAt !== null)) {
    const type = isPaused ? 'team.paused' : 'team.resumed'
    const data = {
      id: teamId,
      name: team.name,
      by: team.sendingPausedBy ?? 'operator',
      reason: team.sendingPausedReason,
    }
    recordEvents(tx, [{ teamId, subjectId: teamId, type, data }], now)
    await hintAccessChanged(tx)
  }
  return team
}

async function changeTeam(db: Transactions, change: (tx: Tx) => Promise<Team | null>): Promise<Team | null> {
  return db.transaction(async (tx) => {
    const team = await change(tx)
    await hintAccessChanged(tx)
    return team
  })
}
