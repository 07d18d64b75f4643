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
import { hintAccessChanged } from '../domains/domains-queries.ts'
import { recordEvents } from '../events/record-queries.ts'
import { ApiError, invalidField } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { newTeamTag } from '../mime/return-path.ts'
import { insertTeam, lockTeam, type Team, updateTeamPause, updateTeamPlan } from './teams-queries.ts'

const TAG_ATTEMPTS_MAX = 5

/** A team with nothing in it. Throws only when the database is away: two teams never get one tag. */
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

/** Moves a team to another plan; every process knows within a second. Null: no such team. */
export async function setPlan(
  db: Transactions,
  teamId: string,
  plan: PlanName,
  now: Date,
): Promise<Team | null> {
  return changeTeam(db, (tx) => updateTeamPlan(tx, teamId, plan, now))
}

/**
 * Stops a team's sending: what is new is refused, what was accepted before is still delivered. A team that is paused already
 * keeps the time at which it was; from now on it is the operator's pause. Null: no such team.
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

/** How long the service leaves a team alone that an operator let go on: then only mail sent since is judged. */
const GUARD_REST_MS = 24 * 3_600_000

/** Lets a paused team send again, whoever paused it. Null: no such team. */
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

/** Stops a team's sending by the service itself, unless it is paused already or an operator lately let it go on. */
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

/** Changes whether a team may send, and tells of it when it does. `change` gives null where nothing is to change. */
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

/** What a key may do: the measure of which keys it may make or change. */
export interface Powers {
  permission: Permission
  /** Set: this domain only. */
  domainId: string | null
  /** Null: for ever. */
  expiresAt: Date | null
}

export interface KeyInput extends Powers {
  name: string
}

/**
 * Makes an API key. The token is in this answer and nowhere else, ever.
 * Throws ApiError: `restricted_api_key` when the key would be mightier than `creator`, `validation_error` for a domain that is
 * not the team's or an expiry that is past.
 * @param creator the powers of the key that asks; null for the operator
 * @param token a key of the operator's own choice (SENDWRIGHT_BOOTSTRAP_KEY)
 */
export async function createKey(
  tx: Tx,
  teamId: string,
  input: KeyInput,
  creator: Powers | null,
  now: Date,
  token: string = newKeyToken(),
): Promise<{ key: ApiKey; token: string }> {
  if (creator !== null) refuseMightier(input, creator)
  await refuseUnfit(tx, teamId, input, now)
  const { hash, prefix } = digestKey(token)
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
  if (!(await insertKey(tx, key, hash))) throw new ApiError('conflict', 'This API key exists already.')
  await hintAccessChanged(tx)
  return { key, token }
}

/** Changes what is given of a key. Refuses as createKey does, and `not_found`; neither side of the change may be mightier. */
export async function changeKey(
  tx: Tx,
  teamId: string,
  id: string,
  changes: Partial<KeyInput>,
  creator: Powers,
  now: Date,
): Promise<ApiKey> {
  const before = await lockKey(tx, teamId, id)
  if (before === null) throw new ApiError('not_found')
  const key: ApiKey = { ...before, ...changes, updatedAt: now }
  refuseMightier(before, creator)
  refuseMightier(key, creator)
  await refuseUnfit(tx, teamId, changes, now)
  await updateKey(tx, key)
  await hintAccessChanged(tx)
  return key
}

/** The key works nowhere within a second. Null: the team has no such key. Revoking twice changes nothing. */
export async function revokeKey(tx: Tx, teamId: string, id: string, now: Date): Promise<ApiKey | null> {
  const key = await updateKeyRevoked(tx, teamId, id, now)
  await hintAccessChanged(tx)
  return key
}

/** A key that is limited in any way must not be a way round its own limits. */
function refuseMightier(key: Powers, creator: Powers): void {
  const isMightier =
    (key.permission === 'full' && creator.permission !== 'full') ||
    (creator.domainId !== null && key.domainId !== creator.domainId) ||
    (creator.expiresAt !== null && (key.expiresAt === null || key.expiresAt > creator.expiresAt))
  if (isMightier) {
    throw new ApiError(
      'restricted_api_key',
      'An API key cannot create or change one that may do more than itself.',
    )
  }
}

/** Another team's domain answers like one that never existed. */
async function refuseUnfit(tx: Tx, teamId: string, input: Partial<Powers>, now: Date): Promise<void> {
  const { domainId, expiresAt } = input
  if (domainId && !(await teamHasDomain(tx, teamId, domainId))) {
    throw invalidField('domain_id', 'The domain_id field must be the id of a domain of this account.')
  }
  if (expiresAt && expiresAt.getTime() <= now.getTime()) {
    throw invalidField('expires_at', 'The expires_at field must be a date in the future.')
  }
}
