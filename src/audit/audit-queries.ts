import { batchOf } from '../db/batch.ts'
import type { Queryable } from '../db/db-types.ts'
import { FILTERED_TOTAL_MAX, type PageRange, queryRange, type Rows } from '../db/page.ts'
import { firstIdAt } from '../lib/ids.ts'

/** One entry of the audit log. */
export interface AuditEntry {
  teamId: string
  id: string
  actorKind: 'key' | 'user' | 'operator'
  actorId: string | null
  /** For example `templates.publish`. */
  action: string
  targetId: string | null
  /** Names of the changed fields, never their values. */
  fields: readonly string[]
  ipAddress: string | null
  userAgent: string | null
  requestId: string | null
  createdAt: Date
}

/** An entry with the name of its actor. */
export interface DescribedAuditEntry extends AuditEntry {
  actorName: string | null
}

export const AUDIT_COUNTER = 'audit'

const ENTRIES = batchOf(
  `team_id uuid, id uuid, actor_kind text, actor_id uuid, action text, target_id uuid, fields jsonb, ip_address text,
   user_agent text, request_id uuid, created_at timestamptz`,
)

/**
 * Inserts entries. Inserting one again changes nothing, because a transaction may be retried when the response to its
 * commit was lost. One statement, because the commit is sent behind the first one.
 */
export async function insertAudit(tx: Queryable, entries: readonly AuditEntry[]): Promise<void> {
  await tx.query(
    `with made as (
       insert into audit (${ENTRIES.names})
       select team_id, id, actor_kind, actor_id, action, target_id,
         array(select jsonb_array_elements_text(fields)), ip_address, user_agent, request_id, created_at
       from unnest(${ENTRIES.arrays}) as row (${ENTRIES.names})
       on conflict do nothing
       returning team_id
     )
     insert into counter as c (team_id, name, value)
     select team_id, '${AUDIT_COUNTER}', count(*)
     from made
     group by team_id
     order by team_id
     on conflict (team_id, name) do update
     set value = c.value + excluded.value`,
    ENTRIES.values(entries),
  )
}

/** Sets the target of an entry. The id of a created record is known only after its creation. */
export async function setAuditTarget(
  db: Queryable,
  { teamId, id }: Pick<AuditEntry, 'teamId' | 'id'>,
  targetId: string,
): Promise<void> {
  await db.query('update audit set target_id = $3 where team_id = $1 and id = $2', [teamId, id, targetId])
}

export interface AuditFilter {
  actorId?: string
  targetId?: string
  /** A full action, or a prefix that ends with a dot: `templates.`. */
  action?: string
  from?: Date
  to?: Date
}

function conditionsOf(teamId: string, { actorId, targetId, action, from, to }: AuditFilter) {
  const values: unknown[] = [teamId]
  const place = (value: unknown) => `$${values.push(value)}`
  const parts = ['a.team_id = $1']
  if (actorId !== undefined) parts.push(`a.actor_id = ${place(actorId)}`)
  if (targetId !== undefined) parts.push(`a.target_id = ${place(targetId)}`)
  if (action?.endsWith('.')) parts.push(`starts_with(a.action, ${place(action)})`)
  else if (action !== undefined) parts.push(`a.action = ${place(action)}`)
  // Ids start with the time, so this limits the scan.
  if (from !== undefined) parts.push(`a.id >= ${place(firstIdAt(from))}`)
  if (to !== undefined) parts.push(`a.id < ${place(firstIdAt(to))}`)
  return { where: parts.join(' and '), values, isFiltered: parts.length > 1 }
}

export async function listAudit(
  db: Queryable,
  teamId: string,
  filter: AuditFilter,
  range: PageRange,
): Promise<Rows<DescribedAuditEntry>> {
  const { where, values } = conditionsOf(teamId, filter)
  const select = `select a.team_id, a.id, a.actor_kind, a.actor_id,
       coalesce(k.name, u.name) as actor_name, a.action, a.target_id, a.fields, a.ip_address,
       a.user_agent, a.request_id, a.created_at
     from audit a
     left join api_key k on k.team_id = a.team_id and k.id = a.actor_id
     left join user_account u on u.id = a.actor_id and a.actor_kind = 'user'
     where ${where}`
  return queryRange<DescribedAuditEntry>(db, select, values, range, 'a.id')
}

/** Counts a filtered list, up to FILTERED_TOTAL_MAX. Returns null without a filter: use the counter. */
export async function countAudit(db: Queryable, teamId: string, filter: AuditFilter): Promise<number | null> {
  const { where, values, isFiltered } = conditionsOf(teamId, filter)
  if (!isFiltered) return null
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1 from audit a where ${where} limit ${FILTERED_TOTAL_MAX}) as counted`,
    values,
  )
  return rows[0]?.count ?? 0
}

/** Deletes up to `countMax` entries of all teams from before `before`. Returns the number deleted. */
export async function forgetAudit(db: Queryable, before: Date, countMax: number): Promise<number> {
  const rows = await db.query(
    `with deleted as (
       delete from audit a
       using (
         select team_id, id
         from audit
         where created_at < $1
         limit $2
         for update skip locked
       ) old
       where a.team_id = old.team_id and a.id = old.id
       returning a.team_id
     ),
     counted as (
       update counter c
       set value = c.value - g.count
       from (select team_id, count(*) as count from deleted group by team_id) g
       where c.team_id = g.team_id and c.name = '${AUDIT_COUNTER}'
     )
     select team_id from deleted`,
    [before, countMax],
  )
  return rows.length
}
