import { arrays } from '../../db/arrays.ts'
import { bumpCounters } from '../../db/counters.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'

export type PropertyType = 'string' | 'number' | 'date'

/** A custom field of the team's contacts. */
export interface Property {
  teamId: string
  id: string
  /** As entered. Unique per team, ignoring case. */
  key: string
  type: PropertyType
  /** Replaces a value that a contact does not have. */
  fallbackValue: string | null
  createdAt: Date
  updatedAt: Date
}

export const PROPERTY_COUNTER = 'properties'

const COLUMNS = `team_id, id, key, type, fallback_value, created_at,
  updated_at`

/** Violates `property_key_unique` if the team already has the key. */
export async function insertProperty(tx: Tx, property: Property): Promise<void> {
  const { teamId, id, key, type, fallbackValue, createdAt, updatedAt } = property
  await tx.query(
    `insert into property (team_id, id, key, type, fallback_value, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [teamId, id, key, type, fallbackValue, createdAt, updatedAt],
  )
  await bumpCounters(tx, [{ teamId, name: PROPERTY_COUNTER, by: 1 }])
}

export async function findProperty(db: Queryable, teamId: string, id: string): Promise<Property | null> {
  const rows = await db.query<Property>(
    `select ${COLUMNS}
     from property
     where team_id = $1 and id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** Returns the property and locks it against every change and new use until the transaction ends. */
export async function lockProperty(tx: Tx, teamId: string, id: string): Promise<Property | null> {
  const rows = await tx.query<Property>(
    `select ${COLUMNS}
     from property
     where team_id = $1 and id = $2
     for update`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/**
 * Returns the properties with these keys in lower case, and locks them against deletion until the transaction ends. A
 * later deletion then sweeps up the values written now.
 */
export async function holdPropertiesByKey(
  tx: Tx,
  teamId: string,
  lowerKeys: readonly string[],
): Promise<Property[]> {
  if (lowerKeys.length === 0) return []
  return tx.query<Property>(
    `select ${COLUMNS}
     from property
     where team_id = $1 and lower(key collate "C") = any($2::text[])
     order by id
     for key share`,
    [teamId, arrays.text(lowerKeys)],
  )
}

/** Returns those of the properties that the team has. */
export async function findProperties(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Property[]> {
  if (ids.length === 0) return []
  return db.query<Property>(
    `select ${COLUMNS}
     from property
     where team_id = $1 and id = any($2::uuid[])`,
    [teamId, arrays.uuid(ids)],
  )
}

/** Returns those of the properties that the team has, and locks them against deletion until the transaction ends. */
export async function holdProperties(tx: Tx, teamId: string, ids: readonly string[]): Promise<Property[]> {
  if (ids.length === 0) return []
  return tx.query<Property>(
    `select ${COLUMNS}
     from property
     where team_id = $1 and id = any($2::uuid[])
     order by id
     for key share`,
    [teamId, arrays.uuid(ids)],
  )
}

export async function listProperties(
  db: Queryable,
  teamId: string,
  range: PageRange,
): Promise<Rows<Property>> {
  return queryRange<Property>(db, `select ${COLUMNS} from property where team_id = $1`, [teamId], range)
}

/** Saves the key and fallback of a locked property. Violates `property_key_unique`. */
export async function saveProperty(tx: Tx, property: Property): Promise<void> {
  const { teamId, id, key, fallbackValue, updatedAt } = property
  await tx.query(
    `update property
     set key = $3, fallback_value = $4, updated_at = $5
     where team_id = $1 and id = $2`,
    [teamId, id, key, fallbackValue, updatedAt],
  )
}

export async function isPropertyInSegment(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1
     from segment_property
     where team_id = $1 and property_id = $2
     limit 1`,
    [teamId, id],
  )
  return rows.length > 0
}

/** Returns whether the audience of a campaign is being read with conditions on the property, as of the start of the campaign. */
export async function isPropertyInCampaign(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1
     from campaign c
     join campaign_version v on v.team_id = c.team_id and v.campaign_id = c.id and v.version = c.version
     where c.team_id = $1 and c.status in ('sending', 'paused') and not c.audience_done
       and position($2::text in v.audience::text) > 0
     limit 1`,
    [teamId, id],
  )
  return rows.length > 0
}

export async function deleteProperty(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.query('delete from property where team_id = $1 and id = $2', [teamId, id])
  await bumpCounters(tx, [{ teamId, name: PROPERTY_COUNTER, by: -1 }])
}
