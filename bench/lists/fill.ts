import type pg from 'pg'

/** The rows are spread over this many weeks, so emails fill as many partitions. */
const WEEKS = 10
const TIME_SPAN_MS = WEEKS * 7 * 24 * 3_600_000
/** Rows per statement. */
const SLICE = 50_000

/** Returns the time of row 0 in milliseconds; the last row is a minute old. */
export function timeOfFirst(now: Date): number {
  return now.getTime() - TIME_SPAN_MS
}

/**
 * Returns SQL for the UUIDv7 of a row, whose time follows from the row's number. `$2` and `$3` are those of
 * fillInSlices.
 */
export function sqlOfId(number: string): string {
  return `(lpad(to_hex($2::int8 + (${number} * $3::float8)::int8), 12, '0') || '7' ||
      lpad(to_hex(${number} % 4096), 3, '0') || '8' || substr(md5(${number}::text), 1, 15))::uuid`
}

/**
 * Runs statements for the numbers 1 to count in slices, on all clients concurrently. Parameters of the
 * statements: `$1` the team, `$2` the time of number 0, `$3` the milliseconds from one number to the next, `$4`
 * and `$5` the first and last number of the slice, then `values`.
 */
export async function fillInSlices(
  clients: readonly pg.Client[],
  { teamId, startMs, count }: { teamId: string; startMs: number; count: number },
  statements: readonly string[],
  values: readonly unknown[],
): Promise<void> {
  const stepMs = (TIME_SPAN_MS - 60_000) / count
  const slices = Array.from({ length: Math.ceil(count / SLICE) }, (_, index) => index * SLICE)
  const work = async (client: pg.Client) => {
    for (let from = slices.shift(); from !== undefined; from = slices.shift()) {
      const to = Math.min(from + SLICE, count)
      for (const sql of statements) {
        await client.query(sql, [teamId, startMs, stepMs, from + 1, to, ...values])
      }
    }
  }
  await Promise.all(clients.map(work))
}

/** Sets the counters that totals are read from. */
export async function setCounters(
  client: pg.Client,
  teamId: string,
  counters: Readonly<Record<string, number>>,
): Promise<void> {
  await client.query(
    `insert into counter (team_id, name, value)
     select $1, key, value::int8
     from jsonb_each_text($2::jsonb)
     on conflict (team_id, name) do update
     set value = excluded.value`,
    [teamId, JSON.stringify(counters)],
  )
}
