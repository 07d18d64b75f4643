import type { Queryable } from '../../db/db-types.ts'
import type { EmailTag } from '../../queue/types.ts'
import { startOfMonth } from './calendar.ts'
import { addDelays } from './delays.ts'
import {
  COUNTERS,
  type Dimension,
  dimensionsOf,
  findMetricKeys,
  listMetricKeys,
  type MetricKey,
  type MetricRow,
} from './metric-counts-queries.ts'

/** A team's domains, templates, senders and tags counted by name in one month (UTC). */
export const KEYS_MAX = 500
/** The share of one tag's values: a tag with a value for each person must not use up the room. */
export const VALUES_OF_TAG_MAX = 100
/** The key for everything beyond the limits; no tag can have this name. */
export const REMAINDER = '*'

/** The other dimensions have few keys, all defined by Sendwright. */
const BOUNDED: ReadonlySet<Dimension> = new Set([
  ...dimensionsOf('domain', true),
  ...dimensionsOf('tag', true),
  ...dimensionsOf('template', true),
  ...dimensionsOf('sender', true),
])

/** Returns the name of a team's month in one dimension. */
function nameOfMonth({ teamId, dimension, monthMs }: Omit<MetricKey, 'key'>): string {
  return `${teamId} ${dimension} ${monthMs}`
}

function nameOf(key: MetricKey): string {
  return `${nameOfMonth(key)} ${key.key}`
}

function keyOf({ teamId, dimension, sinceMs, key }: MetricRow): MetricKey {
  return { teamId, dimension, monthMs: startOfMonth(sinceMs), key }
}

/** The number of keys in a month, in total and for each tag. */
class Room {
  #count = 0
  readonly #values = new Map<string, number>()

  take(key: MetricKey): boolean {
    if (key.key === REMAINDER) return true
    const tag = tagOf(key)
    const values = tag === null ? 0 : (this.#values.get(tag) ?? 0)
    if (this.#count >= KEYS_MAX || values >= VALUES_OF_TAG_MAX) return false
    this.#count++
    if (tag !== null) this.#values.set(tag, values + 1)
    return true
  }
}

/** Returns the key of a tag in the metrics. Only the first colon divides it: those in the name are encoded. */
export function tagKey({ name, value }: EmailTag): string {
  return `${name.replace(/[%:]/g, encodeURIComponent)}:${value}`
}

function tagOf({ dimension, key }: MetricKey): string | null {
  return dimension === 'tag' || dimension === 'tag_simulated' ? key.slice(0, key.indexOf(':')) : null
}

/**
 * Moves rows whose keys exceed their month's limits to the remainder's key. First come, first served: a key once
 * counted keeps its name to the end of the month. Reads earlier counts in the same transaction, with the teams locked.
 */
export async function boundKeys(db: Queryable, rows: readonly MetricRow[]): Promise<MetricRow[]> {
  const bounded = rows.filter(({ dimension }) => BOUNDED.has(dimension))
  const keys = new Map(bounded.map((row) => [nameOf(keyOf(row)), keyOf(row)]))
  const named = new Set((await findMetricKeys(db, [...keys.values()])).map(nameOf))
  const fresh = [...keys.values()].filter((key) => !named.has(nameOf(key)))
  if (fresh.length === 0) return [...rows]

  const rooms = new Map(fresh.map((key) => [nameOfMonth(key), new Room()]))
  const months = new Map(fresh.map((key) => [nameOfMonth(key), key]))
  for (const key of await listMetricKeys(db, [...months.values()])) rooms.get(nameOfMonth(key))?.take(key)
  const outside = new Set(fresh.filter((key) => !rooms.get(nameOfMonth(key))?.take(key)).map(nameOf))
  return mergeRows(rows.map((row) => (outside.has(nameOf(keyOf(row))) ? { ...row, key: REMAINDER } : row)))
}

/** Adds up rows of the same team, grain, dimension, time and key. */
export function mergeRows(rows: readonly MetricRow[]): MetricRow[] {
  const merged = new Map<string, MetricRow & { delays: number[] }>()
  for (const row of rows) {
    const name = `${row.teamId} ${row.grain} ${row.dimension} ${row.sinceMs} ${row.key}`
    const sum = merged.get(name)
    if (sum === undefined) {
      merged.set(name, { ...row, counts: { ...row.counts }, delays: [...row.delays] })
      continue
    }
    for (const counter of COUNTERS) sum.counts[counter] += row.counts[counter]
    addDelays(sum.delays, row.delays)
  }
  return [...merged.values()]
}
