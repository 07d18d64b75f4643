import { createHash } from 'node:crypto'
import { bumpCounters } from '../../db/counters.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { isInFollowedVersion } from '../../db/references.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { findListIds } from '../lists/lists-queries.ts'
import { findProperties, holdProperties, type Property } from '../properties/properties-queries.ts'
import { readPropertyValue, type TypedValue } from '../properties/property-values.ts'
import type { ContactCondition } from './contact-condition.ts'
import { dependOnTime, groupsAt } from './relative-dates.ts'
import { type GroupInput, namedIds, validateGroups } from './segment-filters.ts'
import { segmentCondition } from './segment-sql-queries.ts'
import {
  deleteSegment,
  findActiveUses,
  holdSegment,
  insertSegment,
  type MatchType,
  SEGMENT_COUNTER,
  type Segment,
  type SegmentGroup,
  updateSegment,
} from './segments-queries.ts'

export interface SegmentInput {
  name: string
  matchType: MatchType
  groups: readonly GroupInput[]
}

/** Creates a segment. Throws `validation_error` for each condition that does not fit its field. */
export async function createSegment(
  tx: Tx,
  teamId: string,
  { name, matchType, groups }: SegmentInput,
  now: Date,
): Promise<Segment> {
  const segment: Segment = {
    teamId,
    id: newId(now.getTime()),
    name,
    matchType,
    groups: await readGroups(tx, teamId, groups),
    createdAt: now,
    updatedAt: now,
  }
  await insertSegment(tx, segment)
  await bumpCounters(tx, [{ teamId, name: SEGMENT_COUNTER, by: 1 }])
  return segment
}

/**
 * Updates the given fields; groups are replaced as a whole. Throws `not_found`, and the same errors as createSegment.
 */
export async function changeSegment(
  tx: Tx,
  teamId: string,
  id: string,
  { groups, ...changes }: Partial<SegmentInput>,
  now: Date,
): Promise<Segment> {
  const before = orNotFound(await holdSegment(tx, teamId, id))
  const validated = groups === undefined ? {} : { groups: await readGroups(tx, teamId, groups) }
  const segment = { ...before, ...changes, ...validated, updatedAt: now }
  await updateSegment(tx, segment)
  return segment
}

/**
 * Deletes a segment. Throws `not_found`, or `conflict` while a scheduled or sending campaign, an active automation or a run
 * uses it, or a campaign that may still go out leaves out its contacts. Anything else that uses the segment loses it: a draft
 * without an audience cannot be scheduled.
 */
export async function removeSegment(tx: Tx, teamId: string, id: string): Promise<void> {
  if ((await holdSegment(tx, teamId, id)) === null) throw new ApiError('not_found')
  const { byCampaigns, byAutomations, isExcluded } = await findActiveUses(tx, teamId, id)
  if (byCampaigns) {
    throw new ApiError('conflict', 'This segment is used by active campaigns and cannot be deleted.')
  }
  if (isExcluded) {
    throw new ApiError(
      'conflict',
      'A campaign leaves out the contacts of this segment, so it cannot be deleted.',
    )
  }
  if (byAutomations || (await isInFollowedVersion(tx, teamId, id))) {
    throw new ApiError('conflict', 'This segment is used by active automations and cannot be deleted.')
  }
  await deleteSegment(tx, teamId, id)
  await bumpCounters(tx, [{ teamId, name: SEGMENT_COUNTER, by: -1 }])
}

/** What decides who is in a segment. */
export interface SegmentRules {
  /** Its members at a moment, for listContacts. */
  condition: ContactCondition
  /** A hash that changes with the conditions, and with the fallbacks and lists behind them. */
  fingerprint: string
  /** Whether contacts come and go by the passing of time alone. */
  isTimed: boolean
}

/** Returns the members of a segment as of a moment as a condition for listContacts. */
export async function contactsIn(
  db: Queryable,
  segment: Pick<Segment, 'teamId' | 'matchType' | 'groups'>,
  now: Date,
): Promise<ContactCondition> {
  return (await readSegmentRules(db, segment, now)).condition
}

/** Returns what decides at a moment who is in a segment. */
export async function readSegmentRules(
  db: Queryable,
  segment: Pick<Segment, 'teamId' | 'matchType' | 'groups'>,
  now: Date,
): Promise<SegmentRules> {
  const { teamId, matchType, groups } = segment
  const conditions = groups.flatMap((group) => group.conditions)
  const propertyIds = conditions.flatMap(({ propertyId }) => propertyId ?? [])
  const lists = conditions.flatMap(({ field, value }) => (field === 'list' ? (value as string) : []))
  const [properties, listIds] = await Promise.all([
    findProperties(db, teamId, propertyIds),
    findListIds(db, teamId, lists),
  ])
  const fallbacks = new Map(
    properties.flatMap(({ id, type, fallbackValue }): [string, TypedValue][] => {
      const result = fallbackValue === null ? null : readPropertyValue(type, fallbackValue, 'fallback_value')
      return result === null || 'problem' in result ? [] : [[id, result.value]]
    }),
  )
  const facts = [matchType, groups, [...fallbacks].sort(), [...listIds].sort()]
  return {
    condition: await segmentCondition(
      db,
      { matchType, groups: groupsAt(groups, now) },
      { fallbacks, listIds },
    ),
    fingerprint: createHash('sha256').update(JSON.stringify(facts)).digest('base64url'),
    isTimed: dependOnTime(groups),
  }
}

/** Returns the members that an unsaved segment would have as a condition. Throws the same errors as createSegment. */
export async function contactsMatching(
  db: Queryable,
  teamId: string,
  { matchType, groups }: Pick<SegmentInput, 'matchType' | 'groups'>,
  now: Date,
): Promise<ContactCondition> {
  const ids = namedIds(groups)
  const [properties, listIds] = await Promise.all([
    findProperties(db, teamId, ids.properties),
    findListIds(db, teamId, ids.lists),
  ])
  return contactsIn(db, { teamId, matchType, groups: validateWith(groups, properties, listIds) }, now)
}

/** Validates groups, and locks the properties that they name against deletion until the transaction ends. */
async function readGroups(tx: Tx, teamId: string, groups: readonly GroupInput[]): Promise<SegmentGroup[]> {
  const ids = namedIds(groups)
  const properties = await holdProperties(tx, teamId, ids.properties)
  return validateWith(groups, properties, await findListIds(tx, teamId, ids.lists))
}

function validateWith(
  groups: readonly GroupInput[],
  properties: readonly Property[],
  listIds: ReadonlySet<string>,
): SegmentGroup[] {
  return validateGroups(groups, {
    properties: new Map(properties.map((property) => [property.id, property])),
    listIds,
  })
}
