import type { Role } from '../../access/memberships-queries.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../../db/page.ts'

export interface Invitation {
  teamId: string
  id: string
  /** In normalized form. */
  email: string
  role: Role
  /** Null for an operator at the command line. */
  invitedBy: string | null
  createdAt: Date
  /** The expiry of the latest link. */
  expiresAt: Date
}

/** An invitation with the names that its recipient sees. */
export interface DescribedInvitation extends Invitation {
  teamName: string
  /** Null if the inviter has no user. */
  inviterName: string | null
}

const COLUMNS = `i.team_id, i.id, i.email, i.role, i.invited_by, i.created_at,
  i.expires_at`

/** Violates `invitation_email_unique` if the team has already invited the address. */
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

/** Replaces the link of an invitation. */
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

/** Returns the invitation of a link in any team, or null if the link is invalid or expired. */
export async function findInvitationByHash(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<DescribedInvitation | null> {
  const rows = await db.query<DescribedInvitation>(
    `select ${COLUMNS}, t.name as team_name, u.name as inviter_name
     from invitation i
     join team t on t.id = i.team_id
     left join user_account u on u.id = i.invited_by
     where i.token_hash = $1 and i.expires_at > $2`,
    [tokenHash, now],
  )
  return rows[0] ?? null
}

/** Deletes an invitation on its acceptance. Returns false if its link changed or another request accepted it first. */
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

/** Deletes the invitations of a user who may no longer invite to the team. */
export async function deleteInvitationsBy(tx: Tx, teamId: string, userId: string): Promise<void> {
  await tx.query('delete from invitation where team_id = $1 and invited_by = $2', [teamId, userId])
}

/** Deletes the invitations to an address in all teams. */
export async function deleteInvitationsTo(tx: Tx, email: string): Promise<void> {
  await tx.query('delete from invitation where email = $1', [email])
}
