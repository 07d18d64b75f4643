import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Agent, request } from 'undici'
import type { Db } from '../../db/db-types.ts'
import type { AcceptMime } from '../../emails/accept/accept-mime.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatDate } from '../../mime/build.ts'
import {
  formatReport,
  formatReportMail,
  httpsUrlOf,
  mailboxOf,
  readReportRecord,
} from './tls-report-format.ts'
import type { TlsReportLimits } from './tls-report-limits.ts'
import {
  claimTlsReport,
  findDomainOwner,
  saveTlsReport,
  type TlsReport,
  type TlsReportDestination,
} from './tls-reports-queries.ts'
import { readTlsSessions } from './tls-sessions-queries.ts'

export interface TlsReportDeps {
  db: Db
  clock: Clock
  log: Log
  /** Returns the TXT records of a name, or null if DNS does not respond. */
  txt(name: string): Promise<readonly string[] | null>
  /** Refuses connections to forbidden addresses. */
  agent: Agent
  acceptMime: AcceptMime
  limits: TlsReportLimits
  hostname: string
  /** The sender of reports by mail, or null if no reports are mailed. */
  from: string | null
}

/** Longer than sending one report takes. */
const LEASE_MS = 10 * 60_000
const RETRY_MS = 60 * 60_000
/** RFC 8460 section 5.4: retry for a day. */
const ATTEMPTS_MAX = 24
const POST_TIMEOUT_MS = 15_000
const compress = promisify(gzip)

/**
 * Sends one due report (RFC 8460). The database stores the report as it is sent, with the state of each destination:
 * one that was in progress when a process died does not get it twice, one that refused is retried for a day. Returns
 * true when there may be more.
 */
export async function sendDueTlsReport(deps: TlsReportDeps): Promise<boolean> {
  const now = deps.clock.now()
  const report = await claimTlsReport(deps.db, now, new Date(now.getTime() + LEASE_MS))
  if (report === null) return false
  if (report.attempts > ATTEMPTS_MAX) {
    // An internal fault each time, so that its end was never recorded.
    deps.log.error({ domain: report.domain, day: report.day }, 'gave up on a TLS report')
    await saveTlsReport(deps.db, report, null)
    return true
  }
  const isReady = report.report !== null || (await writeReport(deps, report))
  if (isReady) for (const destination of report.destinations) await sendTo(deps, report, destination)
  const isOpen = !isReady || report.destinations.some(({ state }) => state === 'waiting')
  const isTriedAgain = isOpen && report.attempts < ATTEMPTS_MAX
  await saveTlsReport(deps.db, report, isTriedAgain ? new Date(now.getTime() + RETRY_MS) : null)
  return true
}

/** Returns false if DNS cannot name the destinations now. Without a destination, no report is written. */
async function writeReport(deps: TlsReportDeps, report: TlsReport): Promise<boolean> {
  const { db, hostname, from } = deps
  const records = await deps.txt(`_smtp._tls.${report.domain}`)
  if (records === null) return false
  const uris = readReportRecord(records)
  if (uris.length === 0) return true
  report.reportId = `${newId(deps.clock.now().getTime())}@${hostname}`
  const text = formatReport(
    { organization: hostname, contact: from ?? `postmaster@${hostname}` },
    {
      reportId: report.reportId,
      day: report.day,
      policies: await readTlsSessions(db, report.day, report.domain),
    },
  )
  report.report = await compress(text)
  report.destinations = uris.map((to) => ({ to, state: 'waiting', reason: null }))
  return true
}

async function sendTo(
  deps: TlsReportDeps,
  report: TlsReport,
  destination: TlsReportDestination,
): Promise<void> {
  const url = httpsUrlOf(destination.to)
  // Mail carries an idempotency key; an interrupted POST may have arrived.
  const mayRepeat = destination.state === 'sending' && url === null
  if (destination.state !== 'waiting' && !mayRepeat) return
  const excess = deps.limits.take(destination.to, deps.clock.now())
  if (excess !== null) {
    destination.state = 'failed'
    destination.reason = excess
    return
  }
  // Recorded before the request: after a crash, another process knows that the report may have arrived.
  destination.state = 'sending'
  await saveTlsReport(deps.db, report, new Date(deps.clock.now().getTime() + LEASE_MS))
  const reason = url === null ? await mailReport(deps, report, destination.to) : await post(deps, report, url)
  destination.state = reason === null ? 'sent' : report.attempts < ATTEMPTS_MAX ? 'waiting' : 'failed'
  destination.reason = reason
  const { domain, day } = report
  deps.log.info({ domain, day, to: destination.to, reason }, 'TLS report sent or refused')
}

/** Returns null when it was accepted. */
async function post({ agent }: TlsReportDeps, report: TlsReport, url: URL): Promise<string | null> {
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      signal: AbortSignal.timeout(POST_TIMEOUT_MS),
      headers: { 'content-type': 'application/tlsrpt+gzip', 'user-agent': 'Sendwright' },
      body: report.report,
    })
    answer.body.on('error', () => {}).destroy()
    const isTaken = answer.statusCode >= 200 && answer.statusCode < 300
    return isTaken ? null : `the server answered ${answer.statusCode}`
  } catch {
    return 'the server could not be reached'
  }
}

/**
 * Submits the report as an email of the team that owns the sender's domain: signed, queued and retried like any other.
 */
async function mailReport(deps: TlsReportDeps, report: TlsReport, uri: string): Promise<string | null> {
  const { db, clock, from, acceptMime } = deps
  const to = mailboxOf(uri)
  if (from === null || to === null) return 'no sender is set (SENDWRIGHT_TLSRPT_FROM)'
  const teamId = await findDomainOwner(db, from.slice(from.lastIndexOf('@') + 1).toLowerCase())
  if (teamId === null) return 'the domain of SENDWRIGHT_TLSRPT_FROM is not verified'
  const { day, domain, reportId } = report
  const message = formatReportMail({
    from,
    to,
    domain,
    day,
    reportId: reportId as string,
    report: report.report as Buffer,
    date: formatDate(clock.now()),
  })
  const key = `tls-report ${reportId} ${to}`.slice(0, 256)
  const requestHash = createHash('sha256').update(key).digest()
  try {
    await acceptMime(
      { envelope_from: from, envelope_to: to, raw_message: message },
      { teamId, domainId: null, keyId: null },
      { key, requestHash },
    )
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
