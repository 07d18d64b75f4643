import { DatabaseUnavailable } from '../../db/db-types.ts'
import { createSignal } from '../../lib/async/signal.ts'
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
const TEAMS_MAX = 50
/** The teams that a process follows, and those whose runs it works on, at a time. It bounds the connections to the database. */
const WORKING_MAX = 4

/** How often segments are looked through for edits. */
const EDITS_MS = 2_000

/** Returns work that is done at most so often; in between, there is nothing to do. */
function atMostEvery(everyMs: number, work: () => Promise<void>): () => Promise<boolean> {
  let doneMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - doneMs < everyMs) return false
    doneMs = performance.now()
    await work()
    return false
  }
}

type FindTeams = (after: string | null, countMax: number) => Promise<string[]>

/** Follows teams in turn, each once. */
class Turns {
  #after: string | null = null
  readonly #find: FindTeams
  /** One team that fails does not stop the others. */
  readonly #onError: (error: unknown, teamId: string) => false

  constructor(find: FindTeams, onError: (error: unknown, teamId: string) => false) {
    this.#find = find
    this.#onError = onError
  }

  /** Returns whether there may be more to do now. */
  async run(work: (teamId: string) => Promise<boolean>): Promise<boolean> {
    const teams = await this.#find(this.#after, TEAMS_MAX)
    const wasWithin = this.#after !== null
    this.#after = teams.length === TEAMS_MAX ? (teams.at(-1) ?? null) : null
    let hasMore = false
    const waiting = [...teams]
    const workers = Array.from({ length: WORKING_MAX }, async () => {
      for (let team = waiting.shift(); team !== undefined; team = waiting.shift()) {
        if (await work(team).catch((error: unknown) => this.#onError(error, team))) hasMore = true
      }
    })
    await Promise.all(workers)
    return hasMore || this.#after !== null || wasWithin
  }
}

/** Works on teams side by side. One that takes long does not keep the others waiting. */
class SideBySide {
  #after: string | null = null
  readonly #busy = new Map<string, Promise<void>>()
  readonly #find: FindTeams
  readonly #work: (teamId: string) => Promise<boolean>
  /** Called when a team may have more to do, or another one can begin. */
  readonly #onMore: () => void

  constructor(find: FindTeams, work: (teamId: string) => Promise<boolean>, onMore: () => void) {
    this.#find = find
    this.#work = work
    this.#onMore = onMore
  }

  /** Begins to work on teams while there is room. Returns whether there may be more teams now. */
  async begin(): Promise<boolean> {
    const room = WORKING_MAX - this.#busy.size
    if (room === 0) return false
    const teams = await this.#find(this.#after, TEAMS_MAX)
    const free = teams.filter((team) => !this.#busy.has(team)).slice(0, room)
    for (const team of free) this.#busy.set(team, this.#workOn(team))
    const wasWithin = this.#after !== null
    const isFull = free.length === room
    this.#after = isFull ? (free.at(-1) ?? null) : null
    return wasWithin && !isFull
  }

  async finish(): Promise<void> {
    await Promise.all(this.#busy.values())
  }

  async #workOn(teamId: string): Promise<void> {
    const hasMore = await this.#work(teamId)
    const wasFull = this.#busy.size === WORKING_MAX
    this.#busy.delete(teamId)
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
  const unsubscribe = subscribe(() => signal.notify())
  const onError = (error: unknown, team?: string): false => {
    const level = error instanceof DatabaseUnavailable ? 'debug' : 'warn'
    log[level]({ err: error, ...(team !== undefined && { team }) }, 'automations were interrupted and go on')
    return false
  }
  const following = new Turns((after, countMax) => findUnfollowedTeams(db, after, countMax), onError)
  const working = new SideBySide(
    (after, countMax) => findTeamsWithDueRuns(db, after, clock.now(), countMax),
    (teamId) => workOnTeam(deps, teamId).catch((error: unknown) => onError(error, teamId)),
    () => signal.notify(),
  )
  /** None of them stops the others. */
  const stages: readonly (() => Promise<boolean>)[] = [
    () => following.run((teamId) => followTeam(deps, teamId)),
    () => resumeParked(deps),
    atMostEvery(EDITS_MS, () => rereadSegments(deps)),
    () => readSegments(deps),
    () => sweepSegments(deps),
    () => followDates(deps),
    // Last, so that what events have begun takes its first steps in the same turn.
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
      signal.notify()
      await loop
      await working.finish()
    },
  }
}
