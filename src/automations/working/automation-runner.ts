import { DatabaseUnavailable } from '../../db/db-types.ts'
import { createSignal } from '../../lib/async/signal.ts'
import { Failing } from '../following/failing.ts'
import { followDates } from '../following/follow-dates.ts'
import { followTeam } from '../following/follow-team.ts'
import { readSegments, rereadSegments } from '../following/read-segments.ts'
import { sweepSegments } from '../following/sweep-segments.ts'
import { findUnfollowedTeams } from '../rows/automation-feed-queries.ts'
import { findTeamsWithDueRuns } from '../rows/runs-queries.ts'
import { Plans } from '../running/plans.ts'
import { resumeParked } from './resume-parked.ts'
import { type WorkDeps, workOnTeam } from './work-runs.ts'

export type AutomationRunnerDeps = Omit<WorkDeps, 'plans'> & {
  /** Calls `wake` when there may be new events. Returns the function that unsubscribes. */
  subscribe(wake: () => void): () => void
}

export interface AutomationRunner {
  /** Waits for the steps that are being taken. Another process, or the next start, continues. */
  stop(): Promise<void>
}

const POLL_MS = 500
/** Events of this time wake the runner once. A busy server records hundreds of them a second, most for no automation. */
const WAKE_MS = 20
/** A team with more to do is worked on for this long before others that wait have their turn. */
const TURN_MS = 500
const TEAMS_MAX = 50
/** Teams that are followed, and those whose runs are worked on, at a time: six connections of a pool that delivery shares. */
const FOLLOWED_MAX = 2
const WORKED_ON_MAX = 4

/** How often edited segments are looked for. */
const EDITS_MS = 2_000
/** How often work is looked for that no event brings. */
const TIMED_MS = 200

/** Returns a stage that runs `work` at most once in `everyMs`, unless there is more to do. */
function atMostEvery(everyMs: number, work: () => Promise<boolean>): () => Promise<boolean> {
  let doneMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - doneMs < everyMs) return false
    doneMs = performance.now()
    const hasMore = await work()
    if (hasMore) doneMs = Number.NEGATIVE_INFINITY
    return hasMore
  }
}

type FindTeams = (after: string | null, countMax: number) => Promise<string[]>

/** Works on teams side by side. One that takes long, or fails, does not keep the others waiting. */
class TeamWorkers {
  #after: string | null = null
  /** Whether one of the teams before `#after` had more to do. */
  #hadMore = false
  readonly #busy = new Map<string, Promise<void>>()
  readonly #atOnceMax: number
  readonly #find: FindTeams
  /** Returns whether there may be more to do now. */
  readonly #work: (teamId: string) => Promise<boolean>
  /** Called when a team may have more to do, or another one can begin. */
  readonly #onMore: () => void

  constructor(
    atOnceMax: number,
    find: FindTeams,
    work: (teamId: string) => Promise<boolean>,
    onMore: () => void,
  ) {
    this.#atOnceMax = atOnceMax
    this.#find = find
    this.#work = work
    this.#onMore = onMore
  }

  /** Begins to work on teams while there is room. Returns whether there may be more teams now. */
  async begin(): Promise<boolean> {
    const room = this.#atOnceMax - this.#busy.size
    if (room === 0) return false
    const teams = await this.#find(this.#after, TEAMS_MAX)
    const free = teams.filter((team) => !this.#busy.has(team)).slice(0, room)
    for (const team of free) this.#busy.set(team, this.#workOn(team))
    if (free.length === room) {
      this.#after = free.at(-1) ?? null
      return false
    }
    const isMore = this.#after !== null && this.#hadMore
    this.#after = null
    this.#hadMore = false
    return isMore
  }

  async finish(): Promise<void> {
    await Promise.all(this.#busy.values())
  }

  async #workOn(teamId: string): Promise<void> {
    const untilMs = performance.now() + TURN_MS
    let hasMore = await this.#work(teamId)
    while (hasMore && performance.now() < untilMs) hasMore = await this.#work(teamId)
    const wasFull = this.#busy.size === this.#atOnceMax
    this.#busy.delete(teamId)
    if (hasMore) this.#hadMore = true
    if (hasMore || wasFull) this.#onMore()
  }
}

/**
 * Follows the feeds of teams with automations, and takes runs through their steps, until stopped. Any process may die at any point:
 * what counts are the rows, which change together with what they stand for.
 */
export function startAutomationRunner({ subscribe, ...rest }: AutomationRunnerDeps): AutomationRunner {
  const deps = { ...rest, plans: new Plans() }
  const { db, clock, log } = deps
  const stopping = new AbortController()
  const signal = createSignal()
  let waking: NodeJS.Timeout | null = null
  const unsubscribe = subscribe(() => {
    waking ??= setTimeout(() => {
      waking = null
      signal.notify()
    }, WAKE_MS)
  })
  const onError = (error: unknown, team?: string): false => {
    const level = error instanceof DatabaseUnavailable ? 'debug' : 'warn'
    log[level]({ err: error, ...(team !== undefined && { team }) }, 'automations were interrupted and go on')
    return false
  }
  const alone = { ...deps, failing: new Failing(), onError }
  const workersOf = (atOnceMax: number, find: FindTeams, work: (teamId: string) => Promise<boolean>) =>
    new TeamWorkers(
      atOnceMax,
      find,
      (teamId) => work(teamId).catch((error: unknown) => onError(error, teamId)),
      () => signal.notify(),
    )
  const following = workersOf(
    FOLLOWED_MAX,
    (after, countMax) => findUnfollowedTeams(db, after, countMax),
    (teamId) => followTeam(deps, teamId),
  )
  const working = workersOf(
    WORKED_ON_MAX,
    (after, countMax) => findTeamsWithDueRuns(db, after, clock.now(), countMax),
    (teamId) => workOnTeam(deps, teamId),
  )
  /** None of them stops the others. */
  const stages: readonly (() => Promise<boolean>)[] = [
    () => following.begin(),
    atMostEvery(TIMED_MS, () => resumeParked(deps)),
    atMostEvery(EDITS_MS, () => rereadSegments(alone)),
    atMostEvery(TIMED_MS, () => readSegments(alone)),
    atMostEvery(TIMED_MS, () => sweepSegments(alone)),
    atMostEvery(TIMED_MS, () => followDates(alone)),
    // Last, so that runs that any of these began take their first steps in the same turn.
    () => working.begin(),
  ]

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      let hasMore = false
      for (const stage of stages) if (await stage().catch(onError)) hasMore = true
      if (!hasMore && !stopping.signal.aborted) await signal.wait(POLL_MS)
    }
  })()

  return {
    async stop() {
      stopping.abort()
      unsubscribe()
      if (waking !== null) clearTimeout(waking)
      signal.notify()
      await loop
      await Promise.all([following.finish(), working.finish()])
    },
  }
}
