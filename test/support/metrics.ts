import { arrays } from '../../src/db/arrays.ts'
import type { Db } from '../../src/db/db-types.ts'
import type { NewEvent } from '../../src/events/record-queries.ts'
import { newId } from '../../src/lib/ids.ts'

interface GivenEmail {
  teamId: string
  id: string
}

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
const DOMAINS = ['01900000-0000-7000-8000-0000000000d1', '01900000-0000-7000-8000-0000000000d2']
const SENDERS = ['news@shop.test', 'bills@shop.test']
const TEMPLATES = [null, '01900000-0000-7000-8000-0000000000e1', '01900000-0000-7000-8000-0000000000e2']
const TAGS = [
  null,
  [{ name: 'kind', value: 'news' }],
  [
    { name: 'kind', value: 'bill' },
    { name: 'kind', value: 'bill' },
    { name: 'step', value: '1' },
  ],
]
const TO = [
  ['Ann <ann@gmail.com>'],
  ['Bob <bounced+1@Simulator.test>'],
  ['x@y.test', 'delivered@simulator.test'],
]

/** Inserts forty emails for each team, with varied facts, from late 2026. */
export async function givenCountedEmails(
  db: Db,
  teams: readonly string[],
  random: () => number,
): Promise<GivenEmail[]> {
  const emails = teams.flatMap((teamId) => Array.from({ length: 40 }, () => ({ teamId, id: newId() })))
  for (const { teamId, id } of emails) {
    const to = pick(random, TO)
    const createdAt = new Date(Date.UTC(2026, 11, 31, 12) + random() * 8 * 3_600_000)
    await db.query(
      `insert into email (team_id, id, domain_id, message_id, sender, sender_address, addressees, subject, tags,
         recipient_count, status, last_event, size, scheduled_at, created_at, template_id)
       values ($1, $2, $3, '', '', $10, $4, '', $5, $6, 'queued', 'queued', 1, $7, $8, $9)`,
      [
        teamId,
        id,
        pick(random, DOMAINS),
        JSON.stringify({ to, cc: [], bcc: [], reply_to: [] }),
        JSON.stringify(pick(random, TAGS)),
        to.length,
        random() < 0.3 ? new Date(createdAt.getTime() + 3_600_000) : null,
        createdAt,
        pick(random, TEMPLATES),
        pick(random, SENDERS),
      ],
    )
  }
  // Some emails are deleted when their events are counted.
  return [...emails, ...teams.map((teamId) => ({ teamId, id: newId() }))]
}

const RECIPIENTS = ['ann@gmail.com', 'Bob@Company.test', 'delivered@Simulator.test', 'eve@outlook.com']
const WHOLE = [
  'email.queued',
  'email.scheduled',
  'email.canceled',
  'contact.created',
  'email.received',
] as const
const ENDS = ['email.sent', 'email.delivered', 'email.bounced', 'email.failed', 'email.rejected'] as const
const OTHERS = ['email.delivery_delayed', 'email.suppressed', 'email.complained'] as const
const VISITS = ['email.opened', 'email.clicked'] as const
const CATEGORIES = [
  'no_such_address',
  'mailbox_full',
  'recipient_declines',
  'constructor',
  'no_such_domain',
  null,
]

/** Returns random events of all types for these emails. */
export function someEvents(emails: readonly GivenEmail[], count: number, random: () => number): NewEvent[] {
  return Array.from({ length: count }, () => {
    const { teamId, id: subjectId } = pick(random, emails)
    const recipient = pick(random, RECIPIENTS)
    const about = { teamId, subjectId }
    const kind = random()
    if (kind < 0.3) {
      const type = pick(random, WHOLE)
      const isMoved = type === 'email.scheduled' && random() < 0.5
      return { ...about, type, data: isMoved ? { scheduled_at: '2027-01-01 00:00:00' } : {} }
    }
    if (kind < 0.7) {
      const mx_host = pick(random, ['ASPMX.L.google.com', 'mx.other.test'])
      const noticed = random() < 0.2 ? { source: 'notice' } : {}
      const data = { recipient, category: pick(random, CATEGORIES), mx_host, ...noticed }
      return { ...about, type: pick(random, ENDS), data }
    }
    if (kind < 0.85) return { ...about, type: pick(random, OTHERS), data: { recipient } }
    return { ...about, type: pick(random, VISITS), data: { recipient, is_machine: random() < 0.3 } }
  })
}

const ACCEPTANCE =
  "((t.type = 'email.queued' and t.is_unscheduled) or (t.type = 'email.scheduled' and not t.is_moved))"

