/** The header of a backup, before its tables. */
export interface BackupHeader {
  format: number
  created_at: string
  /** The version of the original PostgreSQL. */
  server_version: string
  /** Names of the migrations applied to the original database. */
  migrations: string[]
  /** Names of the partitions. */
  partitions: string[]
  /**
   * A check value sealed with the installation's key (base64), so that a different key is detected before anything is
   * loaded.
   */
  sealed_check: string
  /** The key itself, in the form of SENDWRIGHT_SECRET_KEY; only on request. */
  secret_key?: string
}

export interface BackupTable {
  table: string
  columns: string[]
}

/** Progress, reported when a table is complete. */
export interface TableProgress {
  table: string
  rows: number
  bytes: number
}
