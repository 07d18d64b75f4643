import type { Db, Queryable } from '../db/db-types.ts'
import { type DestinationKey, FIRST_ID, type ReadyDestinations } from './ready-destinations.ts'
import { findReadyDestinations, findReadyTeams, readNews, TEAMS_PER_SLICE_MAX } from './survey-queries.ts'

/** Sorts after the id of every team. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** The news overlaps the last scan by this much: a row carries the time at which its transaction began. */
const NEWS_OVERLAP_MS = 3000
/** Rows of one news scan, newest first; when more have come since the last scan, a survey finds the rest. */
const NEWS_COUNT_MAX = 5000
/** A destination within a team; destinations are read in this order. */
type Place = Pick<DestinationKey, 'isBulk' | 'domain'>
/** Precedes every destination of a team. */
const FIRST_PLACE: Place = { isBulk: false, domain: '' }

/** Destinations in one slice, over all teams; the next slice continues after them. */
const DESTINATIONS_PER_SLICE_MAX = 2048
/** Time between surveys: the safety net for news that became visible too late. */
const REST_MS = 15_000
/** A survey is slow beside a transaction that keeps claimed rows from vacuum: limit it to a twentieth of the time. */
const REST_PER_DURATION = 20
/** The longest time for which the first claim of a process waits for the survey to know all teams. */
const START_MS = 500
/** Time between surveys while there are more destinations than can be remembered. */
const INCOMPLETE_REST_MS = 1000

/**
 * Tracks which destinations have ready rows. *News*: rows that became ready recently, by time; its cost is that of the
 * new rows. *Survey*: every destination of every team, by a loose index scan (one probe each), a slice at a time. Its
 * cost also grows with recently claimed rows until no open transaction can see them, so it runs beside the claims: after
 * the first of them, after the clock steps, and every 15 s, because news may be missed (a very long transaction, another
 * machine whose clock is behind).
 */
export class Survey {
  readonly #destinations: ReadyDestinations
  #newsSince: Date | null = null
  #lastNowMs = 0
  /** Whether teams or destinations are left to read in this survey. */
  #isOpen = true
  #isAwaited = true
  #hasStarted = false
  #isTeamsDone = false
  #afterTeam = FIRST_ID
  /** The last destination read, by team, for teams with more destinations than one slice covers. */
  readonly #after = new Map<string, Place>()
  #openedMs = 0
  #tookMs = 0
  #nextMs = 0
  #nextWhenIncompleteMs = 0

  constructor(destinations: ReadyDestinations) {
    this.#destinations = destinations
  }

  /** Whether a slice is worth its statements now. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#destinations.isFull
  }

  /**
   * Whether claims that know of no ready destination must wait for the survey: at the start, and while there are more
   * destinations than can be remembered.
   */
  get isAwaited(): boolean {
    return this.#isAwaited && this.isOpen
  }

  /** Runs each statement on empty input, so that the connection plans it: planning takes longer than the statement. */
  static async prepare(db: Queryable): Promise<void> {
    const now = new Date()
    await readNews(db, now, 0)
    await findReadyTeams(db, LAST_ID)
    await findReadyDestinations(db, [], 1)
  }

  /** Reads what became ready since the last scan, and starts a new survey when one is due. */
  async readNews(db: Db, now: Date): Promise<void> {
    const nowMs = now.getTime()
    const isSteppedBack = nowMs < this.#lastNowMs
    const nextMs = this.#destinations.isIncomplete ? this.#nextWhenIncompleteMs : this.#nextMs
    if (nowMs >= nextMs || isSteppedBack) this.#open(nowMs)
    this.#isAwaited ||= this.#destinations.isIncomplete
    const reachMs = Math.min(nowMs, this.#lastNowMs === 0 ? nowMs : this.#lastNowMs) - NEWS_OVERLAP_MS
    this.#newsSince ??= new Date(reachMs)
    if (isSteppedBack) {
      this.#newsSince = new Date(reachMs)
      // A survey may end before the news is read.
      this.#lastNowMs = nowMs
    }
    const rows = await readNews(db, this.#newsSince, NEWS_COUNT_MAX)
    for (const row of rows) this.#destinations.note(row, row.dueAt)
    const isAll = rows.reduce((sum, row) => sum + row.count, 0) < NEWS_COUNT_MAX
    if (!isAll && rows.every((row) => row.oldest.getTime() > this.#lastNowMs)) this.#open(nowMs)
    this.#newsSince = new Date(nowMs - NEWS_OVERLAP_MS)
    this.#lastNowMs = nowMs
  }

  #open(nowMs: number): void {
    if (this.#isOpen) {
      // If the clock was set back, the time until the next survey counts from the new time.
      this.#openedMs = Math.min(this.#openedMs, nowMs)
      return
    }
    this.#isOpen = true
    this.#isAwaited = this.#destinations.isIncomplete
    this.#destinations.isIncomplete = false
    this.#openedMs = nowMs
  }

  /**
   * Reads all teams before the first claim, with as many of their destinations as its slices have. Otherwise the first
   * teams found would be served again and again, and those found last would wait for all of them.
   */
  async start(db: Db): Promise<void> {
    if (this.#hasStarted) return
    const untilMs = performance.now() + START_MS
    while (this.isOpen && !this.#isTeamsDone && performance.now() < untilMs) await this.readSlice(db)
    this.#hasStarted = true
  }

  /** Reads the next teams and destinations. Returns how many were new. */
  async readSlice(db: Db): Promise<number> {
    const startedMs = performance.now()
    const teams = this.#isTeamsDone
      ? [...this.#after.keys()].slice(0, TEAMS_PER_SLICE_MAX)
      : await findReadyTeams(db, this.#afterTeam)
    const count = teams.length === 0 ? 0 : await this.#readDestinations(db, teams)
    if (!this.#isTeamsDone) {
      this.#afterTeam = teams.at(-1) ?? FIRST_ID
      this.#isTeamsDone = teams.length < TEAMS_PER_SLICE_MAX
    }
    this.#tookMs += performance.now() - startedMs
    if (this.#isTeamsDone && this.#after.size === 0) this.#close()
    return count
  }

  #close(): void {
    this.#isOpen = false
    this.#isAwaited = false
    this.#isTeamsDone = false
    this.#afterTeam = FIRST_ID
    const endedMs = Math.max(this.#openedMs, this.#lastNowMs)
    this.#nextMs = endedMs + Math.max(REST_MS, this.#tookMs * REST_PER_DURATION)
    this.#nextWhenIncompleteMs = endedMs + Math.max(INCOMPLETE_REST_MS, this.#tookMs)
    this.#tookMs = 0
  }

  async #readDestinations(db: Db, teams: readonly string[]): Promise<number> {
    const perTeamMax = Math.ceil(DESTINATIONS_PER_SLICE_MAX / teams.length)
    const rows = await findReadyDestinations(
      db,
      teams.map((teamId) => ({ ...(this.#after.get(teamId) ?? FIRST_PLACE), teamId })),
      perTeamMax,
    )
    const last = new Map<string, Place & { position: number }>()
    let count = 0
    for (const row of rows) {
      if (this.#destinations.note(row, row.dueAt)) count++
      if (row.position >= (last.get(row.teamId)?.position ?? 0)) last.set(row.teamId, row)
    }
    for (const team of teams) {
      const end = last.get(team)
      if (end?.position === perTeamMax) this.#after.set(team, end)
      else this.#after.delete(team)
    }
    return count
  }
}
