import { BULK_EVERY } from './mail-class.ts'

/** The most destinations remembered over all teams; about 200 bytes each. */
export const DESTINATIONS_MAX = 30_000

/** A position in the order of one destination's rows. */
interface Position {
  /** As PostgreSQL formats it in UTC, to the microsecond; such texts sort by time. */
  dueAt: string
  emailId: string
}

/** Precedes every row due at that time. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** A team's mail of one class to one destination. */
export interface DestinationKey {
  teamId: string
  isBulk: boolean
  domain: string
}

/** A destination with ready rows, and how many of them a claim may examine. */
export interface ChosenDestination extends DestinationKey {
  /** No row before this is ready. */
  from: Position
  rowsMax: number
  /** The number of the team's bulk rows that go before its transactional rows. */
  bulkFirst: number
}

/** The destinations that one claim examines. */
export interface Choice {
  destinations: ChosenDestination[]
  /** Rows for each team. */
  share: number
  /** Bulk rows for each team, within its share. */
  bulkShare: number
}

/** Limits of one choice. */
export interface ChoiceLimits {
  countMax: number
  /** Bulk rows among them. */
  bulkCountMax: number
  teamsMax: number
  /** Returns whether a destination's mail must wait. */
  isSkipped(domain: string, isBulk: boolean): boolean
}

type Destinations = Map<string, Position>

interface Team {
  /** Maps keep insertion order: a destination that was served moves to the end. */
  transactional: Destinations
  bulk: Destinations
  /** Rows chosen since bulk mail last got its share, added up over several claims. */
  rowsSinceBulk: number
}

/**
 * The destinations with ready rows of each team, as far as this process knows, and their first rows. The round goes
 * over them: teams in turn, within each team its transactional mail before its bulk mail, and within a class its
 * destinations in turn. A superfluous entry costs one index probe; a missing one is found by the news or the next
 * survey (queue/survey.ts).
 */
export class ReadyDestinations {
  /** In the order of the round. */
  readonly #teams = new Map<string, Team>()
  #count = 0
  /** An entry that may be ready was dropped for lack of room. The next survey resets this when it starts. */
  isIncomplete = false

  readonly #countMax: number

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** When full, entries that were served or skipped are dropped, which makes room for ones not examined yet. */
  get isFull(): boolean {
    return this.#count >= this.#countMax
  }

  /** Records that rows due at `dueAt` are ready. Returns whether the destination is new. */
  note({ teamId, isBulk, domain }: DestinationKey, dueAt: string): boolean {
    const team = this.#teams.get(teamId) ?? { transactional: new Map(), bulk: new Map(), rowsSinceBulk: 0 }
    this.#teams.set(teamId, team)
    const domains = isBulk ? team.bulk : team.transactional
    const from = domains.get(domain)
    if (from === undefined) this.#count++
    if (from === undefined || dueAt <= from.dueAt) domains.set(domain, { dueAt, emailId: FIRST_ID })
    return from === undefined
  }

  /** Sets the first remaining row of a known destination. */
  moveOn(key: DestinationKey, from: Position): void {
    const domains = this.#domainsOf(key)
    if (domains?.has(key.domain) === true) domains.set(key.domain, from)
  }

  forget(key: DestinationKey): void {
    if (this.#domainsOf(key)?.delete(key.domain) !== true) return
    this.#count--
    const team = this.#teams.get(key.teamId)
    if (team?.transactional.size === 0 && team.bulk.size === 0) this.#teams.delete(key.teamId)
  }

  #domainsOf({ teamId, isBulk }: DestinationKey): Destinations | undefined {
    const team = this.#teams.get(teamId)
    return isBulk ? team?.bulk : team?.transactional
  }

