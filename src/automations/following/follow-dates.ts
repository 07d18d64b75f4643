import type { Db, Tx } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { storedDurationMs } from '../../lib/time/durations.ts'
import type { TriggerConfig } from '../graph/graph-types.ts'
import { dateOccurrence } from '../graph/local-times.ts'
import { lockAutomationFeed } from '../rows/automation-feed-queries.ts'
import {
  type AutomationClock,
  findClocks,
  listDatedContacts,
  lockClock,
  saveClock,
} from '../rows/clocks-queries.ts'
import { type Plans, planKey, type RunPlan } from '../running/plans.ts'
import { beginTogether } from './begin-runs.ts'
import { eachAlone, type FailingDeps } from './failing.ts'

type DateTrigger = Extract<TriggerConfig, { type: 'date' }>

const CLOCKS_MAX = 20
/** How often the dates are looked through. */
const EVERY_MS = 60_000
const PART_COUNT = 1000
const DAY_MS = 24 * 3_600_000
/** Local days differ from those in UTC by up to 14 hours, and 29 February moves by a day. */
const SLACK_DAYS = 2
const YEAR_MIN = 1900

interface DatesDeps extends FailingDeps {
  db: Db
  clock: Clock
  plans: Plans
}

/** Begins runs of contacts whose date has come since the last look. A clock that fails goes on later, behind the others. */
export async function followDates(deps: DatesDeps): Promise<boolean> {
  const { db, clock, plans, failing } = deps
  const now = clock.now()
  const before = new Date(now.getTime() - EVERY_MS)
  const clocks = await findClocks(db, before, failing.ids(now), CLOCKS_MAX)
  return eachAlone(
    deps,
    clocks,
    ({ automationId }) => automationId,
    ({ teamId, automationId }) =>
      db.transaction(async (tx) => {
        await lockAutomationFeed(tx, teamId, 'wait')
        const found = await lockClock(tx, teamId, automationId)
        if (found === null) return false
        const plan = (await plans.find(tx, teamId, [found])).get(planKey(found))
        const config = plan?.index.trigger?.config
        if (plan === undefined || config?.type !== 'date') return false
        return followStretch(tx, found, plan, config, now)
      }),
  )
}

/**
 * Looks through the next contacts of a stretch of time, and moves the clock in the same transaction, so that each date counts
 * once. Returns whether more contacts follow.
 */
async function followStretch(
  tx: Tx,
  clock: AutomationClock,
  plan: RunPlan,
  config: DateTrigger,
  now: Date,
): Promise<boolean> {
  const { teamId } = clock
  const until = clock.until ?? now
  if (until <= clock.checkedUntil) return false
  const days = daysOf(config, clock.checkedUntil, until)
  const contacts = await listDatedContacts(tx, teamId, config.property, days, clock, PART_COUNT)
  const due = contacts.filter(({ value, timeZone }) => {
    const next = dateOccurrence(value, config, timeZone, new Date(clock.checkedUntil.getTime() + 1))
    return next !== null && next <= until
  })
  const starts = due.map(({ contactId, value }) => {
    const payload = { date: value.toISOString() }
    return { plan, contactId, cause: { type: 'date' }, payload, depth: 0 }
  })
  await beginTogether(tx, teamId, now, starts)
  const last = contacts.at(-1)
  const isLast = contacts.length < PART_COUNT
  const place = isLast
    ? { checkedUntil: until, until: null, after: null, afterDate: null }
    : {
        checkedUntil: clock.checkedUntil,
        until,
        after: last?.contactId ?? null,
        afterDate: last?.value ?? null,
      }
  await saveClock(tx, { ...clock, ...place })
  return !isLast
}

/** Returns the days on which a date must lie to have its occurrence within a stretch. */
function daysOf({ offset, repeat }: DateTrigger, since: Date, until: Date): Date[] {
  const offsetMs = offset === undefined ? 0 : storedDurationMs(offset)
  const first = Math.floor((since.getTime() - offsetMs) / DAY_MS) - SLACK_DAYS
  const last = Math.floor((until.getTime() - offsetMs) / DAY_MS) + SLACK_DAYS
  const days = new Set<number>()
  for (let day = first; day <= last; day++) {
    const date = new Date(day * DAY_MS)
    if (repeat === 'once') days.add(date.getTime())
    else {
      for (let year = YEAR_MIN; year <= date.getUTCFullYear() + 1; year++) {
        const dayMs = Date.UTC(year, date.getUTCMonth(), date.getUTCDate())
        // Behind 28 February comes a day that this year may not have.
        days.add(dayMs).add(dayMs + DAY_MS)
      }
    }
  }
  return [...days].map((ms) => new Date(ms))
}
