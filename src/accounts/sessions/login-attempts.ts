import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { networkOf } from '../../lib/net/network-of.ts'
import { countAttempt, findThrottle, forgetAttempts, undoAttempt } from './throttles-queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Rule {
  waitsMs: readonly number[]
  forgetMs: number
}

/** Returns a rule with free attempts, then waits of one second, two, four ... up to the longest. */
function growing(freeTries: number, longestMs: number): Rule {
  const doublings = Math.ceil(Math.log2(longestMs / 1000))
  const waits = Array.from({ length: doublings + 1 }, (_, index) => Math.min(longestMs, 1000 * 2 ** index))
  return { waitsMs: [...Array<number>(freeTries - 1).fill(0), ...waits], forgetMs: HOUR_MS }
}

/** The attempts of one account from one network that need no wait. */
const PAIR_FREE_TRIES = 5

/**
 * The limits per kind of attempt. `network`: all attempts from there, on any account. `pair`: one account from one
 * network. `account`: one account from everywhere; its waits are short, because otherwise anyone could lock out its
 * owner.
 */
const RULES = {
  login: {
    network: growing(50, 15 * MINUTE_MS),
    pair: growing(PAIR_FREE_TRIES, 15 * MINUTE_MS),
    account: growing(50, MINUTE_MS),
  },
  /** Codes and passkeys. Anyone at this step knows the password. */
  second_factor: {
    pair: growing(PAIR_FREE_TRIES, 15 * MINUTE_MS),
    account: growing(10, 15 * MINUTE_MS),
  },
  /** The password again, by a logged-in user. */
  password: { account: growing(5, 15 * MINUTE_MS) },
  /** Requests for a reset link. */
  reset: { network: growing(20, 15 * MINUTE_MS) },
  /** Emails to one address, from all requesters: three, then one per half hour. */
  mail: { account: { waitsMs: [0, 0, 30 * MINUTE_MS], forgetMs: HOUR_MS } },
  /** The start of a login at the OpenID provider. A successful login takes it back. */
  single_sign_on: { network: growing(200, MINUTE_MS) },
  /** The end of such a login. Counted apart, because a wait that its own start begins would reject it. */
  single_sign_on_end: { network: growing(200, MINUTE_MS) },
  /** Opening a link. */
  link: { network: growing(30, 15 * MINUTE_MS) },
  /** The start of a program's login. Its confirmation takes it back. */
  device: { network: growing(30, 15 * MINUTE_MS) },
  /** The user code of such a login, typed by a logged-in user. Correct codes count too: a login takes two. */
  device_code: { network: growing(100, 15 * MINUTE_MS), account: growing(20, 15 * MINUTE_MS) },
} as const satisfies Record<string, Partial<Record<Scope, Rule>>>

/**
 * Counts instead of `network` the attempts of a pair beyond its free ones: their waits limit them, and a program that
 * retries one account for hours must not delay others. Counted per hour of the clock, because such a program never
 * pauses for as long as `forgetMs`. Limited, because otherwise guesses at ever more accounts would escape the network's
 * limit after five each. A wait of the network rejects them too.
 */
const REPEATED = growing(30, 15 * MINUTE_MS)

type Scope = 'network' | 'pair' | 'account'
export type AttemptKind = keyof typeof RULES

interface Counter {
  scope: Scope | 'repeated'
  rule: Rule
  key: Buffer
}

/** One attempt: its kind, source and target. */
export interface LoginAttempt {
  what: AttemptKind
  ipAddress: string
  /** An address or an id. It counts the same whether or not it exists. */
  account: string
}

/**
 * Counts an attempt before anything is verified. Throws ApiError (429) if it comes too early; such an attempt does
 * not extend a wait, and counts in no scope. The waits are read before anything is counted: a rejected attempt must
 * neither renew the memory of its network nor store a counter for each account that someone tries.
 * @param isKnown the account has logged in from this network before, so attempts on it from elsewhere, and attempts on other
 *   accounts from here, do not delay it
 */
