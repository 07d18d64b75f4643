import { batchOf } from '../db/batch.ts'
import type { Queryable } from '../db/db-types.ts'
import { LEASE_MS } from './lease-queries.ts'
import { type Choice, FIRST_ID } from './ready-destinations.ts'
import type { DueDelivery } from './types.ts'

export interface ClaimOrder {
  nodeId: string
  now: Date
  countMax: number
}

/** How much of a chosen destination a claim saw, and the first row there. */
export interface SeenRow {
  /** Index of the destination in the choice, from 1. */
  place: number
  seenCount: number
  firstDueAt: string
  emailId: string
}

/** A delivery with the fields of its email. */
export type DueRow = Omit<DueDelivery, 'leasedUntilMs' | 'checkedAtMs' | 'message' | 'tags'>

interface ClaimedRow extends DueRow {
  place: null
}

/** Claims the oldest ready deliveries of the chosen destinations, and returns what it saw of each. */
export async function claimFrom(
  db: Queryable,
  choice: Choice,
  order: ClaimOrder,
): Promise<{ seen: SeenRow[]; claimed: DueDelivery[] }> {
  const leasedUntil = new Date(order.now.getTime() + LEASE_MS)
  const values = [order.nodeId, order.now, order.countMax, leasedUntil, choice.share, choice.bulkShare]
  const rows = await db.query<ClaimedRow | SeenRow>(CLAIM, [
    ...values,
    ...DESTINATIONS.values(choice.destinations),
  ])
  const claimed = rows.filter((row) => row.place === null)
  return {
    seen: rows.filter((row) => row.place !== null),
    claimed: claimed.map((row) => asDue(row, leasedUntil.getTime(), order.now.getTime())),
  }
}

/** Prepares the statement of a claim on a connection, and claims nothing. */
export async function prepareClaim(db: Queryable): Promise<void> {
  const nothing = { destinations: [], share: 0, bulkShare: 0 }
  await claimFrom(db, nothing, { nodeId: FIRST_ID, now: new Date(0), countMax: 0 })
}

type Destination = Choice['destinations'][number]

const DESTINATIONS = batchOf(
  'team_id uuid, is_bulk bool, domain text, from_due_at text, from_email_id uuid, rows_max int4, bulk_first int4',
  {
    from_due_at: ({ from }: Destination) => from.dueAt,
    from_email_id: ({ from }: Destination) => from.emailId,
  },
)

/**
 * For PostgreSQL only (LATERAL with FOR UPDATE): the oldest ready rows of each destination, then a round-robin over
 * teams and destinations, in which a team's transactional rows go first, except for its first `bulk_first` bulk rows.
 * Rows with a `place` describe how much of the destination at that place was seen; the others are the claimed rows.
 */
const CLAIM = `
with candidate as (
  select p.place, p.team_id, p.is_bulk as bulk, p.domain, p.bulk_first, row.email_id, row.no, row.due_at,
    row_number() over (partition by p.place order by row.due_at, row.email_id) as turn,
    count(*) over (partition by p.place) as seen_count
  from unnest(${DESTINATIONS.arraysFrom(7)}) with ordinality as p (${DESTINATIONS.names}, place)
  cross join lateral (
    select d.email_id, d.no, d.due_at
    from delivery d
    where d.team_id = p.team_id and d.bulk = p.is_bulk and d.domain = p.domain and d.ready
      and (d.due_at, d.email_id) >= (p.from_due_at::timestamptz, p.from_email_id)
    order by d.due_at, d.email_id
    limit p.rows_max
  ) row
),
ranked as (
  select c.*, row_number() over (partition by c.team_id, c.bulk order by c.turn, c.domain) as class_turn
  from candidate c
),
picked as (
  select c.team_id, c.email_id, c.no, c.place
  from (
    select c.team_id, c.email_id, c.no, c.place,
      row_number() over (
        partition by c.team_id
        order by case when not c.bulk then 1 when c.class_turn <= c.bulk_first then 0 else 2 end, c.class_turn
      ) as team_turn
    from ranked c
    where not c.bulk or c.class_turn <= $6
    order by team_turn
    limit $3
  ) c
  where c.team_turn <= $5
),
chosen as (
  select d.team_id, d.email_id, d.no
  from picked c
  join delivery d on d.team_id = c.team_id and d.email_id = c.email_id and d.no = c.no
  where d.ready
  for update of d skip locked
),
claimed as (
  update delivery d
  set ready = false, leased_until = $4, leased_by = $1, updated_at = $2
  from chosen c
  join email e on e.team_id = c.team_id and e.id = c.email_id
  where d.team_id = c.team_id and d.email_id = c.email_id and d.no = c.no
  returning d.team_id, d.email_id, d.no, d.address, d.address_key, d.domain, d.attempts, d.expires_at,
    e.domain_id, e.created_at, e.recipient_count, e.size as size_bytes, d.bulk as is_bulk
)
select null::int4 as place, null::int4 as seen_count, null as first_due_at, c.*
from claimed c
union all
select place::int4, seen_count::int4, due_at::text, null, email_id, null, null, null, null, null, null, null, null, null, null,
  null
from candidate
where turn = 1`

/** Adds the lease to the row of a delivery. Its content and tags are loaded later. */
export function asDue(row: DueRow, leasedUntilMs: number, checkedAtMs: number): DueDelivery {
  return {
    teamId: row.teamId,
    emailId: row.emailId,
    no: row.no,
    address: row.address,
    addressKey: row.addressKey,
    domain: row.domain,
    domainId: row.domainId,
    attempts: row.attempts,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    recipientCount: row.recipientCount,
    isBulk: row.isBulk,
    sizeBytes: row.sizeBytes,
    leasedUntilMs,
    checkedAtMs,
    message: null,
    tags: null,
  }
}
