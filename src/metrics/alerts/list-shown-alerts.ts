import type { Caller } from '../../access/caller.ts'
import { leastRole } from '../../access/permissions.ts'
import { isAtLeast } from '../../access/roles.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import type { Alert } from './alert.ts'
import { findAlerts } from './find-alerts.ts'
import { guardLimitsOf } from './guard.ts'

/** Returns whether the caller may see alerts about API keys. */
function maySeeKeys({ user }: Caller): boolean {
  return user === null || isAtLeast(user.role, leastRole({ method: 'GET', area: 'apiKeys' }))
}

/** Returns the alerts that the caller may see. */
export async function listShownAlerts(db: Db, caller: Caller, config: Config, now: Date): Promise<Alert[]> {
  const items = await findAlerts(db, caller, guardLimitsOf(config), now)
  return items.filter(({ kind }) => kind !== 'api_key_expiring' || maySeeKeys(caller))
}
