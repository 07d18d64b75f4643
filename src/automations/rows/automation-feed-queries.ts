import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import type { RowLock } from './known-segments-queries.ts'

/**
 * Begins to follow the feed of a team, at its end. If it is followed already, waits for the page that is being followed, which may not
 * know what the automation asks about.
 */
export async function beginToFollow(tx: Tx, teamId: string): Promise<void> {
  await tx.query(
    `insert into automation_feed (team_id, position)
     select $1::uuid, coalesce(max(position), 0)
     from event_feed
     where team_id = $1
     on conflict (team_id) do update
     set position = automation_feed.position`,
    [teamId],
  )
}

/** Finds followed teams with new events, by id after `after`. */
export async function findUnfollowedTeams(
  db: Queryable,
  after: string | null,
  countMax: number,
): Promise<string[]> {
  const rows = await db.query<{ teamId: string }>(
    `select a.team_id
     from automation_feed a
     join event_feed f on f.team_id = a.team_id
     where ($1::uuid is null or a.team_id > $1) and f.position > a.position
     order by a.team_id
     limit $2`,
    [after, countMax],
  )
  return rows.map(({ teamId }) => teamId)
}

/** Returns up to where the feed of a team was followed, and its end. Both are 0 for a team that is not followed. */
export async function findFeedPlaces(
  db: Queryable,
  teamId: string,
): Promise<{ position: number; end: number }> {
  const [places] = await db.query<{ position: number; end: number }>(
    `select f.position, coalesce(e.position, 0) as "end"
     from automation_feed f
     left join event_feed e on e.team_id = f.team_id
     where f.team_id = $1`,
    [teamId],
  )
  return places ?? { position: 0, end: 0 }
}

/**
 * Locks the position of a team. Whoever begins runs or changes automations takes this lock before all others, so that no event is
 * followed between the end of the feed that they saw and their commit. Returns null if the team is not followed, or another process
 * has the lock and `lock` skips that.
 */
export async function lockAutomationFeed(tx: Tx, teamId: string, lock: RowLock): Promise<number | null> {
  const rows = await tx.query<{ position: number }>(
    `select position from automation_feed where team_id = $1 for update ${lock === 'skip' ? 'skip locked' : ''}`,
    [teamId],
  )
  return rows[0]?.position ?? null
}

export async function moveAutomationFeed(tx: Tx, teamId: string, position: number): Promise<void> {
  await tx.query('update automation_feed set position = $2 where team_id = $1', [teamId, position])
}

/** Returns those of the subjects that have events of these types behind a position of the feed. */
export async function findSubjectsOfLater(
  tx: Tx,
  teamId: string,
  position: number,
  types: readonly string[],
  subjectIds: readonly string[],
): Promise<Set<string>> {
  if (subjectIds.length === 0) return new Set()
  const rows = await tx.query<{ id: string }>(
    `select k.id
     from unnest($4::uuid[]) as k (id)
     where exists (
       select from event e
       where e.team_id = $1 and e.subject_id = k.id and e.position > $2 and e.type = any ($3::text[])
     )`,
    [teamId, position, arrays.text(types), arrays.uuid(subjectIds)],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Returns the ids of the contacts with these addresses. */
export async function findContactIdsByEmail(
  db: Queryable,
  teamId: string,
  emails: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const rows = await db.query<{ email: string; id: string }>(
    `select c.email, c.id
     from unnest($2::text[]) as k (email)
     join contact c on c.team_id = $1 and c.email = k.email and c.deleted_at is null`,
    [teamId, arrays.text(emails)],
  )
  return new Map(rows.map(({ email, id }) => [email, id]))
}

/** Returns the campaigns that these emails belong to, by email. */
export async function findCampaignsOfEmails(
  db: Queryable,
  teamId: string,
  emailIds: readonly string[],
): Promise<Map<string, string>> {
  if (emailIds.length === 0) return new Map()
  const rows = await db.query<{ emailId: string; campaignId: string }>(
    `select r.email_id, r.campaign_id
     from unnest($2::uuid[]) as k (email_id)
     join campaign_recipient r on r.team_id = $1 and r.email_id = k.email_id and r.email_id is not null`,
    [teamId, arrays.uuid(emailIds)],
  )
  return new Map(rows.map(({ emailId, campaignId }) => [emailId, campaignId]))
}
