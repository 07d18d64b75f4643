import type { Queryable } from '../../db/db-types.ts'

/** A login of a program that asks for an API key. */
export interface DeviceLogin {
  /** SHA-256 of the device code, which is the key once a person has confirmed the login. */
  deviceHash: Buffer
  /** The first characters of the key. */
  prefix: string
  /** HMAC of the user code (user-codes.ts). */
  userCodeHash: Buffer
  /** The name that the program gives itself. */
  clientName: string
  ipAddress: string
  createdAt: Date
  expiresAt: Date
  status: 'pending' | 'approved' | 'denied'
  /** The key; both are null until the login is approved. */
  teamId: string | null
  keyId: string | null
}

const COLUMNS =
  'device_hash, prefix, user_code_hash, client_name, ip_address, created_at, expires_at, status, team_id, key_id'

/** Returns false and writes nothing if another login has the same user code. */
export async function insertDeviceLogin(db: Queryable, login: DeviceLogin): Promise<boolean> {
  const rows = await db.query(
    `insert into device_login (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (user_code_hash) do nothing
     returning device_hash`,
    [
      login.deviceHash,
      login.prefix,
      login.userCodeHash,
      login.clientName,
      login.ipAddress,
      login.createdAt,
      login.expiresAt,
      login.status,
      login.teamId,
      login.keyId,
    ],
  )
  return rows.length > 0
}

/**
 * Returns the pending login with this user code, or null.
 * @param lock locks it until the transaction ends, so that it is confirmed or rejected only once
 */
export async function findPendingLogin(
  db: Queryable,
  userCodeHash: Buffer,
  now: Date,
  lock: 'for update' | '' = '',
): Promise<DeviceLogin | null> {
  const rows = await db.query<DeviceLogin>(
    `select ${COLUMNS}
     from device_login
     where user_code_hash = $1 and status = 'pending' and expires_at > $2
     ${lock}`,
    [userCodeHash, now],
  )
  return rows[0] ?? null
}

export async function updateDeviceLoginAnswered(
  db: Queryable,
  { deviceHash, status, teamId, keyId }: Pick<DeviceLogin, 'deviceHash' | 'status' | 'teamId' | 'keyId'>,
): Promise<void> {
  await db.query(
    `update device_login
     set status = $2, team_id = $3, key_id = $4
     where device_hash = $1`,
    [deviceHash, status, teamId, keyId],
  )
}

/** Records a poll and returns the login. Returns null if there is none, or if its last poll was after `before`. */
export async function pollDeviceLogin(
  db: Queryable,
  deviceHash: Buffer,
  now: Date,
  before: Date,
): Promise<DeviceLogin | null> {
  const rows = await db.query<DeviceLogin>(
    `update device_login
     set polled_at = $2
     where device_hash = $1 and expires_at > $2 and (polled_at is null or polled_at <= $3)
     returning ${COLUMNS}`,
    [deviceHash, now, before],
  )
  return rows[0] ?? null
}

/** Counts logins that have not expired, up to `countMax`. */
export async function countOpenLogins(db: Queryable, now: Date, countMax: number): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1 from device_login where expires_at > $1 limit $2) as open`,
    [now, countMax],
  )
  return rows[0]?.count ?? 0
}

export async function isDeviceLoginOpen(db: Queryable, deviceHash: Buffer, now: Date): Promise<boolean> {
  const rows = await db.query('select 1 from device_login where device_hash = $1 and expires_at > $2', [
    deviceHash,
    now,
  ])
  return rows.length > 0
}
