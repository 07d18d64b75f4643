import { batchOf } from '../db/batch.ts'
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

const SETTLEMENTS = batchOf(
  `team_id uuid, email_id uuid, no int2, status text, due_at timestamptz, attempts int2, category text,
   smtp_code int2, enhanced_code text, response text, mx_host text, waits_for text, signed_as text`,
  {
    team_id: ({ delivery }: Settlement) => delivery.teamId,
    email_id: ({ delivery }: Settlement) => delivery.emailId,
    no: ({ delivery }: Settlement) => delivery.no,
    attempts: (row: Settlement) => row.delivery.attempts + (row.result === null ? 0 : 1),
    signed_as: (row: Settlement) => row.result?.signedAs ?? null,
  },
)

const SETTLE = `update delivery d
  set status = coalesce(r.status, d.status), ready = false, due_at = r.due_at, leased_until = null, leased_by = null,
    attempts = r.attempts, category = r.category, smtp_code = r.smtp_code, enhanced_code = r.enhanced_code,
    response = r.response, mx_host = coalesce(r.mx_host, d.mx_host),
    waits_for = r.waits_for, signed_as = coalesce(r.signed_as, d.signed_as), updated_at = $2
  from unnest(${SETTLEMENTS.hiddenFrom(3)}) as r (${SETTLEMENTS.names})
  where d.team_id = r.team_id and d.email_id = r.email_id and d.no = r.no
    and d.due_at is not null and (d.leased_by = $1 or r.due_at is null)
  returning d.team_id, d.email_id, d.no`

/**
 * Writes the outcomes of a batch, sorted by key, in the caller's transaction. A row whose lease was lost keeps its new
 * holder's outcome, unless ours is final; the attempt is recorded all the same. A `status` of null leaves the status
 * unchanged (a wait for a paused site).
 * @returns the keys of the changed rows
 */
export async function settle(
  tx: Tx,
  settlements: readonly Settlement[],
  nodeId: string,
  now: Date,
): Promise<DeliveryKey[]> {
  return tx.query<DeliveryKey>(SETTLE, [nodeId, now, ...SETTLEMENTS.values(settlements)])
}

const ATTEMPTS = batchOf(
  `team_id uuid, email_id uuid, no int2, attempt int2, started_at timestamptz, duration_ms int4, outcome text,
   category text, smtp_code int2, enhanced_code text, response text, mx_host text, mx_address text, tls text,
   conversation text, source_address text`,
  {
    team_id: ({ delivery }: DeliveryResult) => delivery.teamId,
    email_id: ({ delivery }: DeliveryResult) => delivery.emailId,
    no: ({ delivery }: DeliveryResult) => delivery.no,
    attempt: ({ delivery }: DeliveryResult) => delivery.attempts + 1,
    duration_ms: (row: DeliveryResult) => Math.round(row.durationMs),
    outcome: (row: DeliveryResult) => row.verdict.state,
    category: (row: DeliveryResult) => row.verdict.category,
    conversation: (row: DeliveryResult) => writeTranscript(row.transcript),
    source_address: (row: DeliveryResult) => row.sourceAddress ?? null,
  },
)

const INSERT_ATTEMPTS = `insert into attempt (${ATTEMPTS.names})
  select *
  from unnest(${ATTEMPTS.arrays})
  on conflict do nothing`

/** Stores each attempt with its transcript. Inserting the same one again changes nothing. */
export async function insertAttempts(tx: Tx, results: readonly DeliveryResult[]): Promise<void> {
  if (results.length > 0) await tx.query(INSERT_ATTEMPTS, ATTEMPTS.values(results))
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
