import { holdLists } from '../../audience/lists/lists-queries.ts'
import { findSegment, type Segment } from '../../audience/segments/segments-queries.ts'
import type { Tx } from '../../db/db-types.ts'
import type { Audience, AudienceItem, FrozenAudience, FrozenItem } from './audience.ts'

/** The audience with the current conditions of its segments, and the positions of exclusions that would leave out too few. */
export interface Frozen {
  audience: FrozenAudience
  /** Exclusions of what was deleted, and of segments that test a deleted list. */
  lost: readonly number[]
}

/** Reads the conditions of the segments, and locks the excluded lists against deletion until the transaction ends. */
export async function freezeAudience(
  tx: Tx,
  teamId: string,
  { include, exclude }: Audience,
): Promise<Frozen> {
  const included = await freezeAll(tx, teamId, include)
  const excluded = await freezeAll(tx, teamId, exclude)
  const lists = await holdLists(tx, teamId, [...new Set(excluded.flatMap(listsOf))])
  const isLost = (item: FrozenItem | null) =>
    item === null || listsOf(item).some((listId) => !lists.has(listId))
  return {
    audience: { include: included.filter(isFound), exclude: excluded.filter(isFound) },
    lost: excluded.flatMap((item, index) => (isLost(item) ? [index] : [])),
  }
}

const isFound = (item: FrozenItem | null): item is FrozenItem => item !== null

async function freezeAll(
  tx: Tx,
  teamId: string,
  items: readonly AudienceItem[],
): Promise<(FrozenItem | null)[]> {
  const frozen: (FrozenItem | null)[] = []
  for (const { kind, id } of items) {
    const segment = kind === 'segment' ? await findSegment(tx, teamId, id) : null
    if (kind === 'list') frozen.push({ listId: id })
    else frozen.push(segment === null ? null : { segment: conditionsOf(segment) })
  }
  return frozen
}

const conditionsOf = ({ matchType, groups }: Segment) => ({ matchType, groups })

/** Returns the lists that an item names, itself or in its conditions. */
function listsOf(item: FrozenItem | null): string[] {
  if (item === null) return []
  if ('listId' in item) return [item.listId]
  const conditions = item.segment.groups.flatMap((group) => group.conditions)
  return conditions.flatMap(({ field, value }) => (field === 'list' ? [value as string] : []))
}
