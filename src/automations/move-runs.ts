import type { Tx } from '../db/db-types.ts'
import { ApiError, invalidField, orNotFound } from '../lib/api-error.ts'
import type { Step } from './graph/graph-types.ts'
import { holdAutomation } from './rows/automations-queries.ts'
import { countRunsByStep, moveRunsTo } from './rows/moved-runs-queries.ts'
import { findAutomationVersions, followTypesOf } from './rows/versions-queries.ts'

/** The most runs that one request moves. Each call of the rest moves more. */
export const MOVED_MAX = 10_000

export interface MovedRuns {
  to_version: number
  moved: number
  left: number
}

/**
 * Lets waiting runs of another version go on with the current one, each at the step of the same key and type, with the time, event
 * or response that it waits for unchanged. Throws `not_found`, `validation_error`, and `conflict` for an automation that was never active.
 */
export async function moveRuns(
  tx: Tx,
  teamId: string,
  id: string,
  { fromVersion, isDryRun }: { fromVersion: number; isDryRun: boolean },
): Promise<MovedRuns> {
  const automation = orNotFound(await holdAutomation(tx, teamId, id))
  const { version } = automation
  if (version === 0) throw new ApiError('conflict', 'The automation was never active.')
  const keys = [fromVersion, version].map((one) => ({ automationId: id, version: one }))
  const versions = await findAutomationVersions(tx, teamId, keys)
  const [from, to] = [fromVersion, version].map((one) => versions.find((each) => each.version === one))
  if (from === undefined || to === undefined || fromVersion === version)
    throw invalidField(
      'from_version',
      'The from_version field must be an earlier version of this automation.',
    )
  const before = new Map(from.graph.steps.map((step) => [step.key, step]))
  const kept = to.graph.steps.filter((step) => isSame(before.get(step.key), step)).map(({ key }) => key)
  const counts = await countRunsByStep(tx, teamId, id, fromVersion)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const fitting = counts.filter(({ step }) => kept.includes(step)).reduce((sum, { count }) => sum + count, 0)
  if (!isDryRun) await followTypesOf(tx, teamId, id, { from: fromVersion, to: version })
  const moved = isDryRun
    ? fitting
    : await moveRunsTo(tx, teamId, id, { from: fromVersion, to: version, steps: kept }, MOVED_MAX)
  return { to_version: version, moved, left: total - (isDryRun ? fitting : moved) }
}

/** Returns whether a run can wait on at a step of another version. It finds a response only where it called. */
function isSame(before: Step | undefined, step: Step): boolean {
  if (before?.type !== step.type) return false
  if (before.type !== 'webhook' || step.type !== 'webhook' || before.config.response_timeout === undefined)
    return true
  return before.config.webhook_id === step.config.webhook_id && step.config.response_timeout !== undefined
}
