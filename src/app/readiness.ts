import { pingDatabase } from '../db/database-metrics.ts'
import { NotReady, type ReadinessCheck } from '../operator/health-routes.ts'
import { oldestReadySeconds } from '../queue/depth-queries.ts'
import type { Runtime } from './runtime.ts'

/** Returns the checks of GET /readyz. */
export function readinessChecks(
  { config, pools, clock }: Runtime,
  handOff: { heldCount: number } | null,
): ReadinessCheck[] {
  const { api: db } = pools
  const checks: ReadinessCheck[] = [
    {
      name: 'database',
      async check() {
        await pingDatabase(db)
        return {}
      },
    },
    {
      name: 'queue',
      async check() {
        const seconds = await oldestReadySeconds(db, clock.now())
        const secondsMax = config.readyAgeMaxMs === null ? null : config.readyAgeMaxMs / 1000
        const figures = { oldest_ready_seconds: seconds, oldest_ready_seconds_max: secondsMax }
        if (secondsMax !== null && seconds > secondsMax)
          throw new NotReady('the queue is not drained', figures)
        return figures
      },
    },
  ]
  if (handOff !== null) {
    checks.push({ name: 'engine', check: async () => ({ deliveries_held: handOff.heldCount }) })
  }
  return checks
}
