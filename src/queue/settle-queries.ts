import { arrays } from '../db/arrays.ts'
import type { Tx } from '../db/db-types.ts'
import type { DeliveryKey, DeliveryResult, DueDelivery, TranscriptLine } from './types.ts'

/** The outcome of a delivery: finished, or waiting until `dueAt`. */
export interface Settlement {
  delivery: DueDelivery
  status:
    | 'sent'
    | 'delivered'
    | 'delivery_delayed'
    | 'bounced'
    | 'failed'
    | 'suppressed'
    | 'rejected'
    | 'canceled'
    | null
  /** Null: finished. */
  dueAt: Date | null
  category: string
  smtpCode: number | null
  enhancedCode: string | null
  response: string | null
  mxHost: string | null
  /** The site that it waits for (delivery/sites/site-key.ts); null if it waits only for its time. */
  waitsFor: string | null
  /** The attempt; null when there was none (its site is paused, its address was suppressed meanwhile). */
  result: DeliveryResult | null
}

/** The most characters stored of one transcript. */
const TRANSCRIPT_LENGTH_MAX = 8000

/**
 * Writes the outcomes of a batch, sorted by key, in the caller's transaction. A row whose lease was lost keeps its new
 * holder's outcome, unless ours is final; the attempt is recorded all the same. A `status` of null leaves the status
 * unchanged (a wait for a paused site).
 *
 * The subselect hides the length of the array from the planner. Otherwise a custom plan would look cheaper for a single
 * row, and PostgreSQL would plan the statement over all partitions again for each email that arrives alone.
 * @returns the keys of the changed rows
 */
export async function settle(
  tx: Tx,
  settlements: readonly Settlement[],
  nodeId: string,
  now: Date,
): Promise<DeliveryKey[]> {
  return tx.query<DeliveryKey>(
    `update delivery d
     set status = coalesce(r.status, d.status), ready = false, due_at = r.due_at, leased_until = null, leased_by = null,
       attempts = r.attempts, category = r.category, smtp_code = r.smtp_code, enhanced_code = r.enhanced_code,
       response = r.response, mx_host = coalesce(r.mx_host, d.mx_host),
       waits_for = r.waits_for, signed_as = coalesce(r.signed_as, d.signed_as), updated_at = $13
     from unnest((select $1::uuid[]), $2::uuid[], $3::int2[], $4::text[], $5::timestamptz[], $6::int2[], $7::text[], $8::int2[],
       $9::text[], $10::text[], $11::text[], $14::text[], $15::text[])
       as r (team_id, email_id, no, status, due_at, attempts, category, smtp_code, enhanced_code, response, mx_host,
         waits_for, signed_as)
     where d.team_id = r.team_id and d.email_id = r.email_id and d.no = r.no
       and d.due_at is not null and (d.leased_by = $12 or r.due_at is null)
     returning d.team_id, d.email_id, d.no`,
    [
      arrays.uuid(settlements.map(({ delivery }) => delivery.teamId)),
      arrays.uuid(settlements.map(({ delivery }) => delivery.emailId)),
      arrays.int2(settlements.map(({ delivery }) => delivery.no)),
      arrays.text(settlements.map((row) => row.status)),
      arrays.timestamptz(settlements.map((row) => row.dueAt)),
      arrays.int2(settlements.map((row) => row.delivery.attempts + (row.result === null ? 0 : 1))),
      arrays.text(settlements.map((row) => row.category)),
      arrays.int2(settlements.map((row) => row.smtpCode)),
      arrays.text(settlements.map((row) => row.enhancedCode)),
      arrays.text(settlements.map((row) => row.response)),
      arrays.text(settlements.map((row) => row.mxHost)),
      nodeId,
      now,
      arrays.text(settlements.map((row) => row.waitsFor)),
      arrays.text(settlements.map((row) => row.result?.signedAs ?? null)),
    ],
  )
}

/** Stores each attempt with its transcript. Inserting the same one again changes nothing. */
export async function insertAttempts(tx: Tx, results: readonly DeliveryResult[]): Promise<void> {
  if (results.length === 0) return
  await tx.query(
    `insert into attempt (team_id, email_id, no, attempt, started_at, duration_ms, outcome, category, smtp_code,
       enhanced_code, response, mx_host, mx_address, tls, conversation, source_address)
     select *
     from unnest($1::uuid[], $2::uuid[], $3::int2[], $4::int2[], $5::timestamptz[], $6::int4[], $7::text[], $8::text[],
       $9::int2[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[])
     on conflict do nothing`,
    [
      arrays.uuid(results.map(({ delivery }) => delivery.teamId)),
      arrays.uuid(results.map(({ delivery }) => delivery.emailId)),
      arrays.int2(results.map(({ delivery }) => delivery.no)),
      arrays.int2(results.map(({ delivery }) => delivery.attempts + 1)),
      arrays.timestamptz(results.map((row) => row.startedAt)),
      arrays.int4(results.map((row) => Math.round(row.durationMs))),
      arrays.text(results.map((row) => row.verdict.state)),
      arrays.text(results.map((row) => row.verdict.category)),
      arrays.int2(results.map((row) => row.smtpCode)),
      arrays.text(results.map((row) => row.enhancedCode)),
      arrays.text(results.map((row) => row.response)),
      arrays.text(results.map((row) => row.mxHost)),
      arrays.text(results.map((row) => row.mxAddress)),
      arrays.text(results.map((row) => row.tls)),
      arrays.text(results.map((row) => writeTranscript(row.transcript))),
      arrays.text(results.map((row) => row.sourceAddress ?? null)),
    ],
  )
}

/** One text line per transcript line: milliseconds, speaker, text, separated by tabs. */
function writeTranscript(lines: readonly TranscriptLine[]): string {
  const text = lines.map((line) => `${Math.round(line.at)}\t${line.who}\t${line.text}`).join('\n')
  return text.length > TRANSCRIPT_LENGTH_MAX ? `${text.slice(0, TRANSCRIPT_LENGTH_MAX)}\n` : text
}

/** Parses the transcript that `insertAttempts` stores. */
export function readTranscript(text: string): TranscriptLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [at, who, ...rest] = line.split('\t')
      return { at: Number(at), who: who as TranscriptLine['who'], text: rest.join('\t') }
    })
}
