import type { EndpointHealth } from './endpoint-health.ts'
import type { Endpoint } from './endpoint-workers-queries.ts'
import type { LaterResult } from './webhook-results-queries.ts'
import type { FeedWindow } from './window.ts'
import type { WorkerBudget } from './worker-budget.ts'
import type { WorkerResults } from './worker-types.ts'

/** The unwritten results of one endpoint, counted against the limit of all endpoints. */
export class Outbox {
  /** The reason to disable the endpoint, or null. */
  disableReason: string | null = null
  #later: LaterResult[] = []
  #writingCount = 0
  #unwrittenCount = 0
  #isCounted = true
  readonly #budget: WorkerBudget

  constructor(budget: WorkerBudget) {
    this.#budget = budget
  }

  /** Whether everything is written. */
  get isEmpty(): boolean {
    return this.#writingCount === 0 && this.#later.length === 0 && this.disableReason === null
  }

  /** Whether results are with the writer. Until they are written, nothing else records that they exist. */
  get isWriting(): boolean {
    return this.#writingCount > 0
  }

  addLater(result: LaterResult): void {
    this.#later.push(result)
    this.#count(1)
  }

  /** Counts a result in the feed window. */
  addFirst(): void {
    this.#count(1)
  }

  /** Returns the results to write now, or null. The caller must call `written`. */
  take(endpoint: Endpoint, window: FeedWindow, health: EndpointHealth): WorkerResults | null {
    const first = window.takeResults()
    const later = this.#later
    const { disableReason } = this
    if (first.length === 0 && later.length === 0 && disableReason === null) return null
    this.#later = []
    this.#writingCount++
    const { teamId, id, updatedAt } = endpoint
    const { failingSince, probeAt } = health
    return {
      webhook: { teamId, id },
      state: { teamId, id, position: window.position, failingSince, probeAt, updatedAt },
      first,
      later,
      disableReason,
    }
  }

  written({ first, later, disableReason }: WorkerResults): void {
    this.#writingCount--
    if (disableReason !== null) this.disableReason = null
    this.#count(-(first.length + later.length))
  }

  /** Drops unwritten results, which may never be written. */
  forget(): void {
    this.#count(-this.#unwrittenCount)
    this.#isCounted = false
  }

  #count(by: number): void {
    if (!this.#isCounted) return
    this.#unwrittenCount += by
    this.#budget.unwrittenCount += by
  }
}
