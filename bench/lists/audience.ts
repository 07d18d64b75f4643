import type pg from 'pg'
import { CONTACT_COUNTER } from '../../src/audience/contacts/contacts-queries.ts'
import { listContactCounter } from '../../src/audience/lists/list-members-queries.ts'
import { suppressionCounter } from '../../src/suppressions/suppressions-queries.ts'
import { fillInSlices, setCounters, sqlOfId, timeOfFirst } from './fill.ts'

export interface AudienceFill {
  teamId: string
  contactCount: number
  suppressionCount: number
  now: Date
  /** A list with half of the contacts, and one with the FEW oldest. */
  lists: { half: string; few: string }
  /** Ids of a string, a number and a date property. */
  properties: { plan: string; age: string; joined: string }
}

/** How many of the oldest rows have a value that matches few rows. */
export const FEW = 40

const CONTACTS = `
  insert into contact (team_id, id, email, first_name, last_name, user_id, unsubscribed, created_at, updated_at)
  select $1, ${sqlOfId('n')}, 'person-' || n || '@people.test',
    case when n <= ${FEW} then 'Zoe' else (array['Ann', 'Bob', 'Cem', 'Dan', 'Eva', 'Fay', 'Gus', 'Hal'])[n % 8 + 1] end,
    'Family ' || n % 5000, 'user-' || n, n % 50 = 0, at, at
  from generate_series($4::int8, $5::int8) as n,
    lateral (select to_timestamp(($2::int8 + (n * $3::float8)::int8) / 1000.0) as at) as t`

const VALUES = `
  insert into contact_value (team_id, contact_id, property_id, text_value, number_value, date_value)
  select $1, ${sqlOfId('n')}, v.*
  from generate_series($4::int8, $5::int8) as n,
    lateral (values
      ($6::uuid, case when n <= ${FEW} then 'gold' when n % 10 = 0 then 'pro' else 'free' end, null::numeric,
        null::timestamptz),
      ($7::uuid, null, n % 80, null),
      ($8::uuid, null, null, timestamptz '2020-01-01' + n % 2000 * interval '1 day')) as v`

const MEMBERS = `
  insert into list_member (team_id, list_id, contact_id, created_at)
  select $1, v.list_id, ${sqlOfId('n')}, timestamptz '2026-01-01'
  from generate_series($4::int8, $5::int8) as n,
    lateral (values ($6::uuid, n % 2 = 0), ($7::uuid, n <= ${FEW})) as v (list_id, applies)
  where v.applies`

const SUPPRESSIONS = `
  insert into suppression (team_id, id, email, reason, created_at, updated_at)
  select $1, ${sqlOfId('n')}, 'person-' || n || '@gone.test',
    case when n <= ${FEW} then 'complaint' when n % 4 = 0 then 'manual' else 'bounce' end, at, at
  from generate_series($4::int8, $5::int8) as n,
    lateral (select to_timestamp(($2::int8 + (n * $3::float8)::int8) / 1000.0) as at) as t`

/** Inserts contacts with three property values each, half of them in a list, and suppressions. */
export async function fillAudience(clients: readonly pg.Client[], fill: AudienceFill): Promise<void> {
  const { teamId, now, contactCount, suppressionCount, lists, properties } = fill
  const startMs = timeOfFirst(now)
  const contacts = { teamId, startMs, count: contactCount }
  await fillInSlices(clients, contacts, [CONTACTS], [])
  await fillInSlices(clients, contacts, [VALUES], [properties.plan, properties.age, properties.joined])
  await fillInSlices(clients, contacts, [MEMBERS], [lists.half, lists.few])
  await fillInSlices(clients, { teamId, startMs, count: suppressionCount }, [SUPPRESSIONS], [])
  const manual = Math.floor(suppressionCount / 4) - FEW / 4
  await setCounters(clients[0] as pg.Client, teamId, {
    [CONTACT_COUNTER]: contactCount,
    [listContactCounter(lists.half)]: Math.floor(contactCount / 2),
    [listContactCounter(lists.few)]: FEW,
    [suppressionCounter()]: suppressionCount,
    [suppressionCounter('complaint')]: FEW,
    [suppressionCounter('manual')]: manual,
    [suppressionCounter('bounce')]: suppressionCount - FEW - manual,
  })
}
