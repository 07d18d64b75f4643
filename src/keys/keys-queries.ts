import { arrays } from '../db/arrays.ts'
import { batchOf } from '../db/batch.ts'
import { bumpCounters } from '../db/counters.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../db/page.ts'

export type Permission = 'full' | 'send'

export interface ApiKey {
  teamId: string
  id: string
  name: string
  permission: Permission
  /** If set, the key may send only from this domain. */
  domainId: string | null
  /** The first characters of the key, which help people recognize it. */
  prefix: string
  expiresAt: Date | null
  revokedAt: Date | null
  /** To the minute. */
  lastUsedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A key with the plan and pause of its team, as authentication needs it. */
export interface KeyOfTeam {
  hash: Buffer
  teamId: string
  keyId: string
  permission: Permission
  domainId: string | null
  expiresAt: Date | null
  revokedAt: Date | null
  plan: string
  sendingPausedAt: Date | null
}

export const KEY_COUNTER = 'api_keys'

const COLUMNS =
  'team_id, id, name, permission, domain_id, prefix, expires_at, revoked_at, last_used_at, created_at, updated_at'

/** Inserts a key. Returns false and writes nothing when any team already has the same key. */
export async function insertKey(tx: Tx, key: ApiKey, hash: Buffer): Promise<boolean> {
  const hashes = await tx.query(
    `insert into api_key_hash (hash, team_id, key_id)
     values ($1, $2, $3)
     on conflict (hash) do nothing
     returning hash`,
    [hash, key.teamId, key.id],
  )
  if (hashes.length === 0) return false
  await tx.query(
    `insert into api_key (${COLUMNS}, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      key.teamId,
      key.id,
      key.name,
      key.permission,
      key.domainId,
      key.prefix,
      key.expiresAt,
      key.revokedAt,
      key.lastUsedAt,
      key.createdAt,
      key.updatedAt,
      hash,
    ],
  )
  await bumpCounters(tx, [{ teamId: key.teamId, name: KEY_COUNTER, by: 1 }])
  return true
}

export async function findKey(db: Queryable, teamId: string, id: string): Promise<ApiKey | null> {
  const rows = await db.query<ApiKey>(`select ${COLUMNS} from api_key where team_id = $1 and id = $2`, [
    teamId,
    id,
  ])
  return rows[0] ?? null
}

/** Returns the ids of the teams that have this key: one, or none. */
export async function findTeamsOfKey(db: Queryable, id: string): Promise<string[]> {
  const rows = await db.query<{ teamId: string }>('select team_id from api_key where id = $1', [id])
  return rows.map((row) => row.teamId)
}

/** Locks the key until the transaction ends, so that concurrent changes are serialized. */
export async function lockKey(tx: Tx, teamId: string, id: string): Promise<ApiKey | null> {
  const rows = await tx.query<ApiKey>(
    `select ${COLUMNS} from api_key where team_id = $1 and id = $2 for update`,
    [teamId, id],
  )
  return rows[0] ?? null
}

export async function listKeys(db: Queryable, teamId: string, range: PageRange): Promise<Rows<ApiKey>> {
  const select = `select ${COLUMNS} from api_key where team_id = $1`
  return queryRange<ApiKey>(db, select, [teamId], range)
}

/** Updates the fields that can change: name, permission, domain, expiry. */
export async function updateKey(tx: Tx, key: ApiKey): Promise<void> {
  await tx.query(
    `update api_key
     set name = $3, permission = $4, domain_id = $5, expires_at = $6, updated_at = $7
     where team_id = $1
       and id = $2`,
    [key.teamId, key.id, key.name, key.permission, key.domainId, key.expiresAt, key.updatedAt],
  )
}

/** Revokes a key. A revoked key keeps its original time. Returns null when it does not exist. */
export async function updateKeyRevoked(
  tx: Tx,
  teamId: string,
  id: string,
  now: Date,
): Promise<ApiKey | null> {
  const rows = await tx.query<ApiKey>(
    `update api_key
     set revoked_at = coalesce(revoked_at, $3), updated_at = $3
     where team_id = $1
       and id = $2
     returning ${COLUMNS}`,
    [teamId, id, now],
  )
  return rows[0] ?? null
}

/** Finds keys by their SHA-256. Unknown keys are left out. */
export async function findKeysByHash(db: Queryable, hashes: readonly Buffer[]): Promise<KeyOfTeam[]> {
  return db.query<KeyOfTeam>(
    `select h.hash, k.team_id, k.id as key_id, k.permission, k.domain_id, k.expires_at, k.revoked_at, t.plan,
       t.sending_paused_at
     from api_key_hash h
     join api_key k on k.team_id = h.team_id and k.id = h.key_id
     join team t on t.id = h.team_id
     where h.hash = any($1::bytea[])`,
    [arrays.bytea(hashes)],
  )
}

export interface KeyUse {
  teamId: string
  keyId: string
  at: Date
}

const USES = batchOf('team_id uuid, key_id uuid, at timestamptz')

/** Records when keys were last used, in one statement. An older time never replaces a newer one. */
export async function touchKeys(db: Queryable, uses: readonly KeyUse[]): Promise<void> {
  const sorted = [...uses].sort((a, b) => (a.teamId + a.keyId < b.teamId + b.keyId ? -1 : 1))
  await db.query(
    `update api_key k
     set last_used_at = greatest(k.last_used_at, u.at)
     from unnest(${USES.arrays}) as u (${USES.names})
     where k.team_id = u.team_id
       and k.id = u.key_id`,
    USES.values(sorted),
  )
}

/** Returns whether the team has the domain. */
export async function teamHasDomain(db: Queryable, teamId: string, domainId: string): Promise<boolean> {
  const rows = await db.query('select 1 from domain where team_id = $1 and id = $2', [teamId, domainId])
  return rows.length > 0
}
