import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Transactions } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'
import type { Encoding } from '../../mime/encoding.ts'

/** Returns whether there is a pack, of whatever state. */
export async function hasPacks(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from body_pack limit 1')).length > 0
}

/**
 * Returns the next teams after `after` that have contents in PostgreSQL, with one index probe for each. They may all be
 * young: a condition on their age would read all young contents of a team instead.
 */
export async function listTeamsToPack(
  db: Queryable,
  after: string | null,
  countMax: number,
): Promise<string[]> {
  const rows = await db.query<{ teamId: string }>(
    `with recursive team (team_id, no) as (
       (select team_id, 1
        from email_content
        where $1::uuid is null or team_id > $1
        order by team_id
        limit 1)
       union all
       select (select c.team_id from email_content c where c.team_id > team.team_id order by c.team_id limit 1), no + 1
       from team
       where team_id is not null and no < $2
     )
     select team_id
     from team
     where team_id is not null`,
    [after, countMax],
  )
  return rows.map(({ teamId }) => teamId)
}

export interface BodyCandidate {
  emailId: string
  /** Of the message as stored. */
  bytes: number
  /** Whether no recipient has yet to receive it. */
  isSettled: boolean
}

/** Returns the next contents of a team after `after` and before `before`, oldest first. */
export async function listCandidates(
  db: Queryable,
  teamId: string,
  { after, before }: { after: string; before: string },
  countMax: number,
): Promise<BodyCandidate[]> {
  return db.query<BodyCandidate>(
    `select c.email_id, octet_length(c.message) as bytes, not exists (
         select from delivery d
         where d.team_id = c.team_id and d.email_id = c.email_id and d.due_at is not null
       ) as is_settled
     from email_content c
     where c.team_id = $1 and c.email_id > $2 and c.email_id < $3
     order by c.email_id
     limit $4`,
    [teamId, after, before, countMax],
  )
}

export interface BodyToPack {
  emailId: string
  encoding: Encoding
  message: Buffer
  /** In normalized form. */
  recipients: string[]
}

/** Returns the bodies of these emails, in order, as far as they are still there. */
export async function loadBodies(
  db: Queryable,
  teamId: string,
  emailIds: readonly string[],
): Promise<BodyToPack[]> {
  return db.query<BodyToPack>(
    `select c.email_id, c.encoding, c.message, coalesce((
         select array_agg(d.address_key)
         from delivery d
         where d.team_id = c.team_id and d.email_id = c.email_id
       ), '{}') as recipients
     from unnest($2::uuid[]) as k (email_id)
     join email_content c on c.team_id = $1 and c.email_id = k.email_id
     order by c.email_id`,
    [teamId, arrays.uuid(emailIds)],
  )
}

export interface NewPack {
  teamId: string
  id: string
  dictionaryId: string | null
  firstEmailId: string
  lastEmailId: string
  bytes: number
}

/** Records that an object is about to be written. */
export async function insertPack(db: Queryable, pack: NewPack, now: Date): Promise<void> {
  await db.query(
    `insert into body_pack (team_id, id, dictionary_id, first_email_id, last_email_id, bytes, state, changed_at)
     values ($1, $2, $3, $4, $5, $6, 'writing', $7)`,
    [pack.teamId, pack.id, pack.dictionaryId, pack.firstEmailId, pack.lastEmailId, pack.bytes, now],
  )
}

/** Where the body of an email is in its pack. */
export interface PlacedBody {
  emailId: string
  start: number
  bytes: number
  key: Buffer
}

const PLACES = batchOf('email_id uuid, start int4, bytes int4, key bytea')

/**
 * Moves the contents of these emails to the pack, whose object is written, in one transaction. Skips emails that were
 * erased or have expired since. Returns the number of moved contents. Rejects if the pack was given up.
 * @param places sorted by email
 */
export async function commitPack(
  db: Transactions,
  { teamId, id }: Pick<NewPack, 'teamId' | 'id'>,
  places: readonly PlacedBody[],
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    const written = await tx.query(
      `update body_pack
       set state = 'written', changed_at = $3
       where team_id = $1 and id = $2 and state = 'writing'
       returning 1`,
      [teamId, id, now],
    )
    if (written.length === 0) throw new Error(`The pack ${id} was given up, because it took too long.`)
    // Locked first: what erasure deletes now, or later, it deletes from where it is.
    const locked = await tx.query<{ emailId: string }>(
      `select c.email_id
       from unnest($2::uuid[]) as k (email_id)
       join email_content c on c.team_id = $1 and c.email_id = k.email_id
       order by c.email_id
       for update of c`,
      [teamId, arrays.uuid(places.map(({ emailId }) => emailId))],
    )
    const ids = new Set(locked.map(({ emailId }) => emailId))
    const present = places.filter(({ emailId }) => ids.has(emailId))
    if (present.length === 0) return 0
    await together([
      tx.query(
        `insert into packed_content (team_id, email_id, smtp_utf8, headers, attachments, unsubscribe_scope, pack_id,
           start, bytes, key)
         select c.team_id, c.email_id, c.smtp_utf8, c.headers, c.attachments, c.unsubscribe_scope, $2::uuid, k.start,
           k.bytes, k.key
         from unnest(${PLACES.arraysFrom(3)}) as k (${PLACES.names})
         join email_content c on c.team_id = $1 and c.email_id = k.email_id`,
        [teamId, id, ...PLACES.values(present)],
      ),
      tx.query(
        `delete from email_content c
         using unnest($2::uuid[]) as k (email_id)
         where c.team_id = $1 and c.email_id = k.email_id`,
        [teamId, arrays.uuid(present.map(({ emailId }) => emailId))],
      ),
    ])
    return present.length
  })
}
