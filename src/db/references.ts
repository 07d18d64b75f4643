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
