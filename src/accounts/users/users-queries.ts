import type { Queryable, Tx } from '../../db/db-types.ts'

/** A person who logs in. */
export interface User {
  id: string
  /** In normalized form (mime/address.ts, suppressionKey). */
  email: string
  name: string
  /** A PHC string; null if no password was ever set. */
  passwordHash: string | null
  passwordChangedAt: Date | null
  isOperator: boolean
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = `id, email, name, password_hash, password_changed_at,
  is_operator, created_at, updated_at`

/** Violates `user_account_email_unique` if the address is taken. */
export async function insertUser(tx: Tx, user: User): Promise<void> {
  await tx.query(
    `insert into user_account (id, email, name, password_hash, password_changed_at, is_operator, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      user.id,
      user.email,
      user.name,
      user.passwordHash,
      user.passwordChangedAt,
      user.isOperator,
      user.createdAt,
      user.updatedAt,
    ],
  )
}

export async function findUser(db: Queryable, id: string): Promise<User | null> {
  const rows = await db.query<User>(`select ${COLUMNS} from user_account where id = $1`, [id])
  return rows[0] ?? null
}

export async function findUserByEmail(db: Queryable, email: string): Promise<User | null> {
  const rows = await db.query<User>(`select ${COLUMNS} from user_account where email = $1`, [email])
  return rows[0] ?? null
}

/** Locks the row until the transaction ends. */
export async function lockUser(tx: Tx, id: string): Promise<User | null> {
  const rows = await tx.query<User>(`select ${COLUMNS} from user_account where id = $1 for update`, [id])
  return rows[0] ?? null
}

export async function hasUsers(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from user_account limit 1')).length > 0
}

/** Lists users, oldest first. */
export async function listUsers(db: Queryable, after: string | null, countMax: number): Promise<User[]> {
  return db.query<User>(
    `select ${COLUMNS}
     from user_account
     where $1::uuid is null or id > $1
     order by id
     limit $2`,
    [after, countMax],
  )
}

/** Saves the name and the operator flag of a user. */
export async function updateUser(tx: Queryable, user: User): Promise<void> {
  await tx.query(
    `update user_account
     set name = $2, is_operator = $3, updated_at = $4
     where id = $1`,
    [user.id, user.name, user.isOperator, user.updatedAt],
  )
}

/** @param passwordHash null removes the password */
export async function updateUserPassword(
  db: Queryable,
  id: string,
  passwordHash: string | null,
  now: Date,
): Promise<void> {
  await db.query(
    `update user_account
     set password_hash = $2, password_changed_at = $3, updated_at = $3
     where id = $1`,
    [id, passwordHash, now],
  )
}

/** Saves the same password with newer parameters, unless it was changed in the meantime. */
export async function rehashUserPassword(db: Queryable, id: string, from: string, to: string): Promise<void> {
  await db.query('update user_account set password_hash = $3 where id = $1 and password_hash = $2', [
    id,
    from,
    to,
  ])
}

export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from user_account where id = $1', [id])
}
