import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import type { Addressees } from '../../events/email-facts-queries.ts'

/** The part of a team's feed that a transaction counts. */
export interface MetricFeed {
  teamId: string
  /** Events up to here are counted. */
  position: number
  end: number
  /** Whether `end` is the end of the feed. */
  isWhole: boolean
}

/** Finds teams with uncounted events, by id after `after`. Takes no lock, so other processes may be counting them. */
export async function findUncountedTeams(
  db: Queryable,
  after: string | null,
  countMax: number,
): Promise<string[]> {
  const rows = await db.query<{ teamId: string }>(
    `select f.team_id
     from event_feed f
     left join metric_feed m on m.team_id = f.team_id
     where ($1::uuid is null or f.team_id > $1)
       and f.position > coalesce(m.position, 0)
     order by f.team_id
     limit $2`,
    [after, countMax],
  )
  return rows.map((row) => row.teamId)
}

/** Inserts the missing rows of teams, in a separate statement that does not wait for a counting transaction. */
export async function ensureMetricFeeds(db: Queryable, teams: readonly string[]): Promise<void> {
  await db.query(
    `insert into metric_feed (team_id, position)
     select t.team_id, 0
     from unnest($1::uuid[]) as t (team_id)
     where not exists (select 1 from metric_feed m where m.team_id = t.team_id)
     on conflict do nothing`,
    [arrays.uuid(teams)],
  )
}

/**
 * Locks the teams that have events to count and that no other process is counting.
 * @param positionsMax how many positions of each feed are scanned from its next event on, whether their events are counted or
 *   not. Before it, the feed may have a gap: a restore continues the numbers far behind the last one.
 */
export async function lockMetricFeeds(
  tx: Tx,
  teams: readonly string[],
  positionsMax: number,
): Promise<MetricFeed[]> {
  const rows = await tx.query<MetricFeed>(
    `select m.team_id, m.position, least(f.position, n.start + $2) as end, f.position <= n.start + $2 as is_whole
     from metric_feed m
     join event_feed f on f.team_id = m.team_id
     cross join lateral (
       select coalesce(
         (select e.position - 1 from event e where e.team_id = m.team_id and e.position > m.position
          order by e.position limit 1),
         f.position) as start
     ) n
     where m.team_id = any ($1::uuid[])
     order by m.team_id
     for update of m skip locked`,
    [arrays.uuid(teams), positionsMax],
  )
  // A row that changed while this statement waited is read in its new state, but its feed in the old state, which may
  // lie behind it.
  return rows.filter(({ position, end }) => end > position)
}

const MOVES = batchOf('team_id uuid, position int8, counted_at timestamptz')

const MOVE_METRIC_FEEDS = `update metric_feed m
  set position = n.position, counted_at = coalesce(n.counted_at, m.counted_at)
  from unnest(${MOVES.arrays}) as n (${MOVES.names})
  where m.team_id = n.team_id`

/** Advances positions. A null `countedAt` (no event was counted) keeps the time of the newest event. */
export async function moveMetricFeeds(
  tx: Tx,
  moves: readonly { teamId: string; position: number; countedAt: Date | null }[],
): Promise<void> {
  await tx.query(MOVE_METRIC_FEEDS, MOVES.values(moves))
}

/** The fields of an event that counting needs. */
export interface UncountedEvent {
  teamId: string
  subjectId: string
  type: string
  position: number
  createdAt: Date
  recipient: string | null
  /** The server that replied. For a visit, a later report or an unsubscription, which have none, the one that took the email. */
  mxHost: string | null
  category: string | null
  isReported: boolean
  isMachine: boolean
  isRescheduled: boolean
  /** The type of the recipient's earlier result, which a DSN corrects; null for other events. */
  resultBefore: string | null
  /** Whether this is about a recipient that was suppressed before the email was queued. */
  isSuppressedAtOnce: boolean
  /** The email through which a contact unsubscribed; null for other events. */
  emailId: string | null
}

const FEEDS = batchOf('team_id uuid, position int8, feed_end int8', {
  feed_end: (feed: MetricFeed) => feed.end,
})

