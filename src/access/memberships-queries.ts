import type { Queryable, Tx } from '../db/db-types.ts'
import { type PageRange, queryRange, type Rows } from '../db/page.ts'

export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export interface Membership {
  teamId: string
  userId: string
  role: Role
  /** Whether groups of the OpenID provider gave the role. */
  byGroups: boolean
  createdAt: Date
  updatedAt: Date
}

/** A member of a team, with email address and name. */
export interface Member extends Membership {
  email: string
  name: string
}

const COLUMNS = `m.team_id, m.user_id, m.role, m.by_groups, m.created_at,
  m.updated_at`
const MEMBER = `${COLUMNS}, u.email, u.name`

/** Inserts a membership. Returns false and writes nothing when the user is already a member. */
export async function insertMembership(tx: Tx, membership: Omit<Membership, 'byGroups'>): Promise<boolean> {
  const rows = await tx.query(
    `insert into membership (team_id, user_id, role, created_at, updated_at)
     values ($1, $2, $3, $4, $5)
     on conflict (team_id, user_id) do nothing
     returning user_id`,
    [membership.teamId, membership.userId, membership.role, membership.createdAt, membership.updatedAt],
  )
  return rows.length > 0
}

/** Inserts a membership that groups of the OpenID provider give, unless the user is a member. */
export async function insertGroupMembership(tx: Tx, membership: Omit<Membership, 'byGroups'>): Promise<void> {
  await tx.query(
    `insert into membership (team_id, user_id, role, by_groups, created_at, updated_at)
     values ($1, $2, $3, true, $4, $5)
     on conflict (team_id, user_id) do nothing`,
    [membership.teamId, membership.userId, membership.role, membership.createdAt, membership.updatedAt],
  )
}

export async function findMembership(
  db: Queryable,
  teamId: string,
  userId: string,
): Promise<Membership | null> {
  const rows = await db.query<Membership>(
    `select ${COLUMNS} from membership m where m.team_id = $1 and m.user_id = $2`,
    [teamId, userId],
  )
  return rows[0] ?? null
}

export async function findMember(db: Queryable, teamId: string, userId: string): Promise<Member | null> {
  const rows = await db.query<Member>(
    `select ${MEMBER}
     from membership m
     join user_account u on u.id = m.user_id
     where m.team_id = $1 and m.user_id = $2`,
    [teamId, userId],
  )
  return rows[0] ?? null
}

/** Finds a membership and locks it until the transaction ends. */
export async function lockMembership(tx: Tx, teamId: string, userId: string): Promise<Membership | null> {
  const rows = await tx.query<Membership>(
    `select ${COLUMNS} from membership m where m.team_id = $1 and m.user_id = $2 for update`,
    [teamId, userId],
  )
  return rows[0] ?? null
}

/** Lists members, newest user first. */
export async function listMembers(db: Queryable, teamId: string, range: PageRange): Promise<Rows<Member>> {
  const select = `select ${MEMBER}, m.user_id as id
     from membership m
     join user_account u on u.id = m.user_id
     where m.team_id = $1`
  return queryRange<Member & { id: string }>(db, select, [teamId], range, 'm.user_id')
}

export async function countMembers(db: Queryable, teamId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int4 as count from membership where team_id = $1',
    [teamId],
  )
  return rows[0]?.count ?? 0
}

/**
 * Locks all owners of the team until the transaction ends, and returns their number without this user. When two
 * owners leave at the same time, the locks serialize them, and the second sees that it is the last.
 */
export async function lockOtherOwners(tx: Tx, teamId: string, userId: string): Promise<number> {
  const rows = await tx.query<{ userId: string }>(
    `select user_id
     from membership
     where team_id = $1 and role = 'owner'
     order by user_id
     for update`,
    [teamId],
  )
  return rows.filter((row) => row.userId !== userId).length
}

export async function updateRole(
  tx: Tx,
  teamId: string,
  userId: string,
  role: Role,
  now: Date,
): Promise<void> {
  await tx.query(
    `update membership
     set role = $3, updated_at = $4
     where team_id = $1 and user_id = $2`,
    [teamId, userId, role, now],
  )
}

export async function deleteMembership(tx: Tx, teamId: string, userId: string): Promise<boolean> {
  const rows = await tx.query(
    'delete from membership where team_id = $1 and user_id = $2 returning user_id',
    [teamId, userId],
  )
  return rows.length > 0
}

/** Lists the memberships of a user, oldest team first. */
export async function listMembershipsOf(db: Queryable, userId: string): Promise<Membership[]> {
  return db.query<Membership>(
    `select ${COLUMNS}
     from membership m
     where m.user_id = $1
     order by m.team_id`,
    [userId],
  )
}

/** Counts the teams of a user. */
export async function countTeamsOf(db: Queryable, userId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int4 as count from membership where user_id = $1',
    [userId],
  )
  return rows[0]?.count ?? 0
}
