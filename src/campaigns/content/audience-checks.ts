import { withSubscription } from '../../audience/contacts/contact-filters-queries.ts'
import { listContacts } from '../../audience/contacts/list-contacts-queries.ts'
import type { ContactCondition } from '../../audience/segments/contact-condition.ts'
import type { Db } from '../../db/db-types.ts'
import { FILTERED_TOTAL_MAX } from '../../db/page.ts'
import { audienceCondition } from '../audience/audience-condition.ts'
import { freezeAudience } from '../audience/freeze-audience.ts'
import type { Campaign } from '../rows/campaigns-queries.ts'
import type { Check } from './check-types.ts'
import { findPropertyIds, lackingField, lackingProperty } from './checks-queries.ts'

/** Variables whose contacts are counted. Each takes up to some hundred milliseconds. */
const COUNTED_MAX = 10
const ONE = { size: 1, offset: 0, after: null, before: null }
const FIELDS: Readonly<Record<string, ContactCondition>> = {
  FIRST_NAME: lackingField('first_name'),
  LAST_NAME: lackingField('last_name'),
}

/**
 * Checks the audience as it is now: that there is one, and that its contacts have the values of variables without a fallback.
 * Contacts are counted up to FILTERED_TOTAL_MAX, or estimated if that takes too long; the message says so.
 * @param missing the variables without a fallback
 */
export async function checkAudience(
  db: Db,
  campaign: Campaign,
  missing: readonly string[],
  now: Date,
): Promise<Check[]> {
  const audience = await conditionOf(db, campaign, now)
  if (audience === null) return []
  const count = async (more: readonly ContactCondition[]) =>
    listContacts(db, campaign.teamId, [audience, withSubscription(false), ...more], ONE)
  const { total, rows, isExact } = await count([])
  // A search that took too long, on a busy server, found nobody either.
  if (total === 0 && isExact && rows.length === 0) {
    return [{ code: 'empty_audience', severity: 'warning', message: EMPTY }]
  }
  const keys = missing.filter((key) => key !== 'EMAIL')
  const ids = await findPropertyIds(db, campaign.teamId, keys.map(lower))
  const checks: Check[] = []
  for (const key of keys.slice(0, COUNTED_MAX)) {
    const id = ids.get(lower(key))
    const lacking = FIELDS[key] ?? (id === undefined ? null : lackingProperty(id))
    const message = lacking === null ? unknown(key) : describeLacking(key, await count([lacking]))
    if (message !== null) checks.push({ code: 'missing_value', severity: 'warning', message })
  }
  if (keys.length > COUNTED_MAX) {
    const rest = keys.slice(COUNTED_MAX).join(', ')
    const message = `These variables have no fallback either; their contacts were not counted: ${rest}.`
    checks.push({ code: 'missing_value', severity: 'warning', message })
  }
  return checks
}

const lower = (key: string) => key.toLowerCase()
const EMPTY = 'The audience is empty: no contact would get an email.'
const CURE = 'Add a fallback: {{{KEY|fallback}}}.'

function unknown(key: string): string {
  return `${key} is neither a field of contacts nor a property, and has no fallback: no contact would get an email. ${cure(key)}`
}

const cure = (key: string) => CURE.replace('KEY', key)

/** Returns null if no contact lacks a value. */
function describeLacking(
  key: string,
  { total, isExact }: { total: number; isExact: boolean },
): string | null {
  if (total === 0 && isExact) return null
  const contacts = `${total.toLocaleString('en')} ${total === 1 ? 'contact has' : 'contacts have'}`
  if (isExact) return `${contacts} no value for ${key}, and would get no email. ${cure(key)}`
  return total >= FILTERED_TOTAL_MAX
    ? `At least ${contacts} no value for ${key}, and would get no email. ${cure(key)}`
    : `About ${contacts} no value for ${key}, by a sample of the newest contacts, and would get no email. ${cure(key)}`
}

/** Returns null if no audience was chosen. */
async function conditionOf(
  db: Db,
  { teamId, audience }: Campaign,
  now: Date,
): Promise<ContactCondition | null> {
  if (audience.include.length === 0) return null
  const frozen = await db.transaction((tx) => freezeAudience(tx, teamId, audience))
  return audienceCondition(db, teamId, frozen.audience, now)
}
