import { adviseAttempt, adviseRecipient } from '../../classification/advise.ts'
import { eventToJson } from '../../events/event-json.ts'
import { describeOwnData } from '../../events/own-data.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { classOf } from '../../queue/mail-class.ts'
import { HELD_UNTIL } from '../../queue/restored-queries.ts'
import { readTranscript } from '../../queue/settle-queries.ts'
import type { TranscriptLine } from '../../queue/types.ts'
import type { AttemptRow, Email, EventRow, RecipientRow } from './read-emails-queries.ts'

export function emailToJson(email: Email) {
  return {
    object: 'email',
    id: email.id,
    message_id: `<${email.messageId}>`,
    from: email.sender,
    to: email.addressees.to,
    cc: email.addressees.cc,
    bcc: email.addressees.bcc,
    reply_to: email.addressees.reply_to,
    subject: email.subject,
    tags: email.tags,
    status: email.status,
    last_event: email.lastEvent,
    class: classOf(email.isBulk),
    domain: { id: email.domainId, name: email.domainName },
    template: email.template,
    scheduled_at: formatTime(email.scheduledAt),
    sent_at: formatTime(email.sentAt),
    created_at: formatTime(email.createdAt),
  }
}

export function recipientToJson(row: RecipientRow) {
  // A recipient on hold after a restore has no time.
  const nextAt = row.dueAt !== null && row.dueAt >= HELD_UNTIL ? null : row.dueAt
  return {
    email: row.address,
    type: row.kind,
    status: row.status,
    smtp_code: row.smtpCode,
    enhanced_code: row.enhancedCode,
    response: row.response,
    category: row.category,
    mx_host: row.mxHost,
    attempts: row.attempts,
    advice: adviseRecipient({
      status: row.status,
      category: row.category,
      domain: domainOf(row.address),
      mxHost: row.mxHost,
      attempts: row.attempts,
      nextAt,
    }),
    next_attempt_at: formatTime(nextAt),
    updated_at: formatTime(row.updatedAt),
  }
}

/** Returns the domain of an address, which identifies its provider. */
function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/** Returns an event as the feed does, without the fields that the email already has. */
export function emailEventToJson({ id, type, createdAt, data }: EventRow) {
  return eventToJson({ id, type, createdAt, data: describeOwnData(type, data, createdAt) })
}

const SPEAKERS: Readonly<Record<TranscriptLine['who'], string>> = { C: 'client', S: 'server', '*': 'note' }

export function attemptToJson(row: AttemptRow) {
  return {
    recipient: row.address,
    attempt: row.attempt,
    started_at: formatTime(row.startedAt),
    duration_ms: row.durationMs,
    outcome: row.outcome,
    category: row.category,
    advice: adviseAttempt({
      outcome: row.outcome,
      category: row.category,
      domain: domainOf(row.address),
      mxHost: row.mxHost,
    }),
    smtp_code: row.smtpCode,
    enhanced_code: row.enhancedCode,
    response: row.response,
    mx_host: row.mxHost,
    mx_address: row.mxAddress,
    source_address: row.sourceAddress,
    tls: row.tls,
    conversation: readTranscript(row.transcript).map((line) => ({
      at_ms: line.at,
      who: SPEAKERS[line.who],
      text: line.text,
    })),
  }
}
