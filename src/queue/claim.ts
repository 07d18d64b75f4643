import { arrays } from '../store/arrays.ts'
import type { Db } from '../store/db.ts'
import type { DueDelivery } from './types.ts'

/** A lease ends this long after it was last extended: work of a dead process is taken up again after that. */
export const LEASE_MS = 60_000

export interface ClaimRequest {
  nodeId: string
  now: Date
  countMax: number
  /** Destinations that are paused, full or backing off: their rows stay where they are. */
  domainsToSkip: readonly string[]
  /** Where the last claim of this process stopped; updated in place. */
  round: ClaimRound
}

/** Where the round over teams, and within each team over its destinations, goes on. */
export interface ClaimRound {
  afterTeam: string
  /** Only teams with more destinations than one claim looks at are in here. */
  afterDomain: Map<string, string>
  /** The last claim saw ready work and got none of it: another process was claiming the same rows. */
  contended: boolean
}

export function newRound(): ClaimRound {
  return { afterTeam: NO_TEAM, afterDomain: new Map(), contended: false }
}

/** Teams served by one claim; the next claim goes on behind the last of them. */
const TEAMS_PER_CLAIM_MAX = 64
/** Destinations of one team looked at in one claim, skipped ones included; the next claim goes on behind them. */
const DOMAINS_PER_TEAM_MAX = 256
/** Looks of one claim that finds nothing: at what lies behind skipped destinations, or from the start again. */
const LOOKS_MAX = 8
/** Groups of teams that a claim goes through until it finds something. */
const GROUPS_MAX = 16

/**
 * Takes up to `countMax` deliveries that are ready, fairly: teams in turn, within each team its destinations in
 * turn. Only the partial index on ready rows is read, so the price does not grow with what waits for later.
 *
 * Two steps. First, without locks, which teams have ready work (a loose scan: one index probe a team). Then, for
 * those teams, each destination's oldest rows up to an even share, locked with SKIP LOCKED and leased. No transaction
 * stays open behind it.
 */
export async function claimDue(db: Db, request: ClaimRequest): Promise<DueDelivery[]> {
  for (let group = 1; ; group++) {
    const teams = await findReadyTeams(db, request.round.afterTeam)
    const claimed = teams.length === 0 ? [] : await claimFrom(db, request, teams)
    // Many teams may wait for one destination that is skipped: whoever stands behind them must not wait for the poll.
    const isMore = teams.length === TEAMS_PER_CLAIM_MAX && group < GROUPS_MAX
    request.round.contended = claimed.length === 0 && teams.length > 0 && request.domainsToSkip.length === 0
    if (claimed.length > 0 || !isMore) return claimed
  }
}

async function claimFrom(db: Db, request: ClaimRequest, teams: readonly string[]): Promise<DueDelivery[]> {
  const share = Math.max(1, Math.ceil(request.countMax / teams.length))
  for (let look = 1; ; look++) {
    const rows = await claimOf(db, request, teams, share)
    const isMoreElsewhere = await moveOn(db, request, teams, share, rows)
    if (rows.length === 0 && isMoreElsewhere && look < LOOKS_MAX) continue
    const leasedUntilMs = request.now.getTime() + LEASE_MS
    return rows.map((row) => asDue(row, leasedUntilMs, request.now.getTime()))
  }
}

async function claimOf(
  db: Db,
  request: ClaimRequest,
  teams: readonly string[],
  share: number,
): Promise<ClaimedRow[]> {
  return db.query<ClaimedRow>(CLAIM, [
    arrays.uuid(teams),
    DOMAINS_PER_TEAM_MAX,
    arrays.text(teams.map((team) => request.round.afterDomain.get(team) ?? '')),
    [...request.domainsToSkip],
    share,
    request.countMax,
    new Date(request.now.getTime() + LEASE_MS),
    request.nodeId,
    request.now,
  ])
}

/**
 * The next claim begins behind the last team served; within a team whose destinations did not all get their turn, behind
 * the last destination served, or, where most were skipped, behind the last one looked at. A look that is at the end
 * starts over.
 * @returns whether another look at the same teams may find what this one could not
 */
async function moveOn(
  db: Db,
  { round, domainsToSkip }: ClaimRequest,
  teams: readonly string[],
  share: number,
  rows: readonly ClaimedRow[],
): Promise<boolean> {
  round.afterTeam = teams.at(-1) ?? NO_TEAM
  const domains = new Map<string, Set<string>>(teams.map((team) => [team, new Set()]))
  for (const row of rows) domains.get(row.team_id)?.add(row.domain)
  const full = [...domains].filter(
    ([, seen]) => seen.size < share && seen.size + domainsToSkip.length >= DOMAINS_PER_TEAM_MAX,
  )
  const lastLookedAt = full.length === 0 ? new Map<string, string>() : await findLastLookedAt(db, round, full)
  let isMore = false
  for (const [team, seen] of domains) {
    const after = seen.size >= share ? [...seen].sort().at(-1) : lastLookedAt.get(team)
    isMore ||= after !== undefined || round.afterDomain.has(team)
    if (after === undefined) round.afterDomain.delete(team)
    else round.afterDomain.set(team, after)
  }
  return isMore
}

