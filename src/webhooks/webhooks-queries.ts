import { batchOf } from '../db/batch.ts'
import { bumpCounters } from '../db/counters.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { notify } from '../db/listen.ts'
import { type PageRange, queryRange, type Rows } from '../db/page.ts'
import { together } from '../db/transactions.ts'

export interface Webhook {
  teamId: string
  id: string
  /** As entered by the owner. */
  url: string
  description: string | null
  /** Empty for all types. */
  types: string[]
  status: 'enabled' | 'disabled'
  /** The reason why the service disabled it; null if a person did. */
  disabledReason: string | null
  disabledAt: Date | null
  /** Sealed by lib/crypto/seal.ts and opened by webhooks/request/secrets.ts. */
  sealedSecret: Buffer
  sealedOldSecret: Buffer | null
  oldSecretUntil: Date | null
  /** All events up to this position of the feed were attempted. */
  position: number
  /** The start of the current failures. */
  failingSince: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The name of the counter for the `total` of the list. */
export const WEBHOOK_COUNTER = 'webhooks'

const COLUMNS = `team_id, id, url, description, types, status, disabled_reason,
  disabled_at, sealed_secret, sealed_old_secret,
  old_secret_until, position, failing_since, created_at,
  updated_at`

export async function insertWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  const { teamId, id, url, description, types, status, sealedSecret, position, createdAt, updatedAt } =
    webhook
  await tx.query(
    `insert into webhook (team_id, id, url, description, types, status, sealed_secret, position, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [teamId, id, url, description, types, status, sealedSecret, position, createdAt, updatedAt],
  )
  await bumpCounters(tx, [{ teamId, name: WEBHOOK_COUNTER, by: 1 }])
}

export async function findWebhook(db: Queryable, teamId: string, id: string): Promise<Webhook | null> {
  const rows = await db.query<Webhook>(
    `select ${COLUMNS}
     from webhook
     where team_id = $1 and id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** Returns the webhook and locks it until the transaction ends. */
export async function lockWebhook(tx: Tx, teamId: string, id: string): Promise<Webhook | null> {
  const rows = await tx.query<Webhook>(
    `select ${COLUMNS}
     from webhook
     where team_id = $1 and id = $2
     for update`,
    [teamId, id],
  )
  return rows[0] ?? null
}

export async function listWebhooks(db: Queryable, teamId: string, range: PageRange): Promise<Rows<Webhook>> {
  return queryRange<Webhook>(db, `select ${COLUMNS} from webhook where team_id = $1`, [teamId], range)
}

/**
 * Saves the owner's changes. The worker continues and learns of the change soon. A new URL starts without the
 * failures and waits of the old one.
 */
export async function updateWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  const { teamId, id, url, description, types, updatedAt } = webhook
  await tx.query(
    `update webhook
     set url = $3, description = $4, types = $5, updated_at = $6,
       failing_since = case when url = $3 then failing_since end,
       probe_at = case when url = $3 then probe_at end
     where team_id = $1 and id = $2`,
    [teamId, id, url, description, types, updatedAt],
  )
}

/**
 * Saves the status. The worker loses its lease at once, so that its pending results do not overwrite the change.
 * After enabling, waiting deliveries are due as before.
 */
export async function updateWebhookStatus(tx: Tx, webhook: Webhook): Promise<void> {
  const { teamId, id, status, disabledReason, disabledAt, position, failingSince } = webhook
  await tx.query(
    `update webhook
     set status = $3, disabled_reason = $4, disabled_at = $5, position = $6, failing_since = $7, leased_by = null,
       leased_until = null, probe_at = null,
       next_retry_at = (
         select min(due_at)
         from webhook_delivery
         where team_id = $1 and webhook_id = $2 and due_at is not null
       )
     where team_id = $1 and id = $2`,
    [teamId, id, status, disabledReason, disabledAt, position, failingSince],
  )
}

export async function updateWebhookSecret(tx: Tx, webhook: Webhook): Promise<void> {
  const { teamId, id, sealedSecret, sealedOldSecret, oldSecretUntil, updatedAt } = webhook
  await tx.query(
    `update webhook
     set sealed_secret = $3, sealed_old_secret = $4, old_secret_until = $5, updated_at = $6
     where team_id = $1 and id = $2`,
    [teamId, id, sealedSecret, sealedOldSecret, oldSecretUntil, updatedAt],
  )
}

/** Sets the next retry to `at` at the latest. Returns false if the webhook does not exist or is disabled. */
export async function bringRetryForward(tx: Tx, teamId: string, id: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update webhook
     set next_retry_at = least(next_retry_at, $3)
     where team_id = $1 and id = $2 and status = 'enabled'
     returning id`,
    [teamId, id, at],
  )
  return rows.length > 0
}

const RETRIES = batchOf('team_id uuid, id uuid, at timestamptz')
const CALLS = batchOf('team_id uuid, webhook_id uuid, id uuid, at timestamptz')

/**
 * Sets the next retries of enabled webhooks, each to the time of its calls at the latest, in the last statements of the
 * transaction: their workers wait for these rows only briefly. Fails the calls of a webhook that was disabled or deleted since
 * the caller read it: whoever disabled it did not see them.
 */
export function bringCallsForward(tx: Tx, calls: readonly Call[]): void {
  tx.writeLast('webhook retries', calls, writeCalls)
}

/** A delivery that was inserted in this transaction. */
interface Call {
  teamId: string
  webhookId: string
  id: string
  at: Date
}

async function writeCalls(tx: Queryable, calls: readonly Call[]): Promise<void> {
  // A statement may change a row once. Sorted in the same order in all processes, to prevent deadlocks.
  const byWebhook = new Map(calls.map((call) => [`${call.teamId} ${call.webhookId}`, call]))
  const retries = [...byWebhook.keys()].sort().map((key) => {
    const { teamId, webhookId: id, at } = byWebhook.get(key) as Call
    return { teamId, id, at }
  })
  // The first waits for a transaction that disables a webhook, and the second sees what that one committed.
  await together([
    tx.query(
      `update webhook w
       set next_retry_at = least(w.next_retry_at, k.at)
       from unnest(${RETRIES.arrays}) as k (${RETRIES.names})
       where w.team_id = k.team_id and w.id = k.id and w.status = 'enabled'`,
      RETRIES.values(retries),
    ),
    tx.query(
      `update webhook_delivery d
       set status = 'failed', due_at = null, updated_at = k.at
       from unnest(${CALLS.arrays}) as k (${CALLS.names})
       where d.team_id = k.team_id and d.webhook_id = k.webhook_id and d.id = k.id
         and not exists (
           select from webhook w where w.team_id = k.team_id and w.id = k.webhook_id and w.status = 'enabled'
         )`,
      CALLS.values(calls),
    ),
  ])
}

/** Deletes a webhook. Returns false if there is none. Its deliveries are unreachable and expire by retention. */
export async function deleteWebhook(tx: Tx, teamId: string, id: string): Promise<boolean> {
  const rows = await tx.query('delete from webhook where team_id = $1 and id = $2 returning id', [teamId, id])
  if (rows.length === 0) return false
  await bumpCounters(tx, [{ teamId, name: WEBHOOK_COUNTER, by: -1 }])
  return true
}

/** Notifies the processes that send webhooks once this is committed. They also poll. */
export async function hintWebhooks(tx: Tx): Promise<void> {
  await notify(tx, 'sendwright_events')
}
