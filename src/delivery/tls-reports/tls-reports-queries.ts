import type { Queryable } from '../../db/db-types.ts'

/** One address that a report goes to. */
export interface TlsReportDestination {
  /** A mailto: or https: URI of the domain's record. */
  to: string
  /** `sending`: what became of it is not known. A POST is not sent again then; mail is, because acceptance knows it again. */
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  reason: string | null
}

/** The report of one day to one domain. */
export interface TlsReport {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  domain: string
  tries: number
  /** Null until it is written. */
  reportId: string | null
  /** The JSON, compressed with gzip. */
  report: Buffer | null
  destinations: TlsReportDestination[]
}

interface TlsReportRow {
  day: string
  domain: string
  tries: number
  reportId: string | null
  report: Buffer | null
  destinations: TlsReportDestination[] | null
}

/** Takes the report that is due for longest, until `leasedUntil`; several processes take different ones. */
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
     returning day::text as day, domain, tries, report_id, report, destinations`,
    [now, leasedUntil],
  )
  const row = rows[0]
  if (row === undefined) return null
  const { day, domain, tries, reportId, report, destinations } = row
  return { day, domain, tries, reportId, report, destinations: destinations ?? [] }
}

/** @param dueAt null: it is over */
export async function saveTlsReport(db: Queryable, report: TlsReport, dueAt: Date | null): Promise<void> {
  await db.query(
    `update tls_report
     set due_at = $3, report_id = $4, report = $5, destinations = $6
     where day = $1::date and domain = $2`,
    [report.day, report.domain, dueAt, report.reportId, report.report, JSON.stringify(report.destinations)],
  )
}

/** The team whose verified domain this is; null: nobody's. */
export async function findDomainOwner(db: Queryable, name: string): Promise<string | null> {
  const rows = await db.query<{ teamId: string }>(
    `select team_id
     from verified_domain
     where name = $1`,
    [name],
  )
  return rows[0]?.teamId ?? null
}