const READ_UNCOUNTED = `select e.*
  from unnest(${FEEDS.arraysFrom(2)}) as f (${FEEDS.names})
  cross join lateral (
    select e.team_id, e.subject_id, e.type, e.position, e.created_at,
      coalesce(e.data ->> 'recipient', case when e.type = 'contact.unsubscribed' then e.data ->> 'email' end) as recipient,
      case when e.type = 'contact.unsubscribed' then e.data ->> 'email_id' end as email_id,
      coalesce(e.data ->> 'mx_host', case when e.type = 'contact.unsubscribed' then (
        select d.mx_host
        from delivery d
        where d.team_id = e.team_id and d.email_id = (e.data ->> 'email_id')::uuid and d.address_key = e.data ->> 'email'
        limit 1
      ) when e.data ->> 'source' = 'notice' or e.type in ('email.opened', 'email.clicked') then (
        select d.mx_host
        from delivery d
        where d.team_id = e.team_id and d.email_id = e.subject_id and d.address = e.data ->> 'recipient'
        limit 1
      ) end) as mx_host,
      e.data ->> 'category' as category,
      e.data ->> 'source' is not distinct from 'notice' as is_reported,
      e.data -> 'is_machine' is not distinct from 'true'::jsonb as is_machine,
      e.data ? 'scheduled_at' as is_rescheduled,
      case when e.data ->> 'source' = 'notice' then (
        select b.type
        from event b
        where b.team_id = e.team_id and b.subject_id = e.subject_id and b.position < e.position
          and b.data ->> 'recipient' = e.data ->> 'recipient'
          and b.type in ('email.sent', 'email.delivered', 'email.bounced', 'email.failed', 'email.rejected')
        order by b.position desc
        limit 1
      ) end as result_before,
      case when e.type = 'email.suppressed' then not exists (
        select 1
        from event b
        where b.team_id = e.team_id and b.subject_id = e.subject_id and b.position < e.position
          and b.type in ('email.queued', 'email.scheduled')
      ) else false end as is_suppressed_at_once
    from event e
    where e.team_id = f.team_id and e.position > f.position and e.position <= f.feed_end
      and (e.type like 'email.%' or e.type = 'contact.unsubscribed' or e.position = f.feed_end)
    order by e.position
    limit $1
  ) e`

/**
 * Returns the events of each feed after its position that are counted, in order: at most `countMax` per team. The event at
 * the end is among them, of whatever type: its time becomes `counted_at`.
 */
export async function readUncounted(
  tx: Tx,
  feeds: readonly MetricFeed[],
  countMax: number,
): Promise<UncountedEvent[]> {
  return tx.query<UncountedEvent>(READ_UNCOUNTED, [countMax, ...FEEDS.values(feeds)])
}

/** The fields of an email that counting its events needs. */
export interface CountedEmail {
  domainId: string
  senderAddress: string
  status: string
  templateId: string | null
  tags: readonly { name: string; value: string }[]
  createdAt: Date
  scheduledAt: Date | null
  recipientCount: number
  /** The recipients as given; null when none is at the simulator. */
  addressees: Addressees | null
}

const KEYS = batchOf('team_id uuid, id uuid')

const FIND_COUNTED_EMAILS = `select e.id, e.domain_id, e.sender_address, e.status, e.template_id, e.tags, e.created_at, e.scheduled_at, e.recipient_count,
    case when strpos(lower(e.addressees::text), $1) > 0 then e.addressees end as addressees
  from unnest(${KEYS.arraysFrom(2)}) as k (${KEYS.names})
  join email e on e.team_id = k.team_id and e.id = k.id`

/** Finds emails by id, which is unique across teams. Emails that are no longer stored are missing. */
export async function findCountedEmails(
  tx: Tx,
  keys: readonly { teamId: string; id: string }[],
  simulatorDomain: string,
): Promise<Map<string, CountedEmail>> {
  if (keys.length === 0) return new Map()
  const rows = await tx.query<Omit<CountedEmail, 'tags'> & { id: string; tags: CountedEmail['tags'] | null }>(
    FIND_COUNTED_EMAILS,
    [`@${simulatorDomain}`, ...KEYS.values(keys)],
  )
  return new Map(rows.map(({ id, tags, ...email }) => [id, { ...email, tags: tags ?? [] }]))
}
