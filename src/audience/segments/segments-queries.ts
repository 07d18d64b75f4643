import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'
import type { SegmentField, ValueType } from './segment-operators.ts'

export type MatchType = 'all' | 'any'

/** One validated condition (audience/segments/segment-filters.ts). */
export interface SegmentCondition {
  field: SegmentField
  type: ValueType
  /** The primary name (audience/segments/segment-operators.ts). */
  operator: string
  /** Null if the operator takes no value. A day, an instant or a duration for a date, an id for a list. */
  value: string | number | boolean | null
  /** Only for the field `property`. */
  propertyId: string | null
}

export interface SegmentGroup {
  matchType: MatchType
  conditions: SegmentCondition[]
}

export interface Segment {
  teamId: string
  id: string
  name: string
  matchType: MatchType
  groups: SegmentGroup[]
  createdAt: Date
  updatedAt: Date
}

/** The name of the counter for the `total` of the list. */
export const SEGMENT_COUNTER = 'segments'

/** The stored form of `filters`. */
interface StoredFilters {
  groups: {
    match_type: MatchType
    conditions: (Omit<SegmentCondition, 'propertyId'> & { property_id: string | null })[]
  }[]
}

type Row = Omit<Segment, 'groups'> & { filters: StoredFilters }

const COLUMNS = 'team_id, id, name, match_type, filters, created_at, updated_at'

function toSegment({ filters, ...segment }: Row): Segment {
  return {
    ...segment,
    groups: filters.groups.map(({ match_type: matchType, conditions }) => ({
      matchType,
      conditions: conditions.map(({ property_id: propertyId, ...condition }) => ({
        ...condition,
        propertyId,
      })),
    })),
  }
}

function toFilters(groups: readonly SegmentGroup[]): string {
  const filters: StoredFilters = {
    groups: groups.map(({ matchType, conditions }) => ({
      match_type: matchType,
      conditions: conditions.map(({ propertyId, ...condition }) => ({
        ...condition,
        property_id: propertyId,
      })),
    })),
  }
  return JSON.stringify(filters)
}

export async function insertSegment(tx: Tx, segment: Segment): Promise<void> {
  const { teamId, id, name, matchType, groups, createdAt, updatedAt } = segment
  await tx.query(
    `insert into segment (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [teamId, id, name, matchType, toFilters(groups), createdAt, updatedAt],
  )
  await insertProperties(tx, segment)
}

/** Saves a locked segment. */
export async function updateSegment(tx: Tx, segment: Segment): Promise<void> {
  const { teamId, id, name, matchType, groups, updatedAt } = segment
  await tx.query(
    `update segment
     set name = $3, match_type = $4, filters = $5, updated_at = $6
     where team_id = $1 and id = $2`,
    [teamId, id, name, matchType, toFilters(groups), updatedAt],
  )
  await deleteProperties(tx, teamId, id)
  await insertProperties(tx, segment)
}

/** Records the properties that the conditions name, which prevents their deletion. */
async function insertProperties(tx: Tx, segment: Segment): Promise<void> {
  const propertyIds = segment.groups.flatMap(({ conditions }) =>
    conditions.flatMap((each) => each.propertyId ?? []),
  )
  if (propertyIds.length === 0) return
  await tx.query(
    `insert into segment_property (team_id, property_id, segment_id)
     select $1, property_id, $2
     from unnest($3::uuid[]) as property_id`,
    [segment.teamId, segment.id, arrays.uuid([...new Set(propertyIds)])],
  )
}

async function deleteProperties(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.query('delete from segment_property where team_id = $1 and segment_id = $2', [teamId, id])
}

export async function findSegment(db: Queryable, teamId: string, id: string): Promise<Segment | null> {
  const rows = await db.query<Row>(
    `select ${COLUMNS}
     from segment
     where team_id = $1 and id = $2`,
    [teamId, id],
  )
  return rows[0] === undefined ? null : toSegment(rows[0])
}

/** Returns a segment for its change or deletion, locked against changes and new uses until the transaction ends. */
export async function holdSegment(tx: Tx, teamId: string, id: string): Promise<Segment | null> {
  const rows = await tx.query<Row>(
    `select ${COLUMNS}
     from segment
     where team_id = $1 and id = $2
     for update`,
    [teamId, id],
  )
  return rows[0] === undefined ? null : toSegment(rows[0])
}

export async function listSegments(db: Queryable, teamId: string, range: PageRange): Promise<Rows<Segment>> {
  const select = `select ${COLUMNS} from segment where team_id = $1`
  const { rows, hasMore } = await queryRange<Row>(db, select, [teamId], range)
  return { rows: rows.map(toSegment), hasMore }
}

interface SegmentUses {
  byCampaigns: boolean
  byAutomations: boolean
  /** Whether a campaign that may still go out leaves out its contacts. */
  isExcluded: boolean
}

/**
 * Returns whether active campaigns or automations use the segment. Must be called while the segment is locked: uses
 * in other transactions are then visible or wait.
 */
export async function findActiveUses(tx: Tx, teamId: string, id: string): Promise<SegmentUses> {
  const rows = await tx.query<SegmentUses>(
    `select exists (
         select
         from campaign_audience a
         join campaign c on c.team_id = a.team_id and c.id = a.campaign_id
         where a.team_id = $1 and a.kind = 'segment' and a.used_id = $2 and c.status in ('scheduled', 'sending')
       ) as by_campaigns,
       exists (
         select
         from campaign_audience a
         join campaign c on c.team_id = a.team_id and c.id = a.campaign_id
         where a.team_id = $1 and a.kind = 'segment' and a.used_id = $2 and a.is_excluded
           and c.status in ('draft', 'paused')
       ) as is_excluded,
       exists (
         select
         from automation_use u
         join automation a on a.team_id = u.team_id and a.id = u.automation_id
         where u.team_id = $1 and u.kind = 'segment' and u.used_id = $2 and a.status = 'active'
       ) as by_automations`,
    [teamId, id],
  )
  return rows[0] as SegmentUses
}

export async function deleteSegment(tx: Tx, teamId: string, id: string): Promise<void> {
  await deleteProperties(tx, teamId, id)
  await tx.query('delete from segment where team_id = $1 and id = $2', [teamId, id])
}
