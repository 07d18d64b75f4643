/** What a backup says of itself, before its tables. */
export interface BackupHeader {
  format: number
  created_at: string
  /** Of the PostgreSQL that it was taken from. */
  server_version: string
  /** Names of the migrations that were applied there. */
  migrations: string[]
  /** Names of its partitions. */
  partitions: string[]
  /** Sealed with the installation's key, so that another key is found out before anything is loaded; base64. */
  sealed_check: string
  /** The key itself, as SENDWRIGHT_SECRET_KEY has it; only where it was asked for. */
  secret_key?: string
}

export interface BackupTable {
  table: string
  columns: string[]
}

/** Told of each table when it is done. */
export interface TableProgress {
  table: string
  rows: number
  bytes: number
}
