import type { Config } from '../config/config.ts'
import type { Db } from '../db/db-types.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Passwords } from './passwords/password-hash.ts'

/** The dependencies of the routes that check passwords and start or end sessions. */
export interface AccountDeps {
  config: Config
  db: Db
  clock: Clock
  log: Log
  /** Drops the keys and sessions that this process has cached. */
  forgetAccess(): void
  passwords: Passwords
}
