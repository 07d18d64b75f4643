import { isUuid } from '../../lib/ids.ts'
import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'
import { isSignatureForm, type SignatureForm } from '../../mime/signature-form.ts'
import type { DeliveryKey } from '../types.ts'

/** The process that wrote a journal. */
export interface JournalHeader {
  node: string
  pid: number
  /** Identifies the process together with `pid` and `place` (lib/processes.ts). Null when the system does not tell. */
  start: string | null
  place: string
  /** Identifies the database; one directory may serve two. */
  installation: string
}

/** One recipient that a server accepted, with what must survive the death of this process. */
export interface JournalEntry extends DeliveryKey {
  /** From 1. */
  attempt: number
  /** `sent`: a relay accepted it. */
  state: 'delivered' | 'sent'
  startedAtMs: number
  durationMs: number
  smtpCode: number
  enhancedCode: string | null
  response: string | null
  mxHost: string | null
  mxAddress: string | null
  sourceAddress: string | null
  tls: string | null
  signedAs: SignatureForm | null
}

const VERSION = 1
/** Longer than any line of `writeEntry`: a reply's text is 1 KB, and JSON may double it. */
export const LINE_BYTES_MAX = 4096
const TEXT_BYTES_MAX = 1024
const ATTEMPTS_MAX = 32_767
/** The largest valid Date, in milliseconds. */
const TIME_MAX = 8.64e15

export function writeJournalHeader({ node, pid, start, place, installation }: JournalHeader): string {
  return `${JSON.stringify({ sendwright_journal: VERSION, node, pid, start, place, installation })}\n`
}

/** Parses the output of `writeJournalHeader`. Returns null for an invalid header or one of a future version. */
export function readJournalHeader(line: string): JournalHeader | null {
  const fields = parseObject(line)
  if (fields?.sendwright_journal !== VERSION) return null
  const { node, pid, start, place, installation } = fields
  const isWhole = isText(node) && isText(place) && isText(installation) && (start === null || isText(start))
  if (!isWhole || !isCount(pid, Number.MAX_SAFE_INTEGER)) return null
  return { node, pid, start, place, installation }
}

/** Formats one line, including its line end. */
export function writeEntry(entry: JournalEntry): string {
  return `${JSON.stringify({
    team_id: entry.teamId,
    email_id: entry.emailId,
    no: entry.no,
    attempt: entry.attempt,
    state: entry.state,
    started_at_ms: entry.startedAtMs,
    duration_ms: Math.round(entry.durationMs),
    smtp_code: entry.smtpCode,
    enhanced_code: entry.enhancedCode,
    response: entry.response,
    mx_host: entry.mxHost,
    mx_address: entry.mxAddress,
    source_address: entry.sourceAddress,
    tls: entry.tls,
    signed_as: entry.signedAs,
  })}\n`
}

/** Parses the output of `writeEntry`. Returns null for a truncated or altered line. Values fit their columns. */
export function readEntry(line: string): JournalEntry | null {
  const fields = parseObject(line)
  if (fields === null) return null
  const { team_id, email_id, no, attempt, state, started_at_ms, duration_ms, smtp_code } = fields
  if (!isText(team_id) || !isUuid(team_id) || !isText(email_id) || !isUuid(email_id)) return null
  if (!isCount(no, 149) || !isCount(attempt, ATTEMPTS_MAX) || attempt === 0) return null
  if (state !== 'delivered' && state !== 'sent') return null
  if (!isCount(started_at_ms, TIME_MAX) || !isCount(duration_ms, 2 ** 31 - 1)) return null
  if (!isCount(smtp_code, 299) || smtp_code < 200) return null
  return {
    teamId: team_id,
    emailId: email_id,
    no,
    attempt,
    state,
    startedAtMs: started_at_ms,
    durationMs: duration_ms,
    smtpCode: smtp_code,
    enhancedCode: textOf(fields.enhanced_code),
    response: textOf(fields.response),
    mxHost: textOf(fields.mx_host),
    mxAddress: textOf(fields.mx_address),
    sourceAddress: textOf(fields.source_address),
    tls: textOf(fields.tls),
    signedAs: isSignatureForm(fields.signed_as) ? fields.signed_as : null,
  }
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= TEXT_BYTES_MAX
}

function isCount(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
}

/** Servers' texts were escaped before they were written, but the file itself may have been edited. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? cutToBytes(escapeControls(value), TEXT_BYTES_MAX).toWellFormed() : null
}