/** Where the look at a team's destinations ended, for teams that have more than one look takes in. */
async function findLastLookedAt(
  db: Db,
  round: ClaimRound,
  teams: readonly (readonly [string, unknown])[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ team_id: string; last: string }>(
    `with recursive ${DESTINATION}
     select team_id, max(domain) as last
     from destination
     where domain is not null
     group by team_id
     having count(*) = $2`,
    [
      arrays.uuid(teams.map(([team]) => team)),
      DOMAINS_PER_TEAM_MAX,
      arrays.text(teams.map(([team]) => round.afterDomain.get(team) ?? '')),
    ],
  )
  return new Map(rows.map((row) => [row.team_id, row.last]))
}

/** Teams with at least one ready row, in the order of their ids from `afterTeam` on, wrapping round. */
async function findReadyTeams(db: Db, afterTeam: string): Promise<string[]> {
  const teams = await loosely(db, afterTeam)
  if (teams.length >= TEAMS_PER_CLAIM_MAX) return teams
  const wrapped = await loosely(db, NO_TEAM)
  return [...new Set([...teams, ...wrapped])].slice(0, TEAMS_PER_CLAIM_MAX)
}

export const NO_TEAM = '00000000-0000-0000-0000-000000000000'

async function loosely(db: Db, afterTeam: string): Promise<string[]> {
  const rows = await db.query<{ team_id: string }>(
    `with recursive team (team_id, position) as (
       (select d.team_id, 1 from delivery d where d.ready and d.team_id > $1 order by d.team_id limit 1)
       union all
       select (select d.team_id from delivery d where d.ready and d.team_id > team.team_id order by d.team_id limit 1),
         team.position + 1
       from team
       where team.team_id is not null and team.position < $2
     )
     select team_id from team where team_id is not null`,
    [afterTeam, TEAMS_PER_CLAIM_MAX],
  )
  return rows.map((row) => row.team_id)
}

/** A loose scan over each team's destinations: one index probe a destination, as many as one look takes in. */
const DESTINATION = `destination (team_id, domain, position) as (
  select t.team_id,
    (select d.domain from delivery d
     where d.team_id = t.team_id and d.ready and d.domain > t.after_domain
     order by d.domain limit 1),
    1
  from unnest($1::uuid[], $3::text[]) as t (team_id, after_domain)
  union all
  select p.team_id,
    (select d.domain from delivery d
     where d.team_id = p.team_id and d.ready and d.domain > p.domain
     order by d.domain limit 1),
    p.position + 1
  from destination p
  where p.domain is not null and p.position < $2
)`

/**
 * Plain PostgreSQL only (LATERAL with FOR UPDATE; another engine gets a statement of its own here). For each team a
 * loose scan over its destinations, for each destination its oldest ready rows, then a round-robin over both.
 */
const CLAIM = `
with recursive ${DESTINATION},
candidate as (
  select row.team_id, row.email_id, row.no, row.domain,
    row_number() over (partition by row.team_id, row.domain order by row.due_at) as turn
  from destination p
  cross join lateral (
    select d.team_id, d.email_id, d.no, d.domain, d.due_at
    from delivery d
    where d.team_id = p.team_id and d.domain = p.domain and d.ready
    order by d.due_at
    limit $5
  ) row
  where p.domain is not null and p.domain <> all ($4::text[])
),
chosen as (
  select d.team_id, d.email_id, d.no
  from (
    select c.team_id, c.email_id, c.no,
      row_number() over (partition by c.team_id order by c.turn, c.domain) as team_turn
    from candidate c
    order by team_turn
    limit $6
  ) c
  join delivery d on d.team_id = c.team_id and d.email_id = c.email_id and d.no = c.no
  where d.ready and c.team_turn <= $5
  for update of d skip locked
)
update delivery d
set ready = false, leased_until = $7, leased_by = $8, updated_at = $9
from chosen c
join email e on e.team_id = c.team_id and e.id = c.email_id
where d.team_id = c.team_id and d.email_id = c.email_id and d.no = c.no
returning d.team_id, d.email_id, d.no, d.address, d.address_key, d.domain, d.attempts, d.expires_at,
  e.domain_id, e.created_at, e.recipient_count, e.size`

interface ClaimedRow {
  team_id: string
  email_id: string
  no: number
  address: string
  address_key: string
  domain: string
  attempts: number
  expires_at: Date
  domain_id: string
  created_at: Date
  recipient_count: number
  size: number
}

function asDue(row: ClaimedRow, leasedUntilMs: number, checkedAtMs: number): DueDelivery {
  return {
    teamId: row.team_id,
    emailId: row.email_id,
    no: row.no,
    address: row.address,
    addressKey: row.address_key,
    domain: row.domain,
    domainId: row.domain_id,
    attempts: row.attempts,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    recipientCount: row.recipient_count,
    sizeBytes: row.size,
    leasedUntilMs,
    checkedAtMs,
    message: null,
    tags: null,
  }
}
