import type pg from 'pg'

/** Rows per statement. */
const SLICE = 50_000

export interface QueueFill {
  /** Number of rows, each an email to one recipient. */
  count: number
  teams: number
  /** Domains per team. */
  domains: number
  now: Date
  /** The time at which the last row is due. Rows due in the past can be claimed immediately. */
  dueAt: Date
  /** The due times are spread over this many milliseconds before `dueAt`. */
  spreadMs: number
}

/** Teams and destinations alternate, so rows that are adjacent in time are never adjacent in the queue's index. */
const ROW = `
  select n as number, ('00000000-0000-7000-8000-' || lpad(to_hex(n % $3::int8 + 1), 12, '0'))::uuid as team_id,
    (lpad(to_hex($4::int8), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8'
      || substr(md5($4::text || n), 1, 15))::uuid as id,
    'd' || (n / $3::int8) % $5::int8 || '.test' as domain,
    $6::timestamptz - (($2::int8 - n) * $7::float8) * interval '1 millisecond' as due_at
  from generate_series($1::int8, $2::int8) as n`

const EMAILS = `
  insert into email (team_id, id, domain_id, message_id, sender, sender_address, addressees, subject, recipient_count,
    status, last_event, size, created_at)
  select team_id, id, team_id, '<' || id || '@bench.test>', 'a@bench.test', 'a@bench.test', '{}'::jsonb, 'Your order',
    1, 'queued', 'queued', 4000, $8::timestamptz
  from (${ROW}) r`

const DELIVERIES = `
  insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready, due_at, attempts,
    expires_at, updated_at)
  select team_id, id, 0, 'to', 'c' || number || '@' || domain, 'c' || number || '@' || domain, domain, 'queued',
    due_at <= $8::timestamptz, due_at, 0, timestamptz '2100-01-01', $8::timestamptz
  from (${ROW}) r`

let stamp = Date.now()

/** Inserts due emails as acceptance does, without their contents. */
export async function fillQueue(client: pg.Client, fill: QueueFill): Promise<void> {
  // Ids begin with a timestamp: use one that no other fill has used.
  stamp = Math.max(stamp + 1, fill.now.getTime())
  for (let from = 0; from < fill.count; from += SLICE) {
    const to = Math.min(from + SLICE, fill.count)
    const dueAt = new Date(fill.dueAt.getTime() - ((fill.count - to) * fill.spreadMs) / fill.count)
    const values = [
      from + 1,
      to,
      fill.teams,
      stamp,
      fill.domains,
      dueAt,
      fill.spreadMs / fill.count,
      fill.now,
    ]
    await client.query('begin')
    await client.query(EMAILS, values)
    await client.query(DELIVERIES, values)
    await client.query('commit')
  }
}
