import { createHash } from 'node:crypto'
import { parseMailbox } from '../../mime/address.ts'
import type { TlsPolicyRow, TlsSessionCount } from './tls-sessions-queries.ts'

/** The reporting organization. */
export interface Reporter {
  organization: string
  contact: string
}

/** The subject of one report: a day and a domain. */
export interface ReportSubject {
  reportId: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  policies: readonly { policy: TlsPolicyRow; counts: readonly TlsSessionCount[] }[]
}

const DESTINATIONS_MAX = 5
const URI_LENGTH_MAX = 1000
const RECORD = /^v=TLSRPTv1[ \t]*;/

/**
 * Returns where a domain wants its reports, from the TXT records of `_smtp._tls.<domain>` (RFC 8460 section 3): the
 * mailto: and https: URIs among the first five. Empty when it wants none, or when the records are invalid.
 */
export function readReportRecord(records: readonly string[]): string[] {
  const reportRecords = records.filter((text) => RECORD.test(text))
  // Bytes that no URI may contain (RFC 3986); the database cannot store all of them.
  if (reportRecords.length !== 1 || !/^[\x20-\x7e\t]*$/.test(reportRecords[0] as string)) return []
  const rua = (reportRecords[0] as string)
    .split(';')
    .map((field) => field.trim())
    .find((field) => field.startsWith('rua='))
  const uris = (rua ?? '').slice('rua='.length).split(',').slice(0, DESTINATIONS_MAX)
  const usable = uris
    .map((uri) => uri.trim())
    .filter((uri) => mailboxOf(uri) !== null || httpsUrlOf(uri) !== null)
  return [...new Map(usable.map((uri) => [nameOf(uri), uri])).values()]
}

/** Spellings of one address count as one, so that it gets one report a day. */
function nameOf(uri: string): string {
  return (mailboxOf(uri) ?? httpsUrlOf(uri)?.href ?? uri).toLowerCase()
}

/** Returns the address of a mailto: URI (RFC 6068), or null. */
export function mailboxOf(uri: string): string | null {
  const [, path] = /^mailto:([^?]+)/i.exec(uri) ?? []
  if (path === undefined || uri.length > URI_LENGTH_MAX) return null
  try {
    return parseMailbox(decodeURIComponent(path))?.address ?? null
  } catch {
    return null
  }
}

/** Returns an https: URL without credentials, or null. */
export function httpsUrlOf(uri: string): URL | null {
  if (!/^https:/i.test(uri) || uri.length > URI_LENGTH_MAX || !URL.canParse(uri)) return null
  const url = new URL(uri)
  return url.username === '' && url.password === '' ? url : null
}

/** Formats the report as JSON (RFC 8460 section 4.4). */
export function formatReport({ organization, contact }: Reporter, subject: ReportSubject): string {
  return JSON.stringify({
    'organization-name': organization,
    'date-range': {
      'start-datetime': `${subject.day}T00:00:00Z`,
      'end-datetime': `${subject.day}T23:59:59Z`,
    },
    'contact-info': contact,
    'report-id': subject.reportId,
    policies: subject.policies.map(formatPolicy),
  })
}

function formatPolicy({ policy, counts }: ReportSubject['policies'][number]) {
  const failures = counts.filter(({ resultType }) => resultType !== '')
  const details = failures.map(formatFailure)
  return {
    policy: {
      'policy-type': policy.type,
      'policy-string': policy.lines,
      'policy-domain': policy.domain,
      ...(policy.mxPatterns.length > 0 ? { 'mx-host': policy.mxPatterns } : {}),
    },
    summary: {
      'total-successful-session-count': sum(counts.filter(({ resultType }) => resultType === '')),
      'total-failure-session-count': sum(failures),
    },
    ...(details.length > 0 ? { 'failure-details': details } : {}),
  }
}

function formatFailure(count: TlsSessionCount) {
  const fields = {
    'sending-mta-ip': count.sendingIp,
    'receiving-mx-hostname': count.mxHost,
    'receiving-ip': count.receivingIp,
    'failure-reason-code': count.reason,
  }
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  return { 'result-type': count.resultType, ...filled, 'failed-session-count': count.sessions }
}

function sum(counts: readonly TlsSessionCount[]): number {
  return counts.reduce((total, { sessions }) => total + sessions, 0)
}

/** Builds a report as mail (RFC 8460 section 5.3), with the file name of section 5.1. */
export function formatReportMail(mail: {
  from: string
  to: string
  domain: string
  day: string
  reportId: string
  report: Buffer
  date: string
}): string {
  const submitter = mail.from.slice(mail.from.lastIndexOf('@') + 1)
  const boundary = `tlsrpt-${createHash('sha256').update(mail.reportId).digest('hex').slice(0, 40)}`
  const beginsAt = Date.parse(mail.day) / 1000
  const file = `${submitter}!${mail.domain}!${beginsAt}!${beginsAt + 86_399}.json.gz`
  const lines = [
    `From: ${mail.from}`,
    `To: ${mail.to}`,
    `Date: ${mail.date}`,
    `Subject: Report Domain: ${mail.domain}`,
    ` Submitter: ${submitter}`,
    ` Report-ID: <${mail.reportId}>`,
    `TLS-Report-Domain: ${mail.domain}`,
    `TLS-Report-Submitter: ${submitter}`,
    // Section 5.3: a TLS failure of the domain must not block the report about it.
    'TLS-Required: No',
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type="tlsrpt";',
    ` boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset="us-ascii"',
    'Content-Transfer-Encoding: 7bit',
    '',
    `This is an aggregate TLS report from ${submitter} for ${mail.day} (UTC).`,
    '',
    `--${boundary}`,
    'Content-Type: application/tlsrpt+gzip',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment;',
    ` filename="${file}"`,
    '',
    ...(mail.report.toString('base64').match(/.{1,76}/g) ?? []),
    `--${boundary}--`,
    '',
  ]
  return lines.join('\r\n')
}
