/** Known destinations of all teams together; about 200 bytes each. */
export const DESTINATIONS_MAX = 30_000

/** A place in the order of one destination's rows. */
export interface Position {
  /** As PostgreSQL writes it in UTC, to the microsecond; such texts sort by time. */
  dueAt: string
  emailId: string
}

/** Before every row due at that time. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** A team's destination that has ready rows, and how many of them a claim may look at. */
export interface ChosenDestination {
  teamId: string
  domain: string
  /** Nothing before this is ready. */
  from: Position
  rowsMax: number
}

/** What one claim is to look at. */
export interface Choice {
  destinations: ChosenDestination[]
  /** Rows for each team. */
  share: number
}

/**
 * Which teams have ready rows for which destinations, as far as this process knows, and from which row on. It is what
 * the round goes over: teams in turn, within each team its destinations in turn. An entry too many costs one probe of an
 * index; what is missing is found by the news or the next survey (queue/survey.ts).
 */
export class ReadyDestinations {
  /** Maps keep the order of insertion: whoever was served moves to the end. */
  readonly #teams = new Map<string, Map<string, Position>>()
  #count = 0
  /** Something that may be ready was forgotten for want of room. Whoever surveys it all anew sets it back. */
  isIncomplete = false

  readonly #countMax: number

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** Full: what is served or skipped is forgotten, and room made for those that nobody has looked at yet. */
  get isFull(): boolean {
    return this.#count >= this.#countMax
  }

  /** Rows due at `dueAt` are ready. Returns whether the destination is new. */
  note(teamId: string, domain: string, dueAt: string): boolean {
    const domains = this.#teams.get(teamId) ?? new Map<string, Position>()
    if (domains.size === 0) this.#teams.set(teamId, domains)
    const from = domains.get(domain)
    if (from === undefined) this.#count++
    if (from === undefined || dueAt <= from.dueAt) domains.set(domain, { dueAt, emailId: FIRST_ID })
    return from === undefined
  }

  /** The first row that is still there; for destinations that are known. */
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
   * Up to `teamsMax` teams that have something besides `domainsToSkip`, each with an even share of `countMax` rows, and of
   * each as many destinations as its share has rows. All of them go to the end of their round.
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
    // Twice its part, so that one that has more fills up what others leave.
    const rowsMax = Math.min(share, 2 * Math.ceil(share / chosen.length))
    return chosen.map(([domain, from]) => ({ teamId, domain, from, rowsMax }))
  }
}

function hasOthers(domains: ReadonlyMap<string, unknown>, domainsToSkip: ReadonlySet<string>): boolean {
  for (const domain of domains.keys()) if (!domainsToSkip.has(domain)) return true
  return false
}