export async function beginAttempt(
  db: Queryable,
  attempt: LoginAttempt,
  now: Date,
  isKnown = false,
): Promise<void> {
  const scopes = scopesOf(attempt, isKnown)
  const isRepeated = (await triesOfPair(db, scopes, now)) >= PAIR_FREE_TRIES
  const counters = scopes.map((each) =>
    isRepeated && each.scope === 'network' ? repeatedOf(attempt, now) : each,
  )
  await rejectIfWaiting(db, new Set([...scopes, ...counters]), now)
  const counted: Buffer[] = []
  for (const { rule, key } of counters) {
    const nextAt = await countAttempt(db, { key, id: newId(now.getTime()), ...rule }, now)
    if (nextAt !== null) {
      // A simultaneous attempt was counted after the waits were read.
      for (const each of counted) await undoAttempt(db, each, now)
      throw tooEarly(nextAt, now)
    }
    counted.push(key)
  }
}

/**
 * Ends a successful attempt: resets the counters of the account and takes the attempt off the network's.
 * @param isKnown as given to `beginAttempt`: what did not count is not taken off
 */
export async function endAttempt(
  db: Queryable,
  attempt: LoginAttempt,
  now: Date,
  isKnown = false,
): Promise<void> {
  const scopes = scopesOf(attempt, isKnown)
  const isRepeated = (await triesOfPair(db, scopes, now)) > PAIR_FREE_TRIES
  const keys = scopes.filter(({ scope }) => scope !== 'network').map(({ key }) => key)
  await forgetAttempts(db, keys)
  if (isRepeated) return
  for (const { scope, key } of scopes) if (scope === 'network') await undoAttempt(db, key, now)
}

/**
 * Looks up the target of a link. Valid links do not count, because many people of one network may open theirs. Throws
 * ApiError (429), and any error of `find`.
 */
export async function followLink<T>(
  db: Queryable,
  ipAddress: string,
  now: Date,
  find: () => Promise<T>,
): Promise<T> {
  const attempt: LoginAttempt = { what: 'link', ipAddress, account: '' }
  await beginAttempt(db, attempt, now)
  const link = await find()
  await endAttempt(db, attempt, now)
  return link
}

/** Returns whether an attempt is admitted, for callers that reject without an error. */
export async function admitSilently(db: Queryable, attempt: LoginAttempt, now: Date): Promise<boolean> {
  try {
    await beginAttempt(db, attempt, now)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Returns the scopes in which an attempt counts. The network is the last, because others there share it. */
function scopesOf({ what, ipAddress, account }: LoginAttempt, isKnown: boolean): Counter[] {
  const network = networkOf(ipAddress)
  const names: Record<Scope, string> = { network, pair: `${network} ${account}`, account }
  const rules: Partial<Record<Scope, Rule>> = RULES[what]
  return (['pair', 'account', 'network'] as const).flatMap((scope) => {
    const rule = rules[scope]
    const key = keyOf(`${what} ${scope} ${names[scope]}`)
    return rule === undefined || (isKnown && scope !== 'pair') ? [] : [{ scope, rule, key }]
  })
}

function repeatedOf({ what, ipAddress }: LoginAttempt, now: Date): Counter {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  const key = keyOf(`${what} repeated ${networkOf(ipAddress)} ${hour}`)
  return { scope: 'repeated', rule: REPEATED, key }
}

function keyOf(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}

async function triesOfPair(db: Queryable, scopes: readonly Counter[], now: Date): Promise<number> {
  const pair = scopes.find(({ scope }) => scope === 'pair')
  return pair === undefined ? 0 : ((await findThrottle(db, { key: pair.key, ...pair.rule }, now))?.tries ?? 0)
}

async function rejectIfWaiting(db: Queryable, counters: Iterable<Counter>, now: Date): Promise<void> {
  for (const { rule, key } of counters) {
    const waitsUntil = (await findThrottle(db, { key, ...rule }, now))?.waitsUntil ?? null
    if (waitsUntil !== null) throw tooEarly(waitsUntil, now)
  }
}

function tooEarly(nextAt: Date, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((nextAt.getTime() - now.getTime()) / 1000))
  return new ApiError('rate_limit_exceeded', `Too many attempts. Please retry after ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  })
}