  /**
   * Chooses up to `teamsMax` teams with destinations that are not skipped, each with an even share of `countMax` rows,
   * and as many destinations of each class as its share has rows. All of them move to the end of their round.
   */
  choose(limits: ChoiceLimits): Choice {
    if (this.isFull) this.#forgetAll(limits)
    const { countMax, bulkCountMax, teamsMax } = limits
    const served: { teamId: string; hasBulk: boolean }[] = []
    let bulkTeams = 0
    for (const [teamId, team] of this.#teams) {
      if (served.length === Math.min(teamsMax, countMax)) break
      const hasBulk = bulkTeams < bulkCountMax && hasOpen(team.bulk, true, limits)
      if (!hasBulk && !hasOpen(team.transactional, false, limits)) continue
      if (hasBulk) bulkTeams++
      served.push({ teamId, hasBulk })
    }
    const share = Math.ceil(countMax / Math.max(1, served.length))
    const bulkShare = Math.min(share, Math.floor(bulkCountMax / Math.max(1, bulkTeams)))
    // Teams whose bulk mail got no room come before those whose bulk mail did, so that it is their turn next time.
    const inTurn = served.toSorted((a, b) => Number(a.hasBulk) - Number(b.hasBulk))
    const destinations = inTurn.flatMap(({ teamId, hasBulk }) =>
      this.#serve(teamId, share, hasBulk ? bulkShare : 0, limits),
    )
    return { destinations, share, bulkShare }
  }

  #forgetAll({ isSkipped }: ChoiceLimits): void {
    this.isIncomplete = true
    const forgetIn = (teamId: string, domains: Destinations, isBulk: boolean) => {
      for (const domain of domains.keys())
        if (isSkipped(domain, isBulk)) this.forget({ teamId, isBulk, domain })
    }
    for (const [teamId, { transactional, bulk }] of this.#teams) {
      forgetIn(teamId, transactional, false)
      forgetIn(teamId, bulk, true)
    }
  }

  #serve(teamId: string, share: number, bulkShare: number, limits: ChoiceLimits): ChosenDestination[] {
    const team = this.#teams.get(teamId) as Team
    this.#teams.delete(teamId)
    this.#teams.set(teamId, team)
    const transactional = takeTurns(team.transactional, share, (domain) => limits.isSkipped(domain, false))
    const bulk = takeTurns(team.bulk, bulkShare, (domain) => limits.isSkipped(domain, true))
    const bulkFirst = transactional.length > 0 && bulk.length > 0 ? takeBulkRows(team, share) : 0
    const of = { teamId, bulkFirst }
    return [
      ...transactional.map((one) => ({ ...of, isBulk: false, ...one })),
      ...bulk.map((one) => ({ ...of, isBulk: true, ...one })),
    ]
  }
}

/** Returns how many bulk rows the team is due, one in `BULK_EVERY`, and counts them as taken. */
function takeBulkRows(team: Team, share: number): number {
  team.rowsSinceBulk += share
  const rows = Math.floor(team.rowsSinceBulk / BULK_EVERY)
  team.rowsSinceBulk -= rows * BULK_EVERY
  return rows
}

/** Returns up to `share` destinations, which move to the end of their round. */
function takeTurns(
  domains: Destinations,
  share: number,
  isSkipped: (domain: string) => boolean,
): Pick<ChosenDestination, 'domain' | 'from' | 'rowsMax'>[] {
  const chosen: [string, Position][] = []
  for (const entry of domains) {
    if (chosen.length === share) break
    if (!isSkipped(entry[0])) chosen.push(entry)
  }
  for (const [domain, from] of chosen) {
    domains.delete(domain)
    domains.set(domain, from)
  }
  // Twice its share, so that a destination with many rows uses what others leave.
  const rowsMax = Math.min(share, 2 * Math.ceil(share / chosen.length))
  return chosen.map(([domain, from]) => ({ domain, from, rowsMax }))
}

function hasOpen(domains: Destinations, isBulk: boolean, { isSkipped }: ChoiceLimits): boolean {
  for (const domain of domains.keys()) if (!isSkipped(domain, isBulk)) return true
  return false
}
