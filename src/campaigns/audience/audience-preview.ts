import { findNewestIds } from '../../audience/contacts/list-contacts-queries.ts'
import type { Db } from '../../db/db-types.ts'
import { scopeText } from '../../emails/request/unsubscribe-scope.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type FieldErrors, throwInvalid } from '../../lib/api-error.ts'
import { type Audience, type FrozenAudience, NO_AUDIENCE, scopeOf } from './audience.ts'
import { audienceCondition } from './audience-condition.ts'
import {
  type AudienceCount,
  type AudienceExample,
  countAudience,
  estimateAudience,
  getsMail,
  readExamples,
} from './count-audience-queries.ts'
import { type Frozen, freezeAudience } from './freeze-audience.ts'
import { type AudienceChanges, mergeAudience, validateAudience } from './validate-audience.ts'

/**
 * The longest exact count. A team with a million contacts then gets an estimate. Less than the API waits for a statement: one that does
 * not answer counts as an outage.
 */
export const COUNT_TIMEOUT_MS = 1000
const SAMPLE_COUNT = 2500
const EXAMPLE_COUNT = 10

interface Counted extends AudienceCount {
  /** Whether the counts are estimates. */
  isEstimated: boolean
}

const NOBODY: Counted = { count: 0, unsubscribed: 0, suppressed: 0, isEstimated: false }

/** The pools, the second for statements whose cost the caller determines, and the clock by which segments are read. */
type CountDeps = Pick<ResourceDeps, 'db' | 'lists' | 'clock'>

export interface AudiencePreview extends Counted {
  /** The newest contacts that would get mail, or fewer if finding them takes too long. */
  contacts: AudienceExample[]
}

/** Returns who would get a campaign with the audience of a request. Throws `validation_error` for what does not exist. */
export async function previewAudience(
  { db, lists, clock }: CountDeps,
  teamId: string,
  changes: AudienceChanges,
): Promise<AudiencePreview> {
  const { audience } = await db.transaction(async (tx): Promise<Frozen> => {
    const errors: FieldErrors = {}
    const refuse = (field: string, message: string) => {
      errors[field] ??= [message]
    }
    const merged = mergeAudience(NO_AUDIENCE, changes, refuse)
    const valid = await validateAudience(tx, teamId, merged, { changes, goesOut: true }, refuse)
    throwInvalid(errors)
    return freezeAudience(tx, teamId, valid)
  })
  const { scope, condition, counted } = await countFrozen(lists, teamId, audience, clock.now())
  const ids =
    counted.count === 0 && !counted.isEstimated
      ? []
      : await findNewestIds(lists, teamId, [condition, getsMail(scope)], EXAMPLE_COUNT)
  return { ...counted, contacts: await readExamples(lists, teamId, ids) }
}

/** Counts who would get a campaign that has not begun. */
export async function countStoredAudience(
  { db, lists, clock }: CountDeps,
  { teamId, audience }: { teamId: string; audience: Audience },
): Promise<Counted> {
  if (audience.include.length === 0) return NOBODY
  const frozen = await db.transaction((tx) => freezeAudience(tx, teamId, audience))
  return (await countFrozen(lists, teamId, frozen.audience, clock.now())).counted
}

async function countFrozen(lists: Db, teamId: string, audience: FrozenAudience, now: Date) {
  const scope = scopeText(scopeOf(audience))
  const condition = await audienceCondition(lists, teamId, audience, now)
  const exact = await countAudience(lists, teamId, scope, condition, COUNT_TIMEOUT_MS)
  const counts = exact ?? (await estimateAudience(lists, teamId, scope, condition, SAMPLE_COUNT))
  const counted: Counted = { ...counts, isEstimated: exact === null }
  return { scope, condition, counted }
}
