import type { Queryable } from '../../db/db-types.ts'
import type { EmailScope } from '../../emails/read/read-emails-queries.ts'

/** Queries for conditions that a team's members may need to act on. Each is bounded, however much the team has. */

/** Maximum number of records of one kind. */
const COUNT_MAX = 20
/** Maximum number of paused sites: the most recent ones. */
const SITES_MAX = 200
/** Maximum number of deliveries counted for one site. */
const WAITING_MAX = 100
/** Maximum number of deliveries read for one site: a key of one domain does not see those of other domains, which may come first. */
const WAITING_READ_MAX = 1_000
/** Oldest emails to check for each status: one scheduled long ago may have been queued just now. */
const OLDEST_MAX = 50
/** The same for a key of one domain: emails of other domains may come first. */
const OLDEST_OF_DOMAIN_MAX = 10_000

export interface UnverifiedDomain {
  id: string
  name: string
  status: 'pending' | 'failed' | 'temporary_failure'
  reason: string | null
  createdAt: Date
  pendingSince: Date | null
  failedDayAt: Date | null
}

export async function listUnverifiedDomains(db: Queryable, teamId: string): Promise<UnverifiedDomain[]> {
  return db.query<UnverifiedDomain>(
    `select id, name, status, reason, created_at, pending_since,
       failed_day_at
     from domain
     where team_id = $1 and status <> 'verified'
     order by id desc
     limit ${COUNT_MAX}`,
    [teamId],
  )
}

export interface WaitedForSite {
  pausedUntil: Date
  changedAt: Date
  /** Deliveries of the scope, up to WAITING_MAX. */
  waiting: number
  /** One of the recipients' domains, and the number of domains among those counted. */
  domain: string
  domains: number
  /** The last response to these deliveries. */
  response: string | null
}

/** Lists paused sites for which mail of the scope waits, with one index look-up for each paused site. */
export async function listWaitedForSites(
  db: Queryable,
  { teamId, domainId }: EmailScope,
): Promise<WaitedForSite[]> {
  return db.query<WaitedForSite>(
    `select p.paused_until, p.changed_at, w.waiting, w.domain, w.domains, w.response
     from (
       select name, paused_until, changed_at
       from site_pause
       where state <> 'resumed'
       order by changed_at desc
       limit ${SITES_MAX}
     ) p
     cross join lateral (
       select count(*)::int4 as waiting, min(d.domain) as domain, count(distinct d.domain)::int4 as domains,
         min(d.response) as response
       from (
         select r.domain, r.response
         from (
           select domain, response, email_id
           from delivery
           where waits_for = p.name and team_id = $1
           limit ${WAITING_READ_MAX}
         ) r
         where $2::uuid is null
           -- Not exists: a plan made for an empty table would hash all emails of the team.
           or $2 = (select e.domain_id from email e where e.team_id = $1 and e.id = r.email_id)
         limit ${WAITING_MAX}
       ) d
     ) w
     where w.waiting > 0
     order by w.waiting desc, p.changed_at
     limit ${COUNT_MAX}`,
    [teamId, domainId],
  )
}

export interface UnwellWebhook {
  id: string
  url: string
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  disabledAt: Date | null
  failingSince: Date | null
}

/** Lists webhooks that the service disabled, and those that have failed since before `failingBefore`. */
export async function listUnwellWebhooks(
  db: Queryable,
  teamId: string,
  failingBefore: Date,
): Promise<UnwellWebhook[]> {
  return db.query<UnwellWebhook>(
    `select id, url, status, disabled_reason, disabled_at,
       failing_since
     from webhook
     where team_id = $1
       and (status = 'disabled' and disabled_reason is not null or status = 'enabled' and failing_since < $2)
     order by id desc
     limit ${COUNT_MAX}`,
    [teamId, failingBefore],
  )
}

export interface StoppedCampaign {
  id: string
  name: string
  reason: string | null
  since: Date
}

/** Lists the campaigns that Sendwright paused, and that wait for a person. */
export async function listStoppedCampaigns(db: Queryable, teamId: string): Promise<StoppedCampaign[]> {
  return db.query<StoppedCampaign>(
    `select id, name, paused_reason as reason, updated_at as since
     from campaign
     where team_id = $1 and status = 'paused' and paused_reason <> 'user'
     order by id desc
     limit ${COUNT_MAX}`,
    [teamId],
  )
}

export interface EndingKey {
  id: string
  name: string
  expiresAt: Date
}

export async function listEndingKeys(
  db: Queryable,
  teamId: string,
  from: Date,
  before: Date,
): Promise<EndingKey[]> {
  return db.query<EndingKey>(
    `select id, name, expires_at
     from api_key
     where team_id = $1 and revoked_at is null and expires_at > $2 and expires_at < $3
     order by expires_at
     limit ${COUNT_MAX}`,
    [teamId, from, before],
  )
}

export interface WaitingEmail {
  id: string
  subject: string
  since: Date
}

/** Finds the oldest waiting email with an unfinished recipient, using the index of statuses. */
export async function findOldestWaiting(
  db: Queryable,
  { teamId, domainId }: EmailScope,
): Promise<WaitingEmail | null> {
  const oldest = (
    status: string,
  ) => `(select id, subject, domain_id, greatest(created_at, scheduled_at) as since
        from email
        where team_id = $1 and status = '${status}'
        order by id
        limit ${domainId === null ? OLDEST_MAX : OLDEST_OF_DOMAIN_MAX})`
  const rows = await db.query<WaitingEmail>(
    `select id, subject, since
     from (
       ${oldest('queued')}
       union all
       ${oldest('delivery_delayed')}
     ) e
     where $2::uuid is null or domain_id = $2
     order by since, id
     limit 1`,
    [teamId, domainId],
  )
  return rows[0] ?? null
}

export interface StoppedAutomation {
  id: string
  name: string
  /** Why Sendwright paused it. */
  reason: string
  since: Date
}

/** Lists automations that Sendwright paused. */
export async function listStoppedAutomations(db: Queryable, teamId: string): Promise<StoppedAutomation[]> {
  return db.query<StoppedAutomation>(
    `select id, name, paused_reason as reason, updated_at as since
     from automation
     where team_id = $1 and status = 'paused' and paused_reason is not null
     order by id desc
     limit ${COUNT_MAX}`,
    [teamId],
  )
}

export interface FailingAutomation {
  id: string
  name: string
  /** Its runs that failed since then, up to WAITING_MAX. */
  failed: number
  /** Why the last one failed. */
  reason: string | null
  since: Date
}

/** Lists active automations with runs that failed since a time. */
export async function listFailingAutomations(
  db: Queryable,
  teamId: string,
  since: Date,
): Promise<FailingAutomation[]> {
  return db.query<FailingAutomation>(
    `select a.id, a.name, f.failed, f.reason, f.since
     from automation a
     cross join lateral (
       select count(*)::int4 as failed, min(r.ended_at) as since, (array_agg(r.reason order by r.ended_at desc))[1] as reason
       from (
         select ended_at, reason
         from automation_run
         where team_id = a.team_id and automation_id = a.id and outcome = 'failed' and ended_at > $2
         order by ended_at desc
         limit ${WAITING_MAX}
       ) r
     ) f
     where a.team_id = $1 and a.status = 'active' and f.failed > 0
     order by a.id desc
     limit ${COUNT_MAX}`,
    [teamId, since],
  )
}
