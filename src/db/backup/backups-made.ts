import type { Queryable } from '../db-types.ts'

export interface BackupMade {
  madeAt: Date
  rows: number
  bytes: number
}

/** Maximum number of recorded backups. */
const KEPT_MAX = 100

/** Records that a backup was made. */
export async function insertBackupMade(db: Queryable, { madeAt, rows, bytes }: BackupMade): Promise<void> {
  await db.query(
    `insert into backup_made (made_at, rows, bytes)
     values ($1, $2, $3)
     on conflict (made_at) do nothing`,
    [madeAt, rows, bytes],
  )
  await db.query(
    `delete from backup_made
     where made_at <= (select made_at from backup_made order by made_at desc offset ${KEPT_MAX} limit 1)`,
  )
}

/** Returns the newest backup, without those of a clock that was ahead, which would hide that no other is made. */
export async function findLastBackup(db: Queryable, now: Date): Promise<BackupMade | null> {
  const rows = await db.query<BackupMade>(
    `select made_at, rows, bytes
     from backup_made
     where made_at <= $1
     order by made_at desc
     limit 1`,
    [now],
  )
  return rows[0] ?? null
}
