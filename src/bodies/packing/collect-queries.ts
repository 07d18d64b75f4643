import type { Queryable } from '../../db/db-types.ts'

/** Gives up packs that a packer began before `before` and did not finish. It cannot finish them any more. */
export async function giveUpPacks(db: Queryable, before: Date, now: Date): Promise<void> {
  await db.query(
    `update body_pack
     set state = 'unused', changed_at = $2
     where state = 'writing' and changed_at < $1`,
    [before, now],
  )
}

export interface PackKey {
  teamId: string
  id: string
}

/**
 * Marks packs that no email names, among the next `countMax` packs written before `before`. Returns the last of these, or
 * null at the end.
 */
export async function markUnusedPacks(
  db: Queryable,
  after: PackKey,
  { before, now }: { before: Date; now: Date },
  countMax: number,
): Promise<PackKey | null> {
  const scanned = await db.query<PackKey & { isUnused: boolean }>(
    `select p.team_id, p.id, not exists (
         select from packed_content c
         where c.team_id = p.team_id and c.email_id >= p.first_email_id and c.email_id <= p.last_email_id
           and c.pack_id = p.id
       ) as is_unused
     from (
       select *
       from body_pack
       where (team_id, id) > ($1::uuid, $2::uuid) and state = 'written' and changed_at < $3
       order by team_id, id
       limit $4
     ) p
     order by p.team_id, p.id`,
    [after.teamId, after.id, before, countMax],
  )
  for (const { teamId, id } of scanned.filter(({ isUnused }) => isUnused)) {
    await db.query(
      `update body_pack
       set state = 'unused', changed_at = $3
       where team_id = $1 and id = $2 and state = 'written'`,
      [teamId, id, now],
    )
  }
  return scanned.length === countMax ? (scanned.at(-1) ?? null) : null
}

/** Lists the next `countMax` packs after `after`, up to `until`, that became unused before `before`. */
export async function listUnusedPacks(
  db: Queryable,
  { after, until, before }: { after: PackKey; until: PackKey; before: Date },
  countMax: number,
): Promise<PackKey[]> {
  return db.query<PackKey>(
    `select team_id, id
     from body_pack
     where (team_id, id) > ($1::uuid, $2::uuid) and (team_id, id) <= ($3::uuid, $4::uuid)
       and state = 'unused' and changed_at < $5
     order by team_id, id
     limit $6`,
    [after.teamId, after.id, until.teamId, until.id, before, countMax],
  )
}

export async function deletePack(db: Queryable, { teamId, id }: PackKey): Promise<void> {
  await db.query(`delete from body_pack where team_id = $1 and id = $2 and state = 'unused'`, [teamId, id])
}
