import type { Queryable, Tx } from '../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../db/page.ts'

export interface Sender {
  teamId: string
  id: string
  domainId: string
  /** A-label, lower case. */
  domainName: string
  /** The display name. */
  name: string
  /** The local part. */
  username: string
  /** The address: local part and domain. */
  email: string
  /** A bare address. Null: replies go to the sender. */
  replyTo: string | null
  createdAt: Date
  updatedAt: Date
}

/** The name of the counter for the `total` of the list. */
export const SENDER_COUNTER = 'senders'

const COLUMNS = `s.team_id, s.id, s.domain_id, d.name as domain_name, s.name, s.username,
  s.username || '@' || d.name as email, s.reply_to, s.created_at,
  s.updated_at`
/** A domain exists as long as its senders (domains/domains.ts), so the join drops none. */
const TABLES = `sender s
  join domain d on d.team_id = s.team_id and d.id = s.domain_id`

/** Violates `sender_username_unique` if the domain already has such a sender. */
export async function insertSender(tx: Tx, sender: Sender): Promise<void> {
  await tx.query(
    `insert into sender (team_id, id, domain_id, name, username, reply_to, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      sender.teamId,
      sender.id,
      sender.domainId,
      sender.name,
      sender.username,
      sender.replyTo,
      sender.createdAt,
      sender.updatedAt,
    ],
  )
}

/** Violates `sender_username_unique` if the domain already has such a sender. */
export async function updateSender(tx: Tx, sender: Sender): Promise<void> {
  await tx.query(
    `update sender
     set domain_id = $3, name = $4, username = $5, reply_to = $6, updated_at = $7
     where team_id = $1 and id = $2`,
    [
      sender.teamId,
      sender.id,
      sender.domainId,
      sender.name,
      sender.username,
      sender.replyTo,
      sender.updatedAt,
    ],
  )
}

export async function findSender(db: Queryable, teamId: string, id: string): Promise<Sender | null> {
  const rows = await db.query<Sender>(
    `select ${COLUMNS}
     from ${TABLES}
     where s.team_id = $1 and s.id = $2`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** @param domain A-label, lower case */
export async function findSenderByEmail(
  db: Queryable,
  teamId: string,
  username: string,
  domain: string,
): Promise<Sender | null> {
  const rows = await db.query<Sender>(
    `select ${COLUMNS}
     from ${TABLES}
     where s.team_id = $1 and d.name = $3 and lower(s.username) = lower($2)`,
    [teamId, username, domain],
  )
  return rows[0] ?? null
}

/** Returns the sender and locks it against deletion until the transaction ends, for a row that refers to it. */
export async function lockSender(tx: Tx, teamId: string, id: string): Promise<Sender | null> {
  const rows = await tx.query<Sender>(
    `select ${COLUMNS}
     from ${TABLES}
     where s.team_id = $1 and s.id = $2
     for key share of s`,
    [teamId, id],
  )
  return rows[0] ?? null
}

/** Returns the sender for its change or deletion, locked against changes and new uses until the transaction ends. */
export async function holdSender(tx: Tx, teamId: string, id: string): Promise<Sender | null> {
  const rows = await tx.query<Sender>(
    `select ${COLUMNS}
     from ${TABLES}
     where s.team_id = $1 and s.id = $2
     for update of s`,
    [teamId, id],
  )
  return rows[0] ?? null
}

export async function listSenders(db: Queryable, teamId: string, range: PageRange): Promise<Rows<Sender>> {
  return queryRange<Sender>(
    db,
    `select ${COLUMNS} from ${TABLES} where s.team_id = $1`,
    [teamId],
    range,
    's.id',
  )
}

/**
 * Returns where the sender is used. Must be called while it is locked: uses in other transactions are then visible or
 * wait.
 */
export async function findSenderUses(
  tx: Tx,
  teamId: string,
  id: string,
): Promise<{ byCampaigns: boolean; byAutomations: boolean; byTemplates: boolean }> {
  const rows = await tx.query<{ byCampaigns: boolean; byAutomations: boolean; byTemplates: boolean }>(
    `select exists (select from campaign where team_id = $1 and sender_id = $2) as by_campaigns,
       exists (select from automation_use where team_id = $1 and kind = 'sender' and used_id = $2)
         as by_automations,
       exists (select from template where team_id = $1 and sender_id = $2) as by_templates`,
    [teamId, id],
  )
  return rows[0] as { byCampaigns: boolean; byAutomations: boolean; byTemplates: boolean }
}

export async function isDomainUsedBySenders(tx: Tx, teamId: string, domainId: string): Promise<boolean> {
  const rows = await tx.query(
    `select id
     from sender
     where team_id = $1 and domain_id = $2
     limit 1`,
    [teamId, domainId],
  )
  return rows.length > 0
}

export async function deleteSender(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.query('delete from sender where team_id = $1 and id = $2', [teamId, id])
}
