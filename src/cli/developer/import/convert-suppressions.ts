import type { ImportOrigin, Skipped } from './origins.ts'
import { type ExportRecord, findText, findValue } from './read-records.ts'

export const IMPORTED_REASONS = ['manual', 'bounce', 'complaint'] as const
export type ImportedReason = (typeof IMPORTED_REASONS)[number]

export interface SuppressionRow {
  place: string
  email: string
  reason: ImportedReason
}

/** A reason, or the message of a record that must not be imported. */
type Judged = ImportedReason | { message: string }

const WORDS: Readonly<Record<string, ImportedReason>> = {
  hardbounce: 'bounce',
  bounce: 'bounce',
  bounced: 'bounce',
  spamcomplaint: 'complaint',
  complaint: 'complaint',
  complained: 'complaint',
  manualsuppression: 'manual',
  unsubscribe: 'manual',
  unsubscribed: 'manual',
  manual: 'manual',
}

/** How each service says why an address is suppressed. */
const RULES: Readonly<Record<ImportOrigin, (record: ExportRecord, file: string) => Judged>> = {
  postmark: (record) => readWord(findText(record, 'SuppressionReason')),
  ses: (record) => readWord(findText(record, 'Reason')),
  resend: (record) => readWord(findText(record, 'reason', 'type') ?? 'manual'),
  sendgrid(record, file) {
    if (/block/i.test(file)) return { message: 'SendGrid keeps sending to blocked addresses.' }
    const group = findText(record, 'group_name') ?? findValue(record, 'group_id')
    if (group !== undefined) {
      return { message: `The address unsubscribed only from the group ${group}: add an unsubscription.` }
    }
    if (findText(record, 'reason') !== null || findText(record, 'status') !== null) return 'bounce'
    return findText(record, 'ip') === null && !/spam|complaint/i.test(file) ? 'manual' : 'complaint'
  },
  mailgun(record, file) {
    const code = findValue(record, 'code')
    if (code !== undefined || findText(record, 'error') !== null) {
      return /^4/.test(String(code)) ? { message: 'The bounce was temporary.' } : 'bounce'
    }
    const tags = readTags(findValue(record, 'tags', 'tag'))
    if (tags === null) return /unsub/i.test(file) ? 'manual' : 'complaint'
    if (tags.length === 0 || tags.includes('*')) return 'manual'
    return {
      message: `The address unsubscribed only from the tag ${tags.join(', ')}: add an unsubscription.`,
    }
  },
}

function readWord(text: string | null): Judged {
  const word = (text ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')
  const reason = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  return reason ?? { message: `The reason "${text ?? ''}" is unknown.` }
}

function readTags(value: unknown): string[] | null {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' ? value.split(/[\s,[\]"']+/).filter((tag) => tag !== '') : null
}

/**
 * Converts the suppressions of an export.
 * @param file the name of the file, because some services' lists differ only in their names
 * @param reason the reason of all, instead of the one that the records give
 */
export function convertSuppressions(
  service: ImportOrigin,
  file: string,
  records: readonly ExportRecord[],
  reason: ImportedReason | null,
): { rows: SuppressionRow[]; skipped: Skipped[] } {
  const rows: SuppressionRow[] = []
  const skipped: Skipped[] = []
  for (const record of records) {
    const { place } = record
    const email = findText(record, 'EmailAddress', 'email', 'address', 'recipient')
    const verdict = reason ?? RULES[service](record, file)
    if (email === null) skipped.push({ place, message: 'The record has no address.' })
    else if (typeof verdict === 'object') skipped.push({ place, message: verdict.message })
    else rows.push({ place, email, reason: verdict })
  }
  return { rows, skipped }
}
