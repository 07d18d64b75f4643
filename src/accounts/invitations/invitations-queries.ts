import type { Role } from '../../access/memberships-queries.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'

export interface Invitation {
  teamId: string
  id: string
  /** As addresses are compared. */
  email: string
  role: Role
  /** Null: an operator at the command line. */
  invitedBy: string | null
  createdAt: Date
  /** Of the link that was made last. */
  expiresAt: Date
}

/** With what its reader is told of where it leads. */
export interface ToldInvitation extends Invitation {
  teamName: string
  /** Null: nobody with a name invited. */
  inviterName: string | null
}

const COLUMNS = `i.team_id, i.id, i.email, i.role, i.invited_by, i.created_at,
  i.expires_at`

/** Violates `invitation_email_unique` when the team has invited the address already. */
export async function insertInvitation(tx: Tx, invitation: Invitation, tokenHash: Buffer): Promise<void> {
  await tx.query(
    `insert into invitation (team_id, id, email, role, invited_by, token_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      invitation.teamId,
      invitation.id,
      invitation.email,
      invitation.role,
      invitation.invitedBy,
      tokenHash,
      invitation.createdAt,
      invitation.expiresAt,
    ],
  )
}

export async function lockInvitation(tx: Tx, teamId: string, id: string): Promise<Invitation | null> {
  const rows = await tx.query<Invitation>(
    `select ${COLUMNS} from invitation i where i.team_id = $1 and i.id = $2 for update`,
    [teamId, id],
  )
  return rows[0] ?? null
}

export async function listInvitations(
  db: Queryable,
  teamId: string,
  range: PageRange,
): Promise<Rows<Invitation>> {
  const select = `select ${COLUMNS} from invitation i where i.team_id = $1`
  return queryRange<Invitation>(db, select, [teamId], range, 'i.id')
}

export async function countInvitations(db: Queryable, teamId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int4 as count from invitation where team_id = $1',
    [teamId],
  )
  return rows[0]?.count ?? 0
}

/** Another link in place of the one before. */
export async function updateInvitationLink(
  tx: Tx,
  { teamId, id, expiresAt }: Pick<Invitation, 'teamId' | 'id' | 'expiresAt'>,
  tokenHash: Buffer,
): Promise<void> {
  await tx.query(
    `update invitation
     set token_hash = $3, expires_at = $4
     where team_id = $1 and id = $2`,
    [teamId, id, tokenHash, expiresAt],
  )
}

/** Whose link it is, whatever the team; null: nobody's, or it is too old. */
export async function findInvitationByHash(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<ToldInvitation | null> {
  const rows = await db.query<ToldInvitation>(
    `select ${COLUMNS}, t.name as team_name, u.name as inviter_name
     from invitation i
     join team t on t.id = i.team_id
     left join user_account u on u.id = i.invited_by
     where i.token_hash = $1 and i.expires_at > $2`,
    [tokenHash, now],
  )
  return rows[0] ?? null
}

/** Uses the invitation up, if its link is still this one. False: somebody else was quicker. */
export async function takeInvitation(
  tx: Tx,
  { teamId, id }: Pick<Invitation, 'teamId' | 'id'>,
  tokenHash: Buffer,
): Promise<boolean> {
  const rows = await tx.query(
    'delete from invitation where team_id = $1 and id = $2 and token_hash = $3 returning id',
    [teamId, id, tokenHash],
  )
  return rows.length > 0
}

export async function deleteInvitation(db: Queryable, teamId: string, id: string): Promise<boolean> {
  return (
    (await db.query('delete from invitation where team_id = $1 and id = $2 returning id', [teamId, id]))
      .length > 0
  )
}

/** What somebody promised in a team who may not promise it any more. */
export async function deleteInvitationsBy(tx: Tx, teamId: string, userId: string): Promise<void> {
  await tx.query('delete from invitation where team_id = $1 and invited_by = $2', [teamId, userId])
}

/** Of whatever team. */
export async function deleteInvitationsTo(tx: Tx, email: string): Promise<void> {
  await tx.query('delete from invitation where email = $1', [email])
}
