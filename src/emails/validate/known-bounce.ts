import { CATEGORIES, type Category } from '../../classification/verdict-categories.ts'
import type { Queryable } from '../../db/db-types.ts'
import { type AddressOutcome, isSuppressedForBounce, listOutcomesAt } from './address-history-queries.ts'

/** The categories of bounces that suppress an address: those that the address itself causes (SUP-6). */
const DEAD: ReadonlySet<string> = new Set(
  Object.entries(CATEGORIES as Record<string, Category>)
    .filter(([, { suppress }]) => suppress === true)
    .map(([name]) => name),
)

/**
 * Returns whether the team's own mail to an address bounced permanently: the address is suppressed for a
 * bounce, or its latest conclusive delivery bounced. A delivery after the bounce clears it. Results of other
 * teams are never used.
 * @param addressKey suppressionKey of the address
 */
export async function hasKnownBounce(db: Queryable, teamId: string, addressKey: string): Promise<boolean> {
  const [isSuppressed, outcomes] = await Promise.all([
    isSuppressedForBounce(db, teamId, addressKey),
    listOutcomesAt(db, teamId, addressKey),
  ])
  if (isSuppressed) return true
  const last = outcomes.find((outcome) => outcome.status === 'delivered' || isDead(outcome))
  return last !== undefined && isDead(last)
}

function isDead({ status, category }: AddressOutcome): boolean {
  return status === 'bounced' && DEAD.has(category ?? '')
}
