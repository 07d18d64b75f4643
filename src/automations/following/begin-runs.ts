import type { Queryable, Tx } from '../../db/db-types.ts'
import { findFeedEnd } from '../../events/feed-queries.ts'
import { newId } from '../../lib/ids.ts'
import { storedDurationMs } from '../../lib/time/durations.ts'
import {
  type AutomationEntry,
  type AutomationRun,
  entryKeyOf,
  findEntries,
  lockRunsOfContacts,
  type RunCause,
} from '../rows/runs-queries.ts'
import { collectInto } from '../running/digest.ts'
import { Moves } from '../running/moves.ts'
import type { RunPlan } from '../running/plans.ts'
import { Scopes } from '../running/scopes.ts'
import { reasonToEnd } from '../running/walk-run.ts'

/** Automations may begin one another so many times in a row. */
export const DEPTH_MAX = 5
export const TOO_DEEP = `Automations caused one another more than ${DEPTH_MAX} times in a row.`

/** A trigger that happened for a contact. */
export interface Start {
  plan: RunPlan
  contactId: string
  cause: RunCause
  payload: Record<string, unknown>
  depth: number
  /** Events up to this number are behind the run. */
  heardUntil: number
}

export type StartRefusal = 'unsubscribed' | 'running' | 'entered_before' | 'too_soon'

/** Begins runs in one transaction that has locked the runs of their contacts. */
export class Beginner {
  readonly #db: Queryable
  readonly #moves: Moves
  readonly #scopes: Scopes
  /** The runs under way, by contact. */
  readonly #runs: Map<string, AutomationRun[]>
  readonly #entries = new Map<string, AutomationEntry | null>()

  constructor(db: Queryable, moves: Moves, scopes: Scopes, runs: Map<string, AutomationRun[]>) {
    this.#db = db
    this.#moves = moves
    this.#scopes = scopes
    this.#runs = runs
  }

  /** Reads at once whether contacts were in these automations before. */
  async loadEntries(starts: readonly Pick<Start, 'plan' | 'contactId'>[]): Promise<void> {
    const places = starts.map(({ plan, contactId }) => ({ automationId: plan.automationId, contactId }))
    const entries = await findEntries(this.#db, this.#moves.teamId, places)
    for (const place of places) this.#entries.set(entryKeyOf(place), entries.get(entryKeyOf(place)) ?? null)
  }

  /** Returns the run that began, or why none did. */
  async begin(start: Start): Promise<AutomationRun | StartRefusal> {
    const { plan, contactId } = start
    const contact = await this.#scopes.contactOf(contactId)
    if (contact === null || reasonToEnd(contact) !== null) return 'unsubscribed'
    const current = this.#runs
      .get(contactId)
      ?.find(({ automationId, state }) => automationId === plan.automationId && state !== 'ended')
    if (current !== undefined) {
      if (this.#collect(current, start)) return 'running'
      const { on_retrigger: onRetrigger, reentry } = plan.settings
      if (onRetrigger === 'keep') return 'running'
      // With every_time, a restart is a start, so the gap holds for it. With after_exit the gap follows the end of a run, and this
      // run is still under way.
      if (reentry === 'every_time' && this.#isTooSoon(plan, current.startedAt)) return 'too_soon'
      this.#moves.end(current, 'canceled', 'The trigger happened again, and the run started anew.')
    } else {
      const refusal = await this.#refuseReentry(start)
      if (refusal !== null) return refusal
    }
    return this.#start(start, contact.timeZone)
  }

  /** Adds to the digest of the run under way, if it collects. */
  #collect(run: AutomationRun, { payload }: Start): boolean {
    if (run.collected === null) return false
    run.collected = collectInto(run.collected, payload)
    this.#moves.touch(run)
    return true
  }

  async #refuseReentry(start: Start): Promise<StartRefusal | null> {
    const { plan, contactId } = start
    const key = entryKeyOf({ automationId: plan.automationId, contactId })
    if (!this.#entries.has(key)) await this.loadEntries([start])
    const last = this.#entries.get(key) ?? null
    if (last === null) return null
    const { reentry } = plan.settings
    if (reentry === 'once' && !isYearly(plan)) return 'entered_before'
    const since = reentry === 'after_exit' ? this.#endOf(start, last) : last.startedAt
    return this.#isTooSoon(plan, since) ? 'too_soon' : null
  }

  /** Returns when the last run ended, which may be in this transaction; its start if the end is no longer known. */
  #endOf({ plan, contactId }: Start, { startedAt, endedAt }: AutomationEntry): Date {
    const runs = (this.#runs.get(contactId) ?? []).filter((run) => run.automationId === plan.automationId)
    const times = [startedAt, endedAt, ...runs.map((run) => run.endedAt)]
    return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)))
  }

  #isTooSoon({ settings: { reentry_gap: gap } }: RunPlan, since: Date): boolean {
    return gap !== undefined && this.#moves.now.getTime() - since.getTime() < storedDurationMs(gap)
  }

  #start({ plan, contactId, cause, payload, depth, heardUntil }: Start, zone: string | null): AutomationRun {
    const { teamId, now } = this.#moves
    const run: AutomationRun = {
      teamId,
      id: newId(now.getTime()),
      automationId: plan.automationId,
      version: plan.version,
      contactId,
      state: 'active',
      outcome: null,
      reason: null,
      step: plan.index.trigger?.key ?? 'trigger',
      moves: 0,
      enteredAt: now,
      dueAt: now,
      awaits: null,
      begunAfter: heardUntil,
      heardUntil,
      cause,
      payload,
      collected: null,
      depth: Math.min(depth, DEPTH_MAX + 1),
      attempts: 0,
      startedAt: now,
      endedAt: null,
    }
    this.#moves.begin(run)
    this.#entries.set(entryKeyOf(run), { startedAt: now, endedAt: null })
    this.#runs.set(contactId, [...(this.#runs.get(contactId) ?? []), run])
    if (depth > DEPTH_MAX) {
      this.#moves.end(run, 'failed', TOO_DEEP)
    } else this.#moves.go(run, plan.index, 'default', now, { zone })
    return run
  }
}

/**
 * Begins runs that no event begins, for contacts that may have others. The caller has locked the feed (`lockAutomationFeed`). Returns
 * the run that each start began, or why none did.
 */
export async function beginTogether(
  tx: Tx,
  teamId: string,
  now: Date,
  starts: readonly Omit<Start, 'heardUntil'>[],
): Promise<(AutomationRun | StartRefusal)[]> {
  if (starts.length === 0) return []
  const ids = [...new Set(starts.map(({ contactId }) => contactId))]
  const heardUntil = await findFeedEnd(tx, teamId)
  const runs = Map.groupBy(await lockRunsOfContacts(tx, teamId, ids), ({ contactId }) => contactId)
  const moves = new Moves(teamId, now)
  const beginner = new Beginner(tx, moves, new Scopes(tx, teamId, ids, now), runs)
  await beginner.loadEntries(starts)
  const results: (AutomationRun | StartRefusal)[] = []
  for (const start of starts) results.push(await beginner.begin({ ...start, heardUntil }))
  await moves.save(tx)
  return results
}

/** A date that comes each year begins a run each year, also where a contact begins once. */
function isYearly({ index: { trigger } }: RunPlan): boolean {
  return trigger?.config.type === 'date' && trigger.config.repeat === 'yearly'
}
