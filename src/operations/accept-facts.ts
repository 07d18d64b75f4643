import { arrays } from '../store/arrays.ts'
import type { Db } from '../store/db.ts'
import type { Submission } from './accept-batch.ts'

/** What the database knows about the senders and recipients of a batch. */
export interface Facts {
  /** `team/domain` to the id of the verified domain. */
  domainIds: Map<string, string>
  /** `team/address key` of recipients that get no mail. */
  suppressed: Set<string>
}

/** One look-up for the whole batch. */
export async function lookUpFacts(db: Db, items: readonly Submission[]): Promise<Facts> {
  const teams: string[] = []
  const addresses: string[] = []
  for (const item of items) {
    for (const recipient of item.draft.recipients) {
      teams.push(item.submitter.teamId)
      addresses.push(recipient.key)
    }
  }
  const rows = await db.query<{ kind: 'domain' | 'suppression'; team_id: string; value: string; domain_id: string }>(
    `select 'domain' as kind, v.team_id, v.name as value, v.domain_id
     from verified_domain v
     where v.name = any ($1::text[])
     union all
     select 'suppression', s.team_id, s.email, null
     from unnest($2::uuid[], $3::text[]) as k (team_id, email)
     join suppression s on s.team_id = k.team_id and s.email = k.email`,
    [
      arrays.text([...new Set(items.map((item) => item.draft.from.domain))]),
      arrays.uuid(teams),
      arrays.text(addresses),
    ],
  )
  const facts: Facts = { domainIds: new Map(), suppressed: new Set() }
  for (const row of rows) {
    const key = `${row.team_id}/${row.value}`
    if (row.kind === 'domain') facts.domainIds.set(key, row.domain_id)
    else facts.suppressed.add(key)
  }
  return facts
}
