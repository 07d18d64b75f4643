import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Passwords } from './password-hash.ts'

/** The dependencies of operations that check or set a password. */
export interface PasswordDeps {
  db: Db
  clock: Clock
  passwords: Passwords
}

/** The dependencies of the routes that check passwords and start or end sessions. */
export interface AccountDeps extends PasswordDeps {
  config: Config
  log: Log
  /** Drops the keys and sessions that this process has cached. */
  forgetAccess(): void
}
