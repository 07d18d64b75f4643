import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'

/** The category of a pause that an operator set. */
const PAUSED_BY_OPERATOR = 'operator'

/** A paused or stopped site, or one that was resumed recently. */
export interface SitePause {
  name: string
  state: 'paused' | 'stopped' | 'resumed'
  pausedUntil: Date
  failures: number
  category: string
  reason: string
  changedAt: Date
}

/** One process's report on one site. */
export interface SiteReport {
  name: string
  site: string
  source: string
  tls: string
  relay: boolean
  state: 'open' | 'paused' | 'stopped' | 'probing'
  connections: number
  connectionsLimit: number
  connectionsMax: number
  waiting: number
  messagesPerConnection: number
  rate: string | null
  /** Comma-separated. */
  rules: string
}

const PAUSE = `p.name, p.state, p.paused_until, p.failures, p.category, p.reason,
  p.changed_at`

const PAUSES = batchOf(
  `name text, state text, paused_until timestamptz, failures int4, category text, reason text, changed_at timestamptz`,
)

/**
 * Writes pauses, sorted by name. If two processes pause the same site, the longer pause applies. Ends probes of the
 * site.
 */
export async function upsertPauses(db: Queryable, pauses: readonly SitePause[]): Promise<void> {
  const rows = [...pauses].sort((a, b) => (a.name < b.name ? -1 : 1))
  await db.query(
    `insert into site_pause as p (${PAUSES.names})
     select *
     from unnest(${PAUSES.arrays})
     on conflict (name) do update
     set state = case when p.state = 'stopped' and p.paused_until > excluded.changed_at then p.state else excluded.state end,
       paused_until = case when p.state = 'resumed' then excluded.paused_until
         else greatest(p.paused_until, excluded.paused_until) end,
       failures = case when p.state = 'resumed' then excluded.failures else greatest(p.failures, excluded.failures) end,
       category = excluded.category, reason = excluded.reason, probed_by = null, probe_until = null,
       changed_at = excluded.changed_at`,
    PAUSES.values(rows),
  )
}

/** Returns the pauses of `names`. */
export async function findPauses(db: Queryable, names: readonly string[]): Promise<SitePause[]> {
  return db.query<SitePause>(
    `select ${PAUSE}
     from site_pause p
     where p.name = any ($1)`,
    [arrays.text([...names])],
  )
}

/** Returns pauses that changed since `since`, oldest change first. */
export async function readPauses(db: Queryable, since: Date, countMax: number): Promise<SitePause[]> {
  return db.query<SitePause>(
    `select ${PAUSE}
     from site_pause p
     where p.changed_at >= $1
     order by p.changed_at
     limit $2`,
    [since, countMax],
  )
}

/**
 * Gives this process the right to probe each of `names` whose pause is over and that no other process is probing.
 * Returns the names for which it got the right. Processes that have not reported since `heardSince` do not count.
 */
export async function takeProbes(
  db: Queryable,
  names: readonly string[],
  nodeId: string,
  now: Date,
  until: Date,
  heardSince: Date,
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `update site_pause p
     set probed_by = $2, probe_until = $4
     from (
       select s.name
       from site_pause s
       where s.name = any ($1) and s.state <> 'resumed' and s.paused_until <= $3
         and (s.probe_until is null or s.probe_until <= $3 or s.probed_by = $2
           or not exists (
             select 1
             from site_reporter n
             where n.node_id = s.probed_by and n.reported_at > $5
           ))
       order by s.name
       for update skip locked
     ) mine
     where p.name = mine.name
     returning p.name`,
    [arrays.text([...names]), nodeId, now, until, heardSince],
  )
  return rows.map((row) => row.name)
}

/** Releases this process's rights to probe when it stops. */
export async function releaseProbes(db: Queryable, nodeId: string): Promise<void> {
  await db.query('update site_pause p set probed_by = null, probe_until = null where p.probed_by = $1', [
    nodeId,
  ])
}

