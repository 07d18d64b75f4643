import type pg from 'pg'
import { ensurePartitions } from '../../src/db/partitions/partitions.ts'
import { fillInSlices, sqlOfId, timeOfFirst } from './fill.ts'

const WEEK_MS = 7 * 24 * 3_600_000

/** The domains, templates and team of the emails. */
export interface EmailFill {
  teamId: string
  count: number
  now: Date
  /** Ids, by how many emails refer to them. */
  domains: { few: string; some: string; most: string }
  templates: { few: string; many: string }
}

/**
 * The values of the rows 1 to count. Values that match many rows are spread over all of them. Values that match
 * few rows are in the oldest ones, which a scan from the newest reaches last.
 */
const ROW = `
  select n as number, $1::uuid as team_id, ${sqlOfId('n')} as id,
    to_timestamp(($2::int8 + (n * $3::float8)::int8) / 1000.0) as at,
    case when n % 50 = 7 then 2 else 1 end as recipients,
    case
      when n <= 40 then 'sent'
      when n <= 80 then 'canceled'
      when n <= 120 then 'scheduled'
      when n > $6::int8 - 40 then 'queued'
      when n % 500 = 7 then 'partially_delivered'
      when n % 100 < 3 then 'bounced'
      when n % 1000 = 500 then 'failed'
      when n % 10000 = 600 then 'delivery_delayed'
      else 'delivered'
    end as status,
    case when n <= 40 then 'seldom' when n % 10 = 0 then 'news' else 'orders' end || '@bench.test' as sender,
    case when n <= 40 then $7::uuid when n % 20 = 0 then $8::uuid else $9::uuid end as domain_id,
    case when n <= 40 then $10::uuid when n % 4 = 0 then $11::uuid end as template_id,
    case when n <= 40 then 'Zebra' when n % 10 = 0 then 'News of the week' else 'Your order ' || n end as subject,
    case when n % 50 = 1 then 'everyone' else 'customer-' || n % 1000000 end || '@customers.test' as address
  from generate_series($4::int8, $5::int8) as n`

const EMAILS = `
  insert into email (team_id, id, domain_id, message_id, sender, sender_address, addressees, subject, recipient_count,
    status, last_event, size, created_at, template_id, template_name, tags)
  select team_id, id, domain_id, '<' || id || '@bench.test>', sender, sender,
    jsonb_build_object('to', jsonb_build_array(address), 'cc', '[]'::jsonb, 'bcc', '[]'::jsonb, 'reply_to', '[]'::jsonb),
    subject, recipients, status, status, 4000, at, template_id, case when template_id is not null then 'Order' end,
    case when number % 2 = 0 then '[{"name": "kind", "value": "order"}]'::jsonb end
  from (${ROW}) r`

const DELIVERIES = `
  insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready, due_at, attempts,
    expires_at, updated_at)
  select team_id, id, no, 'to', address, address, 'customers.test', state, false,
    -- Far in the future, so that these are never delivered.
    case when state in ('queued', 'scheduled', 'delivery_delayed') then timestamptz '2100-01-01' end, 1,
    timestamptz '2100-01-01', at
  from (${ROW}) r, generate_series(0, r.recipients - 1) as no,
    lateral (select case when status <> 'partially_delivered' then status
      when no = 0 then 'delivered' else 'bounced' end as state) as s`

const TAGS = `
  insert into email_tag (team_id, name, value, email_id)
  select team_id, t.name, t.value, id
  from (${ROW}) r,
    lateral (values ('kind', 'order', number % 2 = 0),
      ('campaign', 'spring', number <= 40),
      ('order', number::text, number % 100 = 9),
      ('early', number::text, number <= 20000)) as t (name, value, applies)
  where t.applies`

/**
 * Inserts emails of a team over ten weeks, with their deliveries and, for some, tags. Content and events are left
 * out.
 */
export async function fillEmails(clients: readonly pg.Client[], fill: EmailFill): Promise<void> {
  const { teamId, count, now, domains, templates } = fill
  const first = clients[0] as pg.Client
  const startMs = timeOfFirst(now)
  for (let at = startMs; at <= now.getTime(); at += WEEK_MS) await ensurePartitions(first, new Date(at))
  const values = [count, domains.few, domains.some, domains.most, templates.few, templates.many]
  await fillInSlices(clients, { teamId, startMs, count }, [EMAILS, DELIVERIES, TAGS], values)
  await first.query(
    `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
     values ($1, $2::date, 0, $2::date, 0, $3)
     on conflict (team_id, month) do update
     set emails = excluded.emails`,
    [teamId, `${now.toISOString().slice(0, 7)}-01`, count],
  )
}
