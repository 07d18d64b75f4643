import { arrays } from './arrays.ts'
import type { Tx } from './db-types.ts'

/** The kinds of records that campaigns and automations refer to. */
export type ReferenceKind = 'sender' | 'template' | 'segment' | 'list' | 'webhook' | 'campaign'

const SELECTS: Record<ReferenceKind, string> = {
  sender: 'select id, true as is_ready from sender',
  template: `select id, status = 'published' as is_ready from template`,
  segment: 'select id, true as is_ready from segment',
  list: 'select id, true as is_ready from list',
  webhook: 'select id, true as is_ready from webhook',
  campaign: 'select id, true as is_ready from campaign',
}

/**
 * Returns those of the ids that the team has, each with whether it can be used for sending (a draft template cannot).
 * None of them can be deleted before the transaction ends.
 */
export async function holdReferences(
  tx: Tx,
  teamId: string,
  kind: ReferenceKind,
  ids: readonly string[],
): Promise<Map<string, { isReady: boolean }>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<{ id: string; isReady: boolean }>(
    `${SELECTS[kind]}
     where team_id = $1 and id = any($2::uuid[])
     order by id
     for key share`,
    [teamId, arrays.uuid(ids)],
  )
  return new Map(rows.map(({ id, isReady }) => [id, { isReady }]))
}

/** Whether a version `v` of an automation `a` is the one of an active automation, or of a run that has not ended. */
export const IS_FOLLOWED = `(a.status = 'active' and v.version = a.version or exists (
    select from automation_run r
    where r.team_id = v.team_id and r.automation_id = v.automation_id and r.version = v.version and r.state <> 'ended'
  ))`

/** Returns a predicate of jsonpath for this text in any case. It may be an id, an alias or a key of a property. */
export const jsonpathIs = (text: string) => `(@ like_regex "^${text.replaceAll('.', '[.]')}$" flag "i")`

/**
 * Returns whether a version that an active automation or a run that has not ended follows names a record. Where runs may begin
 * meanwhile on a version that no longer counts as active, look for the other uses first.
 * @param paths in `{ steps, connections, settings }`; by default wherever the id is
 */
export async function isInFollowedVersion(
  tx: Tx,
  teamId: string,
  id: string,
  paths: readonly string[] = [],
): Promise<boolean> {
  const all = [`$.** ? ${jsonpathIs(id)}`, ...paths].map((path) => `exists(${path})`)
  const rows = await tx.query(
    `with followed as materialized (
       select v.team_id, v.automation_id, v.version
       from automation a
       join automation_version v on v.team_id = a.team_id and v.automation_id = a.id
       where a.team_id = $1
         and ${IS_FOLLOWED}
     )
     select 1
     from followed f
     join automation_version v on v.team_id = f.team_id and v.automation_id = f.automation_id and v.version = f.version
     where jsonb_path_match(v.graph || jsonb_build_object('settings', v.settings), $2::jsonpath)
     limit 1`,
    [teamId, all.join(' || ')],
  )
  return rows.length > 0
}
