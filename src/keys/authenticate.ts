import type { Authenticator, Caller } from '../access/caller.ts'
import { createLastUse } from '../access/last-use.ts'
import { parsePlan } from '../access/plans.ts'
import { createTokenLookup } from '../access/token-lookup.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db-types.ts'
import { listenOn } from '../db/listen.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { cellOfToken } from './key-token.ts'
import { findKeysByHash, type KeyOfTeam, type KeyUse, touchKeys } from './keys-queries.ts'

/** Keys of other cells are reported at most this often, because anyone can send one. */
const REPORT_EVERY_MS = 10_000

export interface AuthenticatorDeps {
  db: Db
  clock: Clock
  log: Log
  config: Pick<Config, 'cell'>
  /** Called when permissions change in any process, so that other caches can be cleared. */
  onForget?(): void
}

/** Creates an authenticator that caches keys for less than a second (token-lookup.ts). */
export function createAuthenticator({ db, clock, log, config, onForget }: AuthenticatorDeps): Authenticator {
  const uses = createLastUse<KeyUse>({ clock, log, kind: 'keys', write: (used) => touchKeys(db, used) })
  const keys = createTokenLookup((hashes) => findKeys(db, hashes))
  const listener = listenOn(db, log, 'sendwright_access', forget)

  let mayReportAtMs = 0
  /** Tells the operator, and not the caller, that a load balancer or a client may be set up for another cell. */
  function reportOtherCell(token: string): void {
    const other = cellOfToken(token)
    const now = clock.now().getTime()
    if (other === null || other === config.cell || now < mayReportAtMs) return
    mayReportAtMs = now + REPORT_EVERY_MS
    log.warn({ key_cell: other }, 'rejected an API key that names another cell')
  }

  function forget(): void {
    keys.forget()
    onForget?.()
  }

  return {
    async authenticate(token) {
      const key = await keys.find(token)
      const now = clock.now()
      if (key === null) reportOtherCell(token)
      if (key === null || !isValid(key, now)) throw new ApiError('invalid_api_key')
      uses.record(key.keyId, { teamId: key.teamId, keyId: key.keyId, at: now })
      return toCaller(key)
    },
    guess(token) {
      const key = keys.peek(token)
      return key !== null && isValid(key, clock.now()) ? toCaller(key) : null
    },
    forget,
    start: () => listener.start(),
    async stop() {
      await listener.stop()
      await uses.stop()
    },
  }
}

async function findKeys(db: Db, hashes: readonly Buffer[]): Promise<(KeyOfTeam | null)[]> {
  const byHash = new Map((await findKeysByHash(db, hashes)).map((key) => [key.hash.toString('base64'), key]))
  return hashes.map((hash) => byHash.get(hash.toString('base64')) ?? null)
}

function isValid({ revokedAt, expiresAt }: KeyOfTeam, now: Date): boolean {
  return revokedAt === null && !isPast(expiresAt, now)
}

function isPast(at: Date | null, now: Date): boolean {
  return at !== null && at.getTime() <= now.getTime()
}

function toCaller(key: KeyOfTeam): Caller {
  const { teamId, keyId, permission, domainId, expiresAt } = key
  const plan = parsePlan(key.plan)
  if (plan === null) throw new Error(`team ${teamId} has the unknown plan ${key.plan}`)
  return {
    teamId,
    keyId,
    user: null,
    permission,
    domainId,
    expiresAt,
    plan,
    isSendingPaused: key.sendingPausedAt !== null,
  }
}
