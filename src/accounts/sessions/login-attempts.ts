import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import { networkOf } from '../../lib/net/network-of.ts'
import { countAttempt, forgetAttempts, takeBackAttempt } from './throttles-queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Rule {
  waitsMs: readonly number[]
  forgetMs: number
}

/** So many tries without waiting, then one second, two, four ... up to the longest. */
function growing(freeTries: number, longestMs: number): Rule {
  const doublings = Math.ceil(Math.log2(longestMs / 1000))
  const waits = Array.from({ length: doublings + 1 }, (_, index) => Math.min(longestMs, 1000 * 2 ** index))
  return { waitsMs: [...Array<number>(freeTries - 1).fill(0), ...waits], forgetMs: HOUR_MS }
}

/**
 * What is tried, and how often it may be. `network`: everybody there together, whoever they try to be. `pair`: one account
 * from one network. `account`: one account from everywhere; its waits are short, for else anybody could shut its owner out.
 */
const RULES = {
  login: {
    network: growing(50, 15 * MINUTE_MS),
    pair: growing(5, 15 * MINUTE_MS),
    account: growing(50, MINUTE_MS),
  },
  /** Codes and passkeys: who comes so far knows the password. */
  second_factor: { pair: growing(5, 15 * MINUTE_MS), account: growing(10, 15 * MINUTE_MS) },
  /** The password again, of who is logged in. */
  password: { account: growing(5, 15 * MINUTE_MS) },
  /** Asking for a link by mail. */
  reset: { network: growing(20, 15 * MINUTE_MS) },
  /** Mails to one address, whoever asks for them: three, then one in half an hour. */
  mail: { account: { waitsMs: [0, 0, 30 * MINUTE_MS], forgetMs: HOUR_MS } },
  /** Following a link. */
  link: { network: growing(30, 15 * MINUTE_MS) },
} as const satisfies Record<string, Partial<Record<Scope, Rule>>>

type Scope = 'network' | 'pair' | 'account'
export type AttemptKind = keyof typeof RULES

/** Who tries what. */
export interface Attempt {
  what: AttemptKind
  ipAddress: string
  /** An address or an id; whether somebody has it makes no difference. */
  account: string
}

/**
 * Counts an attempt before anything of it is looked at. Throws ApiError (429) when it comes too early: that one counts for
 * nothing more. @param isKnown the account was let in from this network before: strangers' tries do not hold it up
 */
export async function beginAttempt(
  db: Queryable,
  attempt: Attempt,
  now: Date,
  isKnown = false,
): Promise<void> {
  for (const { scope, rule, key } of scopesOf(attempt)) {
    if (scope === 'account' && isKnown) continue
    const nextAt = await countAttempt(db, { key, id: newId(now.getTime()), ...rule }, now)
    if (nextAt !== null) throw tooEarly(nextAt, now)
  }
}

/** It was right: the account begins anew, and nothing of it counts against its network. */
export async function endAttempt(db: Queryable, attempt: Attempt, now: Date): Promise<void> {
  const scopes = scopesOf(attempt)
  const own = scopes.filter(({ scope }) => scope !== 'network').map(({ key }) => key)
  await forgetAttempts(db, own)
  for (const { scope, key } of scopes) if (scope === 'network') await takeBackAttempt(db, key, now)
}

/**
 * Looks for what a link opens. Right ones count against nobody: many of one network may follow theirs. Throws ApiError (429),
 * and what `find` throws.
 */
export async function followLink<T>(
  db: Queryable,
  ipAddress: string,
  now: Date,
  find: () => Promise<T>,
): Promise<T> {
  const attempt: Attempt = { what: 'link', ipAddress, account: '' }
  await beginAttempt(db, attempt, now)
  const found = await find()
  await endAttempt(db, attempt, now)
  return found
}

/** Whether one more may be: for what is refused without a word. */
export async function admitSilently(db: Queryable, attempt: Attempt, now: Date): Promise<boolean> {
  try {
    await beginAttempt(db, attempt, now)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function scopesOf({ what, ipAddress, account }: Attempt): { scope: Scope; rule: Rule; key: Buffer }[] {
  const network = networkOf(ipAddress)
  const names: Record<Scope, string> = { network, pair: `${network} ${account}`, account }
  const rules: Partial<Record<Scope, Rule>> = RULES[what]
  return (['network', 'pair', 'account'] as const).flatMap((scope) => {
    const rule = rules[scope]
    const key = createHash('sha256').update(`${what} ${scope} ${names[scope]}`).digest()
    return rule === undefined ? [] : [{ scope, rule, key }]
  })
}

function tooEarly(nextAt: Date, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((nextAt.getTime() - now.getTime()) / 1000))
  return new ApiError('rate_limit_exceeded', `Too many attempts. Please retry after ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  })
}
