/**
 * Lets what a team with little under way has just handed in pass by the backlogs of others: until its first try, they
 * stand back. Without it each step of a request (a statement's answer, a signature) waits behind a hundred like steps
 * of a backlog, ten milliseconds and more each time (docs/adr/0022-precedence.md).
 *
 * States: *at rest*; *standing back* while mail is expected that has a right to it, a moment at most (`PERIOD_MS`).
 * Standing back is paid for from a credit, which comes back five times as slowly: whatever comes in, four fifths of
 * the time are left to the backlogs.
 */
export interface Backpressure {
  /** A request of this team is under way. Nothing happens where the team has much under way itself. */
  expect(teamId: string): void
  /** Its mail is on the wire, or will not come. */
  end(teamId: string): void
  /** Whether the team's mail is expected, and goes first. */
  isExpected(teamId: string): boolean
  /** For work that can wait: null when it need not, else resolves when it may go on. */
  yieldTurn(): Promise<void> | null
}

export const PERIOD_MS = 50
const CREDIT_MS_MAX = 100
const CREDIT_PER_MS = 0.2
/** With less a period is not worth its timer. */
const CREDIT_MS_MIN = 5

/** @param hasRight whether the team has so little under way that others stand back for it, and they have something */
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

/** Where there is no backlog to stand back. */
export const NO_PRECEDENCE: Backpressure = {
  expect: () => {},
  end: () => {},
  isExpected: () => false,
  yieldTurn: () => null,
}
