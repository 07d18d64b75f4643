import { hintAccessChanged } from '../access/access-changes-queries.ts'
import { digestKey, newKeyToken } from '../access/key-token.ts'
import {
  type ApiKey,
  insertKey,
  lockKey,
  type Permission,
  teamHasDomain,
  updateKey,
  updateKeyRevoked,
} from '../access/keys-queries.ts'
import type { PlanName } from '../access/plans.ts'
import type { Transactions, Tx } from '../db/db-types.ts'
import { recordEvents } from '../events/record-queries.ts'
import { ApiError, invalidField, orNotFound } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { newTeamTag } from '../mime/return-path.ts'
import { insertTeam, lockTeam, type Team, updateTeamPause, updateTeamPlan } from './teams-queries.ts'

const TAG_ATTEMPTS_MAX = 5

/** Creates an empty team. A team tag is never given to two teams. */
export async function createTeam(tx: Tx, input: { name: string; plan: PlanName }, now: Date): Promise<Team> {
  for (let attempts = 0; attempts < TAG_ATTEMPTS_MAX; attempts++) {
    const team: Team = {
      id: newId(now.getTime()),
      tag: newTeamTag(),
      name: input.name,
      plan: input.plan,
      sendingPausedAt: null,
      sendingPausedReason: null,
      sendingPausedBy: null,
      guardUntil: null,
      createdAt: now,
      updatedAt: now,
    }
    if (await insertTeam(tx, team)) return team
  }
  throw new Error('Could not find a free tag for the team.')
}

/**
 * Moves a team to another plan, which every process applies within a second. Returns null when the team does not
 * exist.
 */
export async function setPlan(
  db: Transactions,
  teamId: string,
  plan: PlanName,
  now: Date,
): Promise<Team | null> {
  return changeTeam(db, (tx) => updateTeamPlan(tx, teamId, plan, now))
}

/**
 * Pauses a team on behalf of the operator: new emails are rejected; emails accepted earlier are still delivered. A
 * team that is already paused keeps the time of its pause. Returns null when the team does not exist.
 */
export async function pauseTeam(
  db: Transactions,
  teamId: string,
  now: Date,
  reason: string | null = null,
): Promise<Team | null> {
  return changeTeam(db, (tx) =>
    movePause(tx, teamId, now, (team) => ({
      sendingPausedAt: team.sendingPausedAt ?? now,
      sendingPausedReason: reason ?? team.sendingPausedReason,
      sendingPausedBy: 'operator',
    })),
  )
}

/**
 * After an operator resumes a team, the service does not pause it for this long. It then evaluates only mail sent
 * since.
 */
const GUARD_REST_MS = 24 * 3_600_000

/** Resumes a team, even if the guard paused it. Returns null if the team does not exist. */
export async function resumeTeam(db: Transactions, teamId: string, now: Date): Promise<Team | null> {
  return changeTeam(db, (tx) =>
    movePause(tx, teamId, now, () => ({
      sendingPausedAt: null,
      sendingPausedReason: null,
      sendingPausedBy: null,
      guardUntil: new Date(now.getTime() + GUARD_REST_MS),
    })),
  )
}

/** Pauses a team because of its reputation, unless it is already paused or an operator resumed it recently. */
export async function pauseForReputation(tx: Tx, teamId: string, reason: string, now: Date): Promise<void> {
  await movePause(tx, teamId, now, ({ sendingPausedAt, guardUntil }) =>
    sendingPausedAt !== null || (guardUntil !== null && guardUntil > now)
      ? null
      : { sendingPausedAt: now, sendingPausedReason: reason, sendingPausedBy: 'reputation' },
  )
}

type Pause = Pick<Team, 'sendingPausedAt' | 'sendingPausedReason' | 'sendingPausedBy'> & {
  guardUntil?: Date | null
}

/**
 * Changes the pause of a team, and records an event when the team becomes paused or resumes. `change` returns null
 * when nothing is to change.
 */
async function movePause(
  tx: Tx,
  teamId: string,
  now: Date,
  change: (team: Team) => Pause | null,
): Promise<Team | null> {
  const before = await lockTeam(tx, teamId)
  const pause = before === null ? null : change(before)
  if (before === null || pause === null) return before
  const team: Team = { ...before, ...pause, updatedAt: now }
  await updateTeamPause(tx, team)
  const isPaused = team.sendingPausedAt !== null
  if (isPaused !== (before.sendingPausedAt !== null)) {
    const type = isPaused ? 'team.paused' : 'team.resumed'
    const data = {
      id: teamId,
      name: team.name,
      by: team.sendingPausedBy ?? 'operator',
      reason: team.sendingPausedReason,
    }
    recordEvents(tx, [{ teamId, subjectId: teamId, type, data }], now)
    await hintAccessChanged(tx)
  }
  return team
}

