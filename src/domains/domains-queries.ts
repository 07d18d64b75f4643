import type { Db, Queryable, Tx } from '../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../db/page.ts'

export type DomainStatus = 'pending' | 'verified' | 'failed' | 'temporary_failure'
export type RecordName = 'dkim_rsa' | 'dkim_ed25519' | 'return_path' | 'dmarc' | 'tracking'
/** `unknown`: DNS did not answer, which says nothing about the record. */
export type RecordOutcome = 'right' | 'wrong' | 'missing' | 'unknown'

/** One record as last seen in DNS. */
export interface RecordCheck {
  outcome: RecordOutcome
  /** The values published under the name, shortened and safe to show. */
  found: string[]
  /** How to mend the record. Checks by an older release have none. */
  advice?: string | null
  /** ISO 8601. */
  checked_at: string
}

export type RecordChecks = Partial<Record<RecordName, RecordCheck>>

/** The state that verification changes. The owner sets everything else. */
export interface DomainState {
  status: DomainStatus
  captured: boolean
  checks: RecordChecks
  returnPathVerified: boolean
  reason: string | null
  verifiedAt: Date | null
  pendingSince: Date | null
  failedDays: number
  failedDayAt: Date | null
  checkedAt: Date | null
  nextCheckAt: Date | null
}

export interface DomainSettings {
  tls: 'opportunistic' | 'enforced'
  openTracking: boolean
  clickTracking: boolean
  /** Whether emails carry a second DKIM signature, with Ed25519. */
  dkimEd25519: boolean
}

