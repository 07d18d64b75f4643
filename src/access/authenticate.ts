import { DatabaseUnavailable, type Db } from '../db/db-types.ts'
import { listenOn } from '../db/listen.ts'
import { ApiError } from '../lib/api-error.ts'
import { createBatcher } from '../lib/async/batcher.ts'
import { hashToken } from '../lib/crypto/random-token.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { findKeysByHash, type KeyOfTeam, type KeyUse, touchKeys } from './keys-queries.ts'
import { createLastUse } from './last-use.ts'
import type { Role } from './memberships-queries.ts'
import { type PlanName, parsePlan } from './plans.ts'

/** Measured from the start of the look-up: a revoked key is dead within a second in every process, hint or no hint. */
const CACHED_MS = 900
const CACHED_COUNT_MAX = 10_000
const LOOKUPS_A_STATEMENT_MAX = 1_000
const WAITING_MAX = 50_000

/** Who asks, for which team: the key behind the bearer token, or the user of a session. */
export interface Caller {
  teamId: string
  /** Null: a user asks. */
  keyId: string | null
  /** Null: a key asks. */
  user: { id: string; role: Role } | null
  permission: 'full' | 'send'
  /** Set: the key may send from this domain only. */
  domainId: string | null
  /** Set: the key stops working then; it cannot make a key that lives longer. */
  expiresAt: Date | null
  plan: PlanName
  /** As of at most a second ago: acceptance reads the team again in its transaction where it must be exact. */
  isSendingPaused: boolean
}

export interface Authenticator {
  /** Whose key it is. Throws ApiError (`invalid_api_key`), DatabaseUnavailable. */
  authenticate(token: string): Promise<Caller>
  /** Whose key it was when it was last asked about; null where that is not remembered. Grants nothing. */
  guessTeam(token: string): string | null
  /** A change of keys is committed here: the next request sees it, before the hint of the database comes round. */
  forget(): void
  /** Begins to hear of changed keys and teams from other processes. */
  start(): void
  /** Writes the last uses and leaves the database. */
  stop(): Promise<void>
}

interface Cached {
  /** Null: there is no such key. */
  key: KeyOfTeam | null
  staleAtMs: number
}

export interface AuthenticatorDeps {
  db: Db
  clock: Clock
  log: Log
  /** Told when who may do what changed, here or elsewhere: others remember such things too. */
  onForget?(): void
}

/**
 * Who asks. Keys are looked up by their SHA-256 and remembered for less than a second; what is looked up while a
 * statement is under way shares the next one, so a key costs at most about one row a second, however often it is used.
 */
export function createAuthenticator({ db, clock, log, onForget }: AuthenticatorDeps): Authenticator {
  let cache = new Map<string, Cached>()
  const inFlight = new Map<string, Promise<Cached>>()
  const uses = createLastUse<KeyUse>({ clock, log, what: 'keys', write: (noted) => touchKeys(db, noted) })
  const batcher = createBatcher<Buffer, Cached>({
    run: lookUp,
    itemsMax: LOOKUPS_A_STATEMENT_MAX,
    waitingMax: WAITING_MAX,
    rejectsAll: (error) => error instanceof DatabaseUnavailable,
  })
  const listener = listenOn(db, log, 'sendwright_access', forgetAll)

  /** A new map, so that a look-up that began before the change cannot write its old answer into it. */
  function forgetAll(): void {
    cache = new Map()
    inFlight.clear()
    onForget?.()
  }

  async function lookUp(hashes: Buffer[]): Promise<Cached[]> {
    const staleAtMs = performance.now() + CACHED_MS
    const target = cache
    const found = new Map((await findKeysByHash(db, hashes)).map((key) => [key.hash.toString('base64'), key]))
    if (target.size > CACHED_COUNT_MAX) target.clear()
    return hashes.map((hash) => remember(target, hash, found, staleAtMs))
  }

  /** Many requests with one key, at the moment its entry is stale, are one look-up. */
  function findCached(hash: Buffer): Cached | Promise<Cached> {
    const name = hash.toString('base64')
    const cached = cache.get(name)
    if (cached !== undefined && performance.now() < cached.staleAtMs) return cached
    const known = inFlight.get(name)
    if (known !== undefined) return known
    const flight: Promise<Cached> = batcher.add(hash).finally(() => {
      if (inFlight.get(name) === flight) inFlight.delete(name)
    })
    inFlight.set(name, flight)
    return flight
  }

  return {
    async authenticate(token) {
      const { key } = await findCached(hashToken(token))
      const now = clock.now()
      if (key === null || key.revokedAt !== null || isPast(key.expiresAt, now))
        throw new ApiError('invalid_api_key')
      uses.note(key.keyId, { teamId: key.teamId, keyId: key.keyId, at: now })
      return toCaller(key)
    },
    guessTeam: (token) => cache.get(hashToken(token).toString('base64'))?.key?.teamId ?? null,
    forget: forgetAll,
    start: () => listener.start(),
    async stop() {
      await listener.stop()
      await uses.stop()
    },
  }
}

function remember(
  cache: Map<string, Cached>,
  hash: Buffer,
  found: ReadonlyMap<string, KeyOfTeam>,
  staleAtMs: number,
): Cached {
  const name = hash.toString('base64')
  const cached = { key: found.get(name) ?? null, staleAtMs }
  cache.set(name, cached)
  return cached
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
