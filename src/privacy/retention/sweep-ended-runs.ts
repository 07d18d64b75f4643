import { setTimeout as pause } from 'node:timers/promises'
import {
  deleteUnusedVersions,
  expireAutomationRuns,
  forgetUnfollowedSegment,
  listFollowedTeams,
} from '../../automations/rows/sweep-automations-queries.ts'
import { AUTOMATION_VERSIONS_KEPT } from '../../automations/rows/versions-queries.ts'
import { cutoffOf } from './plan-retention.ts'
import type { SweepDeps } from './sweep.ts'

/** Runs that one statement deletes with their steps, in some tens of milliseconds; members of segments take less. */
const PART_MAX = 500
const TEAMS_MAX = 1000
/** The versions of a team that one round deletes. */
const VERSIONS_MAX = 100
const REST_MIN_MS = 10

/**
 * Deletes runs of automations that ended longer ago than their team keeps emails. That a contact was in an automation is kept, because
 * most automations take each contact once. Also deletes old versions that no run uses, and the members of segments with which no active
 * automation begins. Returns the number of deleted runs.
 */
export async function sweepEndedRuns({ db, periods, now, isStopping }: SweepDeps): Promise<number> {
  let count = 0
  let after: string | null = null
  do {
    const teams: string[] = await listFollowedTeams(db, after, TEAMS_MAX)
    for (const teamId of teams) {
      const cutoff = cutoffOf(periods.ofTeam(teamId), 'emails', now)
      await inParts(async () => {
        const deleted = await expireAutomationRuns(db, teamId, cutoff, PART_MAX)
        count += deleted
        return deleted === PART_MAX
      }, isStopping)
      await inParts(() => forgetUnfollowedSegment(db, teamId, PART_MAX), isStopping)
      if (!isStopping()) await deleteUnusedVersions(db, teamId, AUTOMATION_VERSIONS_KEPT, VERSIONS_MAX)
    }
    after = teams.length === TEAMS_MAX ? (teams.at(-1) ?? null) : null
  } while (after !== null && !isStopping())
  return count
}

/** Deletes part after part while there is more, and rests as long after each. */
async function inParts(deletePart: () => Promise<boolean>, isStopping: () => boolean): Promise<void> {
  for (let hasMore = true; hasMore && !isStopping(); ) {
    const startedMs = performance.now()
    hasMore = await deletePart()
    await pause(Math.max(REST_MIN_MS, performance.now() - startedMs))
  }
}
