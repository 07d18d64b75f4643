/**
 * Lets mail that a team with little in progress has just submitted pass other teams' backlogs: until its first attempt,
 * they yield. Otherwise each step of a request (a statement's result, a signature) waits behind a hundred similar steps
 * of a backlog, ten milliseconds or more each time (docs/adr/0022-precedence.md).
 *
 * States: *at rest*; *yielding* while priority mail is expected, for a moment at most (`PERIOD_MS`). Yielding spends a
 * credit that refills five times as slowly, so backlogs keep four fifths of the time whatever arrives.
 */
export interface Backpressure {
  /** Announces a request of this team. Does nothing when the team already has much mail in progress. */
  expect(teamId: string): void
  /** The team's mail is on the wire, or will not come. */
  end(teamId: string): void
  /** Returns whether the team's mail is expected and has priority. */
  isExpected(teamId: string): boolean
  /** For work that can wait: returns null when it may go on at once, else a promise that resolves when it may. */
  yieldTurn(): Promise<void> | null
}

export const PERIOD_MS = 50
const CREDIT_MS_MAX = 100
const CREDIT_PER_MS = 0.2
/** A shorter period is not worth its timer. */
const CREDIT_MS_MIN = 5

/** @param hasRight returns whether the team has so little in progress that others, which have a backlog, yield to it */
export function createBackpressure(hasRight: (teamId: string) => boolean): Backpressure {
  const expected = new Set<string>()
  let creditMs = CREDIT_MS_MAX
  let restedSinceMs = performance.now()
  let period: { startedMs: number; timer: NodeJS.Timeout; over: Promise<void>; resolve(): void } | null = null

  function begin(): boolean {
    const nowMs = performance.now()
    creditMs = Math.min(CREDIT_MS_MAX, creditMs + (nowMs - restedSinceMs) * CREDIT_PER_MS)
    restedSinceMs = nowMs
    if (creditMs < CREDIT_MS_MIN) return false
    const { promise: over, resolve } = Promise.withResolvers<void>()
    period = { startedMs: nowMs, timer: setTimeout(rest, Math.min(PERIOD_MS, creditMs)), over, resolve }
    return true
  }

  function rest(): void {
    expected.clear()
    if (period === null) return
    const { startedMs, timer, resolve } = period
    period = null
    clearTimeout(timer)
    restedSinceMs = performance.now()
    creditMs -= restedSinceMs - startedMs
    resolve()
  }

  return {
    expect(teamId) {
      if (expected.has(teamId) || !hasRight(teamId)) return
      if (period !== null || begin()) expected.add(teamId)
    },
    end(teamId) {
      if (expected.delete(teamId) && expected.size === 0) rest()
    },
    isExpected: (teamId) => expected.has(teamId),
    yieldTurn: () => period?.over ?? null,
  }
}

/** For processes without a backlog. */
export const NO_PRECEDENCE: Backpressure = {
  expect: () => {},
  end: () => {},
  isExpected: () => false,
  yieldTurn: () => null,
}
