/** The most destinations remembered over all teams; about 200 bytes each. */
export const DESTINATIONS_MAX = 30_000

/** A position in the order of one destination's rows. */
export interface Position {
  /** As PostgreSQL formats it in UTC, to the microsecond; such texts sort by time. */
  dueAt: string
  emailId: string
}

/** Precedes every row due at that time. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** A team's destination with ready rows, and how many of them a claim may examine. */
export interface ChosenDestination {
  teamId: string
  domain: string
  /** No row before this is ready. */
  from: Position
  rowsMax: number
}

/** The destinations that one claim examines. */
export interface Choice {
  destinations: ChosenDestination[]
  /** Rows for each team. */
  share: number
}

/**
 * The destinations with ready rows of each team, as far as this process knows, and their first rows. The round goes
 * over them: teams in turn, within each team its destinations in turn. A superfluous entry costs one index probe; a
 * missing one is found by the news or the next survey (queue/survey.ts).
 */
export class ReadyDestinations {
  /** Maps keep insertion order: what was served moves to the end. */
  readonly #teams = new Map<string, Map<string, Position>>()
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
  note(teamId: string, domain: string, dueAt: string): boolean {
    const domains = this.#teams.get(teamId) ?? new Map<string, Position>()
    if (domains.size === 0) this.#teams.set(teamId, domains)
    const from = domains.get(domain)
    if (from === undefined) this.#count++
    if (from === undefined || dueAt <= from.dueAt) domains.set(domain, { dueAt, emailId: FIRST_ID })
    return from === undefined
  }

  /** Sets the first remaining row of a known destination. */
  moveOn({ teamId, domain }: ChosenDestination, from: Position): void {
    const domains = this.#teams.get(teamId)
    if (domains?.has(domain) === true) domains.set(domain, from)
  }

  forget(teamId: string, domain: string): void {
    const domains = this.#teams.get(teamId)
    if (domains?.delete(domain) !== true) return
    this.#count--
    if (domains.size === 0) this.#teams.delete(teamId)
  }

  /**
   * Chooses up to `teamsMax` teams with destinations outside `domainsToSkip`, each with an even share of `countMax`
   * rows, and as many destinations as its share has rows. All of them move to the end of their round.
   */
  choose(countMax: number, teamsMax: number, domainsToSkip: ReadonlySet<string>): Choice {
    if (this.isFull) this.#forgetAll(domainsToSkip)
    const teams: string[] = []
    for (const [teamId, domains] of this.#teams) {
      if (teams.length === Math.min(teamsMax, countMax)) break
      if (hasOthers(domains, domainsToSkip)) teams.push(teamId)
    }
    const share = Math.ceil(countMax / Math.max(1, teams.length))
    return { destinations: teams.flatMap((teamId) => this.#serve(teamId, share, domainsToSkip)), share }
  }

  #forgetAll(domainsToSkip: ReadonlySet<string>): void {
    this.isIncomplete = true
    for (const [teamId, domains] of this.#teams) {
      for (const domain of domains.keys()) if (domainsToSkip.has(domain)) this.forget(teamId, domain)
    }
  }

  #serve(teamId: string, share: number, domainsToSkip: ReadonlySet<string>): ChosenDestination[] {
    const domains = this.#teams.get(teamId) as Map<string, Position>
    const chosen: [string, Position][] = []
    for (const entry of domains) {
      if (chosen.length === share) break
      if (!domainsToSkip.has(entry[0])) chosen.push(entry)
    }
    for (const [domain, from] of chosen) {
      domains.delete(domain)
      domains.set(domain, from)
    }
    this.#teams.delete(teamId)
    this.#teams.set(teamId, domains)
    // Twice its part, so that a destination with more rows fills what others leave.
    const rowsMax = Math.min(share, 2 * Math.ceil(share / chosen.length))
    return chosen.map(([domain, from]) => ({ teamId, domain, from, rowsMax }))
  }
}

function hasOthers(domains: ReadonlyMap<string, unknown>, domainsToSkip: ReadonlySet<string>): boolean {
  for (const domain of domains.keys()) if (!domainsToSkip.has(domain)) return true
  return false
}
