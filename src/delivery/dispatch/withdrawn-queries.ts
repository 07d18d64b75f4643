import { arrays } from '../../db/arrays.ts'
import type { Db } from '../../db/db-types.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { Withdrawal } from '../sites/outcomes.ts'

/** A person may unsubscribe or delete a contact at any time. The last email of a run that does so itself is still sent. */
const OF_AUTOMATIONS = `select k.position::int4, case when o.unsubscribed then 'suppressed' else 'deleted' end
  from unnest($1::uuid[], $3::uuid[]) with ordinality as k (team_id, email_id, position)
  join automation_step_taken t on t.team_id = k.team_id and t.email_id = k.email_id and t.email_id is not null
  join automation_run r on r.team_id = t.team_id and r.id = t.run_id
  join contact o on o.team_id = r.team_id and o.id = r.contact_id
  where (o.unsubscribed or o.deleted_at is not null and o.deleted_at is distinct from r.ended_at)
    and not exists (
      select from automation_step_taken l
      where l.team_id = t.team_id and l.run_id = t.run_id and l.no > t.no and l.detail -> 'changes' -> 'unsubscribed' = 'true'
    )`

/**
 * Returns the deliveries that must not be attempted now: those to addresses that are now on their team's suppression list or
 * have unsubscribed from the email's topic or list, even if only the hash of the address is stored, or from all campaigns;
 * those to people whose data is being erased; those of campaigns that are paused or canceled, or to deleted contacts; and those of
 * automations to contacts that have unsubscribed or were deleted since, unless a later step of the same run did it.
 */
export async function findWithdrawn(
  db: Db,
  hashAddress: HashAddress,
  deliveries: readonly DueDelivery[],
): Promise<Map<DueDelivery, Withdrawal>> {
  const places = deliveries.flatMap(({ isBulk }, index) => (isBulk ? index + 1 : []))
  const bulk = places.map((place) => deliveries[place - 1] as DueDelivery)
  const rows = await db.query<{ position: number; withdrawal: Withdrawal }>(
    `select k.position::int4 as position, 'suppressed' as withdrawal
     from unnest($1::uuid[], $2::text[]) with ordinality as k (team_id, email, position)
     join suppression s on s.team_id = k.team_id and s.email = k.email
     union
     select k.position::int4, 'suppressed'
     from unnest($1::uuid[], $4::text[]) with ordinality as k (team_id, hash, position)
     join suppression s on s.team_id = k.team_id and s.email = k.hash
     union
     select k.position::int4, 'suppressed'
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (team_id, email, email_id, position)
     join erasure e on e.team_id = k.team_id and e.address = k.email and e.id > k.email_id
     union
     select k.position::int4, 'suppressed'
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (team_id, email, email_id, position)
     join unsubscription u on u.team_id = k.team_id and u.email = k.email
     join email_content c on c.team_id = k.team_id and c.email_id = k.email_id and c.unsubscribe_scope = u.scope
     union
     select k.position::int4, 'suppressed'
     from unnest($1::uuid[], $4::text[], $3::uuid[]) with ordinality as k (team_id, hash, email_id, position)
     join unsubscription u on u.team_id = k.team_id and u.email = k.hash
     join email_content c on c.team_id = k.team_id and c.email_id = k.email_id and c.unsubscribe_scope = u.scope
     union
     select k.position,
       case when o.unsubscribed then 'suppressed' when c.status = 'canceled' then 'canceled'
         when o.deleted_at is not null then 'deleted' else 'held' end
     from unnest($5::uuid[], $6::uuid[], $7::int4[]) as k (team_id, email_id, position)
     join campaign_recipient r on r.team_id = k.team_id and r.email_id = k.email_id
     join campaign c on c.team_id = r.team_id and c.id = r.campaign_id
     left join contact o on o.team_id = r.team_id and o.id = r.contact_id
     where c.status in ('paused', 'canceled') or o.unsubscribed or o.deleted_at is not null
     union
     ${OF_AUTOMATIONS}
     order by 2`,
    [
      arrays.uuid(deliveries.map((delivery) => delivery.teamId)),
      arrays.text(deliveries.map((delivery) => delivery.addressKey)),
      arrays.uuid(deliveries.map((delivery) => delivery.emailId)),
      arrays.text(deliveries.map(({ teamId, addressKey }) => hashAddress(teamId, addressKey))),
      arrays.uuid(bulk.map(({ teamId }) => teamId)),
      arrays.uuid(bulk.map(({ emailId }) => emailId)),
      arrays.int4(places),
    ],
  )
  // Of two reasons the last counts: an address that gets no mail gets none from a paused campaign later.
  return new Map(
    rows.map(({ position, withdrawal }) => [deliveries[position - 1] as DueDelivery, withdrawal]),
  )
}