async function changeTeam(db: Transactions, change: (tx: Tx) => Promise<Team | null>): Promise<Team | null> {
  return db.transaction(async (tx) => {
    const team = await change(tx)
    await hintAccessChanged(tx)
    return team
  })
}

/** The powers of an API key, which limit the keys that it may create or change. */
export interface Powers {
  permission: Permission
  /** Restricts the key to one domain, or null for all domains. */
  domainId: string | null
  /** Null: the key does not expire. */
  expiresAt: Date | null
}

export interface KeyInput extends Powers {
  name: string
}

/**
 * Creates an API key. Only the result contains the token; it is never stored.
 * Throws ApiError: `restricted_api_key` when the key would exceed the powers of `creator`, `validation_error` for a
 * domain that the team does not have or an expiry in the past, `conflict` when the token is already in use.
 * @param creator the powers of the calling key; null for the operator
 * @param token a token chosen by the operator (SENDWRIGHT_BOOTSTRAP_KEY)
 */
export async function createKey(
  tx: Tx,
  teamId: string,
  input: KeyInput,
  creator: Powers | null,
  now: Date,
  token: string = newKeyToken(),
): Promise<{ key: ApiKey; token: string }> {
  return { key: await createKeyOf(tx, teamId, input, creator, now, digestKey(token)), token }
}

/** Creates the API key of a token of which only the digest is known. Throws as createKey does. */
export async function createKeyOf(
  tx: Tx,
  teamId: string,
  input: KeyInput,
  creator: Powers | null,
  now: Date,
  { hash, prefix }: ReturnType<typeof digestKey>,
): Promise<ApiKey> {
  if (creator !== null) checkPowers(input, creator)
  await validateKeyInput(tx, teamId, input, now)
  const key: ApiKey = {
    teamId,
    id: newId(now.getTime()),
    name: input.name,
    permission: input.permission,
    domainId: input.domainId,
    prefix,
    expiresAt: input.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  if (!(await insertKey(tx, key, hash))) throw new ApiError('conflict', 'This API key already exists.')
  await hintAccessChanged(tx)
  return key
}

/**
 * Changes the given fields of a key. Throws ApiError as createKey does, and `not_found`. Neither the old nor the new
 * state may exceed the powers of `creator`.
 */
export async function changeKey(
  tx: Tx,
  teamId: string,
  id: string,
  changes: Partial<KeyInput>,
  creator: Powers,
  now: Date,
): Promise<ApiKey> {
  const before = orNotFound(await lockKey(tx, teamId, id))
  const key: ApiKey = { ...before, ...changes, updatedAt: now }
  checkPowers(before, creator)
  checkPowers(key, creator)
  await validateKeyInput(tx, teamId, changes, now)
  await updateKey(tx, key)
  await hintAccessChanged(tx)
  return key
}

/**
 * Revokes a key, which every process rejects within a second. Revoking it again changes nothing. Returns null when
 * the team has no such key.
 */
export async function revokeKey(tx: Tx, teamId: string, id: string, now: Date): Promise<ApiKey | null> {
  const key = await updateKeyRevoked(tx, teamId, id, now)
  await hintAccessChanged(tx)
  return key
}

/**
 * Throws when a key exceeds the powers of its creator, so that a restricted key cannot get around its restrictions.
 */
function checkPowers(key: Powers, creator: Powers): void {
  const exceedsCreator =
    (key.permission === 'full' && creator.permission !== 'full') ||
    (creator.domainId !== null && key.domainId !== creator.domainId) ||
    (creator.expiresAt !== null && (key.expiresAt === null || key.expiresAt > creator.expiresAt))
  if (exceedsCreator) {
    throw new ApiError(
      'restricted_api_key',
      'An API key cannot create or change one that may do more than itself.',
    )
  }
}

/**
 * Throws when the domain or the expiry is invalid. The error for another team's domain equals the one for an unknown
 * domain.
 */
async function validateKeyInput(tx: Tx, teamId: string, input: Partial<Powers>, now: Date): Promise<void> {
  const { domainId, expiresAt } = input
  if (domainId && !(await teamHasDomain(tx, teamId, domainId))) {
    throw invalidField('domain_id', 'The domain_id field must be the id of a domain of this account.')
  }
  if (expiresAt && expiresAt.getTime() <= now.getTime()) {
    throw invalidField('expires_at', 'The expires_at field must be a date in the future.')
  }
}