/** The events that each counter counts, as SQL conditions on an event `t` with its email's facts. */
const COUNTED: Readonly<Record<string, string>> = {
  emails: `p.is_own and ${ACCEPTANCE}`,
  queued: "t.type = 'email.queued' and p.is_own",
  scheduled: "t.type = 'email.scheduled' and p.is_own",
  canceled: "t.type = 'email.canceled' and p.is_own",
  attempted:
    "t.type in ('email.sent', 'email.delivered', 'email.bounced', 'email.failed', 'email.rejected') and not t.is_noticed",
  ...Object.fromEntries(
    [
      'sent',
      'delivered',
      'delivery_delayed',
      'bounced',
      'failed',
      'rejected',
      'suppressed',
      'complained',
    ].map((name) => [name, `t.type = 'email.${name}'`]),
  ),
  bounced_hard: "t.type = 'email.bounced' and t.data ->> 'category' in ('no_such_address', 'no_such_domain')",
  opened: "t.type = 'email.opened' and not t.is_machine",
  opened_unique: "t.type = 'email.opened' and not t.is_machine and t.visit_number = 1",
  opened_machine: "t.type = 'email.opened' and t.is_machine",
  clicked: "t.type = 'email.clicked' and not t.is_machine",
  clicked_unique: "t.type = 'email.clicked' and not t.is_machine and t.visit_number = 1",
  clicked_machine: "t.type = 'email.clicked' and t.is_machine",
}

/** The counters that have causes. */
const CAUSED = new Set(['bounced', 'bounced_hard', 'failed', 'rejected'])

const EVENTS_WITH_FACTS = `select e.team_id, e.subject_id, e.position, e.type, e.data, e.created_at,
    m.id is not null as is_kept, m.domain_id, m.sender_address, m.recipient_count, m.template_id, m.tags, m.scheduled_at is null and m.id is not null as is_unscheduled,
    e.data ? 'scheduled_at' or m.id is null as is_moved,
    e.data ->> 'recipient' is null as is_whole,
    m.recipient_count - (select count(*) from jsonb_array_elements_text(m.addressees -> 'to') a where a ilike '%@simulator.test%') as real_count,
    e.data ->> 'recipient' ilike '%@simulator.test' as is_simulated,
    e.data ->> 'source' = 'notice' and e.data ->> 'source' is not null as is_noticed,
    coalesce((e.data ->> 'is_machine')::boolean, false) as is_machine,
    row_number() over (partition by e.subject_id, e.type, lower(e.data ->> 'recipient'), e.data ->> 'is_machine' order by e.position) as visit_number,
    case when e.data ->> 'recipient' ilike '%@simulator.test' then 'simulator' when e.data ->> 'recipient' ilike '%@gmail.com' then 'google'
      when e.data ->> 'recipient' ilike '%@outlook.com' then 'microsoft' when e.data ->> 'mx_host' ilike '%.google.com' then 'google' else 'other' end as provider
  from event e
  left join email m on m.team_id = e.team_id and m.id = e.subject_id`

/**
 * The dimensions of one event `t`, of real or of simulated mail. An email's own event counts on one side (`is_own`), but
 * each of its recipients on theirs.
 */
const PLACES = `select q.dimension || s.suffix as dimension, q.key, (t.real_count is not distinct from 0) = s.is_simulated as is_own,
    case when s.is_simulated then t.recipient_count - t.real_count else t.real_count end as side_count
  from (values ('', false), ('_simulated', true)) as s (suffix, is_simulated)
  cross join (
    select 'all' as dimension, '' as key
    union all select 'domain', t.domain_id::text where t.is_kept
    union all select 'sender', t.sender_address where t.is_kept
    union all select 'template', t.template_id::text where t.template_id is not null
    union all select distinct 'tag', (x ->> 'name') || ':' || (x ->> 'value')
      from jsonb_array_elements(case when jsonb_typeof(t.tags) = 'array' then t.tags else '[]' end) x
    union all select 'reason', coalesce(t.data ->> 'category', 'unknown')
      where t.type in ('email.bounced', 'email.failed', 'email.rejected')
  ) q
  where t.is_whole or t.is_simulated = s.is_simulated
  union all select 'provider', t.provider, true, 0 where not t.is_whole`

/** Returns the expected roll-ups, from one query over all events, without zeros and empty rows. */
export async function countDirectly(db: Db): Promise<unknown[]> {
  const counts = Object.entries(COUNTED).map(
    ([name, condition]) =>
      `count(*) filter (where (${condition}) and (${CAUSED.has(name)} or p.dimension not like 'reason%'))::int8 as ${name}`,
  )
  const rows = await db.query<Record<string, unknown>>(
    `select t.team_id, g.grain, p.dimension, date_trunc(g.grain, t.created_at) as since, p.key, ${counts.join(', ')},
       coalesce(sum(p.side_count) filter (where ${ACCEPTANCE}), 0)::int8 as accepted
     from (${EVENTS_WITH_FACTS}) t
     cross join unnest($1::text[]) as g (grain)
     cross join lateral (${PLACES}) p
     group by t.team_id, g.grain, p.dimension, date_trunc(g.grain, t.created_at), p.key
     order by t.team_id, g.grain collate "C", p.dimension collate "C", since, p.key collate "C"`,
    [arrays.text(['hour', 'day', 'month'])],
  )
  return rows
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0)))
    .filter((row) => Object.keys(row).length > 5)
}