export interface Domain extends DomainState, DomainSettings {
  teamId: string
  id: string
  /** A-label, lower case. */
  name: string
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = `team_id, id, name, status, captured, tls, open_tracking,
  click_tracking, dkim_ed25519, checks, return_path_verified, reason,
  verified_at, pending_since, failed_days,
  failed_day_at, checked_at, next_check_at,
  created_at, updated_at`

/** Violates `domain_name_unique` if the team already has the name. */
export async function insertDomain(tx: Tx, domain: Domain): Promise<void> {
  await tx.query(
    `insert into domain (team_id, id, name, status, captured, tls, open_tracking, click_tracking, checks,
       return_path_verified, reason, verified_at, pending_since, failed_days, failed_day_at, checked_at,
       next_check_at, created_at, updated_at, dkim_ed25519)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
    [
      domain.teamId,
      domain.id,
      domain.name,
      domain.status,
      domain.captured,
      domain.tls,
      domain.openTracking,
      domain.clickTracking,
      JSON.stringify(domain.checks),
      domain.returnPathVerified,
      domain.reason,
      domain.verifiedAt,
      domain.pendingSince,
      domain.failedDays,
      domain.failedDayAt,
      domain.checkedAt,
      domain.nextCheckAt,
      domain.createdAt,
      domain.updatedAt,
      domain.dkimEd25519,
    ],
  )
}

export async function findDomain(db: Queryable, teamId: string, id: string): Promise<Domain | null> {
  const rows = await db.query<Domain>(
    `select ${COLUMNS}
     from domain
     where team_id = $1 and id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** @param name A-label in lower case */
export async function findDomainByName(db: Queryable, teamId: string, name: string): Promise<Domain | null> {
  const rows = await db.query<Domain>(
    `select ${COLUMNS}
     from domain
     where team_id = $1 and name = $2`,
    [teamId, name],
  )
  return rows[0] ?? null
}

/** Returns the ids of the teams that have this domain, at most two: names are unique within a team alone. */
export async function findTeamsOfDomain(
  db: Queryable,
  { id, name }: { id: string | null; name: string | null },
): Promise<string[]> {
  const rows = await db.query<{ teamId: string }>(
    `select team_id
     from domain
     where id = $1 or name = $2
     limit 2`,
    [id, name],
  )
  return rows.map((row) => row.teamId)
}

/** Returns the domain and locks it until the transaction ends. */
export async function lockDomain(tx: Tx, teamId: string, id: string): Promise<Domain | null> {
  const rows = await tx.query<Domain>(
    `select ${COLUMNS}
     from domain
     where team_id = $1 and id = $2
     for update`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/**
 * Locks the domain against deletion until the transaction ends, for a row that refers to it. Returns false if the
 * team has no such domain.
 */
export async function lockDomainForUse(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select id
     from domain
     where team_id = $1 and id = $2
     for key share`,
    [teamId, id],
  )
  return rows.length > 0
}

/** Lists a team's domains, newest first. */
export async function listDomains(db: Queryable, teamId: string, range: PageRange): Promise<Rows<Domain>> {
  return queryRange<Domain>(db, `select ${COLUMNS} from domain where team_id = $1`, [teamId], range)
}

export async function saveDomainState(
  tx: Tx,
  teamId: string,
  id: string,
  state: DomainState,
  now: Date,
): Promise<void> {
  await tx.query(
    `update domain
     set status = $3, captured = $4, checks = $5, return_path_verified = $6, reason = $7, verified_at = $8,
       pending_since = $9, failed_days = $10, failed_day_at = $11, checked_at = $12, next_check_at = $13,
       updated_at = $14
     where team_id = $1 and id = $2`,
    [
      teamId,
      id,
      state.status,
      state.captured,
      JSON.stringify(state.checks),
      state.returnPathVerified,
      state.reason,
      state.verifiedAt,
      state.pendingSince,
      state.failedDays,
      state.failedDayAt,
      state.checkedAt,
      state.nextCheckAt,
      now,
    ],
  )
}

/** Updates settings; null leaves one unchanged. Returns false if the team has no such domain. */
export async function updateDomainSettings(
  tx: Tx,
  teamId: string,
  id: string,
  settings: { [Key in keyof DomainSettings]: DomainSettings[Key] | null },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update domain
     set tls = coalesce($3, tls), open_tracking = coalesce($4, open_tracking),
       click_tracking = coalesce($5, click_tracking), dkim_ed25519 = coalesce($6, dkim_ed25519), updated_at = $7
     where team_id = $1 and id = $2
     returning id`,
    [teamId, id, settings.tls, settings.openTracking, settings.clickTracking, settings.dkimEd25519, now],
  )
  return rows.length > 0
}

export async function deleteDomain(tx: Tx, teamId: string, id: string): Promise<Domain | null> {
  const rows = await tx.query<Domain>(
    `delete from domain
     where team_id = $1 and id = $2
     returning ${COLUMNS}`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/**
 * Claims the name for this domain. Returns true if the domain has it now, false if another domain of the installation
 * has it.
 */
export async function claimDomainName(
  tx: Tx,
  domain: Pick<Domain, 'teamId' | 'id' | 'name'>,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into verified_domain (name, team_id, domain_id)
     values ($1, $2, $3)
     on conflict (name) do update
     set name = excluded.name
     where verified_domain.team_id = excluded.team_id and verified_domain.domain_id = excluded.domain_id
     returning name`,
    [domain.name, domain.teamId, domain.id],
  )
  return rows.length > 0
}

export async function releaseDomainName(
  tx: Tx,
  domain: Pick<Domain, 'teamId' | 'id' | 'name'>,
): Promise<void> {
  await tx.query(
    `delete from verified_domain
     where name = $1 and team_id = $2 and domain_id = $3`,
    [domain.name, domain.teamId, domain.id],
  )
}

/**
 * Claims up to `countMax` domains with due checks until `leasedUntil`: of each team in turn, longest overdue first, so that
 * thousands of domains of one team without DNS answers delay no others. If the process dies, their checks are only delayed.
 */
export async function claimDueDomains(
  db: Db,
  now: Date,
  leasedUntil: Date,
  countMax: number,
): Promise<Domain[]> {
  return db.query<Domain>(
    `with due as (
       select d.team_id as due_team_id, d.id as due_id
       from domain d
       join (
         select team_id, id, row_number() over (partition by team_id order by next_check_at) as place
         from domain
         where next_check_at <= $1) ranked
         on ranked.team_id = d.team_id and ranked.id = d.id
       where d.next_check_at <= $1
       order by place, d.next_check_at
       limit $3
       for update of d skip locked
     )
     update domain
     set next_check_at = $2
     from due
     where team_id = due_team_id and id = due_id
     returning ${COLUMNS}`,
    [now, leasedUntil, countMax],
  )
}

/** Makes every domain that capture mode verified pending and due at `now`. Returns these domains. */
export async function withdrawCapturedDomains(tx: Tx, now: Date): Promise<Domain[]> {
  return tx.query<Domain>(
    `update domain
     set status = 'pending', captured = false, verified_at = null, pending_since = $1, next_check_at = $1,
       updated_at = $1
     where captured
     returning ${COLUMNS}`,
    [now],
  )
}

/** Lists domains of all teams for the operator, those that may send first. */
export async function listEveryDomain(db: Queryable, countMax: number): Promise<Domain[]> {
  return db.query<Domain>(
    `select ${COLUMNS}
     from domain
     order by status = 'pending', name, team_id
     limit $1`,
    [countMax],
  )
}

/** Returns the name of a team's oldest verified domain, or null. */
export async function findFirstVerifiedDomain(db: Queryable, teamId: string): Promise<string | null> {
  const rows = await db.query<{ name: string }>(
    `select name
     from domain
     where team_id = $1 and status = 'verified'
     order by id
     limit 1`,
    [teamId],
  )
  return rows[0]?.name ?? null
}
