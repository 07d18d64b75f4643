import { contentTimeoutMs } from '../../db/content-timeout.ts'
import type { Queryable } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'
import type { Pieces } from '../../db/pieces.ts'
import { inSlices, joinSlices } from '../rows/content-slices-queries.ts'
import { type EmailScope, WITHHELD } from './read-emails-queries.ts'

/** A message that capture mode stored instead of sending it. */
export interface Captured {
  teamId: string
  id: string
  emailId: string | null
  mailFrom: string
  rcptTo: string
  message: Buffer
  receivedAt: Date
}

/** The message may be in pieces. */
export interface NewCaptured extends Omit<Captured, 'message'> {
  message: Buffer | Pieces
}

/**
 * Inserts a captured message. Returns false for account mail and drops it, because every viewer of the team can read the
 * captured mailbox. Such mail arrives when a server that accepted it for delivery restarts in capture mode.
 */
export async function insertCaptured(db: Queryable, captured: NewCaptured): Promise<boolean> {
  const rows = await db.query(
    `insert into captured (team_id, id, email_id, mail_from, rcpt_to, message, received_at)
     select $1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::bytea, $7::timestamptz
     where not exists (
       select from email_content c
       where c.team_id = $1 and c.email_id = $3 and c.headers -> 0 ->> 0 = $8
     )
     returning 1`,
    [
      captured.teamId,
      captured.id,
      captured.emailId,
      captured.mailFrom,
      captured.rcptTo,
      captured.message,
      captured.receivedAt,
      WITHHELD[0],
    ],
  )
  return rows.length > 0
}

/** The condition on a captured message `c` that it is of the domain $2, unless that is null. */
const OF_DOMAIN = `($2::uuid is null or exists (
       select 1
       from email e
       where e.team_id = $1 and e.id = c.email_id and e.domain_id = $2
     ))`

/** Lists show subjects and not bodies, so only the head of each message is read. */
const HEAD_BYTES = 16_384

export async function listCaptured(
  db: Queryable,
  { teamId, domainId }: EmailScope,
  range: PageRange,
): Promise<Rows<Captured>> {
  return queryRange<Captured>(
    db,
    `select team_id, id, email_id, mail_from, rcpt_to, substring(message from 1 for ${HEAD_BYTES}) as message, received_at
     from captured c
     where team_id = $1 and ${OF_DOMAIN}`,
    [teamId, domainId],
    range,
  )
}

/** Returns the size of a message in bytes, or null if there is none with this id. */
export async function findCapturedSize(
  db: Queryable,
  { teamId, domainId }: EmailScope,
  id: string,
): Promise<number | null> {
  const rows = await db.query<{ size: number }>(
    `select octet_length(message) as size
     from captured c
     where team_id = $1 and ${OF_DOMAIN} and id = $3`,
    [teamId, domainId, id],
  )
  return rows[0]?.size ?? null
}

const COLUMNS = ['team_id', 'id', 'email_id', 'mail_from', 'rcpt_to', 'received_at']

/** @param sizeBytes the result of findCapturedSize, which determines the time limit */
export async function findCaptured(
  db: Queryable,
  teamId: string,
  id: string,
  sizeBytes: number,
): Promise<Captured | null> {
  const rows = await db.query<Captured>(
    `${inSlices(COLUMNS, 'message', 'captured')}
     where team_id = $1 and id = $2
     order by slice`,
    [teamId, id],
    { timeoutMs: contentTimeoutMs(sizeBytes) },
  )
  return (await joinSlices(rows)) ?? null
}

/** Counts the captured messages. The table holds only development mail, so a count is cheap. */
export async function countCaptured(db: Queryable, { teamId, domainId }: EmailScope): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from captured c where team_id = $1 and ${OF_DOMAIN}`,
    [teamId, domainId],
  )
  return Number(rows[0]?.count ?? 0)
}

/** Empties the mailbox of the scope. Returns the number of deleted messages. */
export async function deleteCaptured(db: Queryable, { teamId, domainId }: EmailScope): Promise<number> {
  const rows = await db.query(`delete from captured c where team_id = $1 and ${OF_DOMAIN} returning 1`, [
    teamId,
    domainId,
  ])
  return rows.length
}
