import { createRateLimiter } from '../access/rate-limit.ts'
import { createSessionAccess } from '../access/session-access.ts'
import { createAuthenticator } from '../keys/authenticate.ts'
import type { Runtime } from './runtime.ts'

export type Access = ReturnType<typeof startAccess>

/** Starts authentication and rate limiting. All protocols share the same keys, sessions and counters. */
export function startAccess({ config, pools, clock, log, lifecycle }: Runtime) {
  const { api: db } = pools
  const sessions = createSessionAccess({ db, clock, log })
  const auth = createAuthenticator({ db, clock, log, config, onForget: sessions.forget })
  lifecycle.add('keys', () => auth.stop())
  lifecycle.add('sessions', () => sessions.stop())
  auth.start()
  return {
    authenticate: auth.authenticate,
    sessions,
    guess: auth.guess,
    forget: auth.forget,
    limiter: createRateLimiter(db, clock),
  }
}
