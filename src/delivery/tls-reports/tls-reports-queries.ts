import type { Queryable } from '../../db/db-types.ts'

/** One destination of a report. */
export interface TlsReportDestination {
  /** A mailto: or https: URI of the domain's record. */
  to: string
  /**
   * `sending`: the outcome is unknown. A POST is then not repeated; mail is, because acceptance recognizes the
   * duplicate.
   */
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  reason: string | null
}

/** The report to one domain for one day. */
export interface TlsReport {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  domain: string
  attempts: number
  /** Null until the report is written. */
  reportId: string | null
  /** The JSON, compressed with gzip. */
  report: Buffer | null
  destinations: TlsReportDestination[]
}

interface TlsReportRow extends Omit<TlsReport, 'destinations'> {
  destinations: TlsReportDestination[] | null
}

/**
 * Claims the report that has been due for longest, until `leasedUntil`. Concurrent processes claim different ones.
 */
export async function claimTlsReport(db: Queryable, now: Date, leasedUntil: Date): Promise<TlsReport | null> {
  const rows = await db.query<TlsReportRow>(
    `with due as (
       select day as due_day, domain as due_domain
       from tls_report
       where due_at <= $1
       order by due_at
       limit 1
       for update skip locked
     )
     update tls_report
     set due_at = $2, tries = tries + 1
     from due
     where day = due_day and domain = due_domain
     returning day, domain, tries as attempts, report_id, report, destinations`,
    [now, leasedUntil],
  )
  const row = rows[0]
  return row === undefined ? null : { ...row, destinations: row.destinations ?? [] }
}

/** @param dueAt null if the report is finished */
export async function saveTlsReport(db: Queryable, report: TlsReport, dueAt: Date | null): Promise<void> {
  await db.query(
    `update tls_report
     set due_at = $3, report_id = $4, report = $5, destinations = $6
     where day = $1::date and domain = $2`,
    [report.day, report.domain, dueAt, report.reportId, report.report, JSON.stringify(report.destinations)],
  )
}

/** Returns the team that verified this domain, or null. */
export async function findDomainOwner(db: Queryable, name: string): Promise<string | null> {
  const rows = await db.query<{ teamId: string }>(
    `select team_id
     from verified_domain
     where name = $1`,
    [name],
  )
  return rows[0]?.teamId ?? null
}