/** Ends a pause because the site responds again or an operator resumed it. Returns whether the site was paused. */
export async function resumePause(db: Queryable, name: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update site_pause p
     set state = 'resumed', paused_until = $2, failures = 0, probed_by = null, probe_until = null, changed_at = $2
     where p.name = $1 and p.state <> 'resumed'
     returning p.name`,
    [name, now],
  )
  return rows.length > 0
}

/**
 * Pauses a site for an operator, unless a longer pause exists. Returns the end of the pause, or null if the site is in
 * no report and no pause.
 */
export async function pauseSite(
  db: Queryable,
  name: string,
  { until, reason }: { until: Date; reason: string },
  now: Date,
): Promise<Date | null> {
  const rows = await db.query<{ pausedUntil: Date }>(
    `insert into site_pause as p (name, state, paused_until, failures, category, reason, changed_at)
     select $1, 'paused', $2, 0, '${PAUSED_BY_OPERATOR}', $3, $4
     where exists (select 1 from site_report r where r.name = $1)
       or exists (select 1 from site_pause s where s.name = $1)
     on conflict (name) do update
     set state = case when p.state = 'stopped' and p.paused_until > excluded.paused_until then p.state else 'paused' end,
       paused_until = case when p.state = 'resumed' then excluded.paused_until
         else greatest(p.paused_until, excluded.paused_until) end,
       category = excluded.category, reason = excluded.reason, probed_by = null, probe_until = null,
       changed_at = excluded.changed_at
     returning p.paused_until`,
    [name, until, reason, now],
  )
  return rows[0]?.pausedUntil ?? null
}

/** Deletes pauses that were resumed before `resumedBefore`, and pauses that ended before `overBefore`. */
export async function deletePauses(db: Queryable, resumedBefore: Date, overBefore: Date): Promise<void> {
  await db.query(
    `delete from site_pause p
     where (p.state = 'resumed' and p.changed_at < $1) or (p.changed_at < $2 and p.paused_until < $2)`,
    [resumedBefore, overBefore],
  )
}

/** What one process reports about its sites. */
export interface SiteReports {
  /** The sites whose report changed. */
  changed: readonly SiteReport[]
  /** The names of sites that it reported before and no longer has. */
  gone: readonly string[]
  /** The recipient domains to which it cannot send now. */
  closedDomains: readonly string[]
}

/** Writes this process's reports, and deletes those of the sites in `gone`. */
export async function writeReports(
  db: Queryable,
  nodeId: string,
  { changed, gone, closedDomains }: SiteReports,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into site_reporter (node_id, reported_at, closed_domains)
     values ($1, $2, $3)
     on conflict (node_id) do update
     set reported_at = excluded.reported_at, closed_domains = excluded.closed_domains`,
    [nodeId, now, arrays.text([...closedDomains])],
  )
  if (gone.length > 0) {
    await db.query('delete from site_report r where r.node_id = $1 and r.name = any ($2)', [
      nodeId,
      arrays.text([...gone]),
    ])
  }
  if (changed.length === 0) return
  await db.query(
    `insert into site_report (node_id, name, site, source, tls, relay, state, connections, connections_limit,
       connections_max, waiting, messages_per_connection, rate, rules)
     select $1, r.name, r.site, r.source, r.tls, r.relay, r.state, r.connections, r.connections_limit,
       r.connections_max, r.waiting, r.messages_per_connection, r.rate, r.rules
     from jsonb_to_recordset($2) as r (name text, site text, source text, tls text, relay boolean, state text,
       connections int4, connections_limit int4, connections_max int4, waiting int4, messages_per_connection int4,
       rate text, rules text)
     on conflict (node_id, name) do update
     set state = excluded.state, connections = excluded.connections, connections_limit = excluded.connections_limit,
       connections_max = excluded.connections_max, waiting = excluded.waiting,
       messages_per_connection = excluded.messages_per_connection, rate = excluded.rate, rules = excluded.rules`,
    [nodeId, JSON.stringify(changed.map(toRow))],
  )
}

function toRow(report: SiteReport) {
  const { connectionsLimit, connectionsMax, messagesPerConnection, ...same } = report
  return {
    ...same,
    connections_limit: connectionsLimit,
    connections_max: connectionsMax,
    messages_per_connection: messagesPerConnection,
  }
}

/**
 * Deletes the processes that have not reported since `before`, and the process `nodeId` if it is given, with their
 * reports.
 */
export async function deleteReporters(db: Queryable, before: Date, nodeId: string | null): Promise<void> {
  await db.query(
    `with gone as (
       delete from site_reporter p
       where p.reported_at < $1 or p.node_id = $2
       returning p.node_id
     )
     delete from site_report r
     using gone
     where r.node_id = gone.node_id`,
    [before, nodeId],
  )
}

/** A site, summarized over all processes. */
export interface SiteOverview extends SiteReport {
  processes: number
  pausedUntil: Date | null
  failures: number
  category: string | null
  reason: string | null
}

export interface SiteFilter {
  /** A part of the site's name. */
  site: string | null
  state: SiteReport['state'] | null
  /** The last name of the previous page. */
  after: string | null
}

/**
 * Returns sites by name, as processes have reported them since `since`. Includes paused sites that no process reports.
 * Pauses take precedence over reports.
 */
export async function listSites(
  db: Queryable,
  filter: SiteFilter,
  since: Date,
  now: Date,
  countMax: number,
): Promise<SiteOverview[]> {
  return db.query<SiteOverview>(
    `with seen as (
       select r.name, min(r.site) as site, min(r.source) as source, min(r.tls) as tls, bool_or(r.relay) as relay,
         max(case r.state when 'stopped' then 3 when 'paused' then 2 when 'probing' then 1 else 0 end) as grade,
         sum(r.connections)::int4 as connections, sum(r.connections_limit)::int4 as connections_limit,
         max(r.connections_max) as connections_max, sum(r.waiting)::int4 as waiting,
         max(r.messages_per_connection) as messages_per_connection, max(r.rate) as rate, max(r.rules) as rules,
         count(*)::int4 as processes
       from site_reporter n
       join site_report r on r.node_id = n.node_id
       where n.reported_at >= $4
       group by r.name
     ),
     shut as (
       select p.*
       from site_pause p
       where p.state <> 'resumed'
     ),
     known as (
       select coalesce(s.name, p.name) as name, coalesce(s.site, p.name) as site, coalesce(s.source, '') as source,
         coalesce(s.tls, '') as tls, coalesce(s.relay, false) as relay,
         case when p.name is null then case when s.grade = 0 then 'open' else 'probing' end
           when p.paused_until > $5 then p.state else 'probing' end as state,
         coalesce(s.connections, 0) as connections, coalesce(s.connections_limit, 0) as connections_limit,
         coalesce(s.connections_max, 0) as connections_max, coalesce(s.waiting, 0) as waiting,
         coalesce(s.messages_per_connection, 0) as messages_per_connection, s.rate, coalesce(s.rules, '') as rules,
         coalesce(s.processes, 0) as processes, p.paused_until, coalesce(p.failures, 0) as failures,
         p.category, p.reason
       from seen s
       full join shut p on p.name = s.name
     )
     select *
     from known k
     where ($1::text is null or strpos(k.name, $1) > 0)
       and ($2::text is null or k.state = $2)
       and ($3::text is null or k.name > $3)
     order by k.name
     limit $6`,
    [filter.site, filter.state, filter.after, since, now, countMax],
  )
}
