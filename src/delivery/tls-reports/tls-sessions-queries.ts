import { batchOf } from '../../db/batch.ts'
import type { Db, Queryable, Tx } from '../../db/db-types.ts'

/** A policy that applied to sessions of one day. */
export interface TlsPolicyRow {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  hash: Buffer
  type: 'sts' | 'tlsa'
  domain: string
  lines: readonly string[]
  mxPatterns: readonly string[]
}

/** The number of sessions of one day with the same result. */
export interface TlsSessionCount {
  day: string
  /** The recipients' domain, whose record names the destinations of reports. */
  domain: string
  policyHash: Buffer
  /** Empty if the sessions satisfied the policy; then the next four fields are empty too. */
  resultType: string
  mxHost: string
  receivingIp: string
  sendingIp: string
  reason: string
  sessions: number
}

/** The time at which the report to a domain for a day is due. */
export interface TlsReportDue {
  day: string
  domain: string
  dueAt: Date
}

/** Adds the counts of a process since its last call, and schedules the resulting reports. */
export async function addTlsSessions(
  db: Db,
  counts: {
    policies: readonly TlsPolicyRow[]
    sessions: readonly TlsSessionCount[]
    reports: readonly TlsReportDue[]
  },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await insertPolicies(tx, counts.policies)
    await addSessions(tx, counts.sessions)
    await insertReports(tx, counts.reports, now)
  })
}

async function insertPolicies(tx: Tx, policies: readonly TlsPolicyRow[]): Promise<void> {
  // One by one, because their lines are arrays of different lengths. There are only a few per day.
  const sorted = policies.toSorted(
    (one, other) => one.day.localeCompare(other.day) || one.hash.compare(other.hash),
  )
  for (const { day, hash, type, domain, lines, mxPatterns } of sorted) {
    await tx.query(
      `insert into tls_policy (day, hash, type, domain, lines, mx_patterns)
       values ($1::date, $2, $3, $4, $5, $6)
       on conflict (day, hash) do nothing`,
      [day, hash, type, domain, lines, mxPatterns],
    )
  }
}

const SESSIONS = batchOf(
  `day text, domain text, policy_hash text, result_type text, mx_host text, receiving_ip text, sending_ip text,
   reason text, sessions int4`,
  {
    policy_hash: (count: TlsSessionCount) => count.policyHash.toString('hex'),
  },
)

async function addSessions(tx: Tx, counts: readonly TlsSessionCount[]): Promise<void> {
  const sorted = counts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  await tx.query(
    `insert into tls_session as s
       (${SESSIONS.names})
     select day::date, domain, decode(policy_hash, 'hex'), result_type, mx_host, receiving_ip, sending_ip, reason, sessions
     from unnest(${SESSIONS.arrays}) as k (${SESSIONS.names})
     on conflict (day, domain, policy_hash, result_type, mx_host, receiving_ip, sending_ip, reason) do update
     set sessions = s.sessions + excluded.sessions`,
    SESSIONS.values(sorted),
  )
}

function keyOf(count: TlsSessionCount): string {
  const { day, domain, policyHash, resultType, mxHost, receivingIp, sendingIp, reason } = count
  return [day, domain, policyHash.toString('hex'), resultType, mxHost, receivingIp, sendingIp, reason].join(
    '\0',
  )
}

const REPORTS = batchOf('day text, domain text, due_at text', {
  due_at: (report: TlsReportDue) => report.dueAt.toISOString(),
})

async function insertReports(tx: Tx, reports: readonly TlsReportDue[], now: Date): Promise<void> {
  const sorted = reports.toSorted(
    (one, other) => one.day.localeCompare(other.day) || (one.domain < other.domain ? -1 : 1),
  )
  await tx.query(
    `insert into tls_report (day, domain, due_at, tries, created_at)
     select day::date, domain, due_at::timestamptz, 0, $1
     from unnest(${REPORTS.arraysFrom(2)}) as k (${REPORTS.names})
     on conflict (day, domain) do nothing`,
    [now, ...REPORTS.values(sorted)],
  )
}

/** Returns the results of a day's sessions with a domain, by policy. */
export async function readTlsSessions(
  db: Queryable,
  day: string,
  domain: string,
): Promise<{ policy: TlsPolicyRow; counts: TlsSessionCount[] }[]> {
  const rows = await db.query<{
    hash: Buffer
    type: 'sts' | 'tlsa'
    policyDomain: string
    lines: string[]
    mxPatterns: string[]
    resultType: string
    mxHost: string
    receivingIp: string
    sendingIp: string
    reason: string
    sessions: number
  }>(
    `select p.hash, p.type, p.domain as policy_domain, p.lines, p.mx_patterns, s.result_type, s.mx_host, s.receiving_ip,
       s.sending_ip, s.reason, s.sessions
     from tls_session s
     join tls_policy p on p.day = s.day and p.hash = s.policy_hash
     where s.day = $1::date and s.domain = $2
     order by p.type desc, p.hash, s.result_type, s.mx_host, s.receiving_ip`,
    [day, domain],
  )
  const byPolicy = Map.groupBy(rows, (row) => row.hash.toString('hex'))
  return [...byPolicy.values()].map((group) => {
    const [first] = group as [(typeof rows)[number]]
    return {
      policy: {
        day,
        hash: first.hash,
        type: first.type,
        domain: first.policyDomain,
        lines: first.lines,
        mxPatterns: first.mxPatterns,
      },
      counts: group.map((row) => ({
        day,
        domain,
        policyHash: row.hash,
        resultType: row.resultType,
        mxHost: row.mxHost,
        receivingIp: row.receivingIp,
        sendingIp: row.sendingIp,
        reason: row.reason,
        sessions: row.sessions,
      })),
    }
  })
}

/**
 * Deletes up to `countMax` rows of each table from before `day`, whose reports are finished. Returns the number of
 * rows.
 */
export async function purgeTlsSessions(db: Queryable, day: string, countMax: number): Promise<number> {
  const sessions = await db.query(
    `delete from tls_session
     where ctid = any (array(select ctid from tls_session where day < $1::date limit $2))
     returning 1`,
    [day, countMax],
  )
  const policies = await db.query(
    `delete from tls_policy
     where ctid = any (array(select ctid from tls_policy where day < $1::date limit $2))
     returning 1`,
    [day, countMax],
  )
  const reports = await db.query(
    `delete from tls_report
     where ctid = any (array(select ctid from tls_report where day < $1::date limit $2))
     returning 1`,
    [day, countMax],
  )
  return Math.max(sessions.length, policies.length, reports.length)
}
