import type { Tx } from '../../db/db-types.ts'
import { nextOf } from '../graph/graph-index.ts'
import type { ConnectionType, Step } from '../graph/graph-types.ts'
import {
  type AutomationRun,
  insertAutomationRuns,
  RESPONSE,
  type RunOutcome,
  saveEntries,
  updateAutomationRuns,
} from '../rows/runs-queries.ts'
import {
  bumpFigures,
  type FigureBump,
  figureOf,
  insertStepsTaken,
  type StepOutcome,
  type StepTaken,
} from '../rows/steps-taken-queries.ts'
import type { RunIndex } from './run-index.ts'
import { waitOf } from './wait-of.ts'

/** How a run leaves a step. */
export interface Leaving {
  outcome?: StepOutcome
  /** What the step decided or did, for people. */
  detail?: Record<string, unknown>
  emailId?: string
}

/**
 * The moves of one transaction: changes to locked runs of a team, the steps that they took, and what is counted. All are saved
 * together, with the effects of the steps in the same transaction, so that no step is repeated or left out.
 */
export class Moves {
  readonly teamId: string
  readonly now: Date
  readonly #changed = new Map<string, AutomationRun>()
  readonly #begun = new Map<string, AutomationRun>()
  readonly #taken: StepTaken[] = []
  readonly #bumps: FigureBump[] = []

  constructor(teamId: string, now: Date) {
    this.teamId = teamId
    this.now = now
  }

  /** Begins a run at its trigger, which it leaves at once. */
  begin(run: AutomationRun): void {
    this.#begun.set(run.id, run)
    this.#bumps.push(figureOf(run, run.step, 'entered'))
  }

  /** Saves a run that changed otherwise. */
  touch(run: AutomationRun): void {
    if (!this.#begun.has(run.id)) this.#changed.set(run.id, run)
  }

  /**
   * Leaves the step by a connection and enters the next one; ends the run if the connection leads nowhere.
   * @param at the time from which the next step counts
   */
  go(run: AutomationRun, index: RunIndex, by: ConnectionType, at: Date, more: Leaving & Zone): void {
    this.#leave(run, more)
    this.enter(run, index, nextOf(index, run.step, by), at, more.zone)
  }

  enter(run: AutomationRun, index: RunIndex, key: string | null, at: Date, zone: string | null): void {
    const step = key === null ? undefined : index.stepOf(key)
    if (key === null || step === undefined) {
      if (key === null) this.#close(run, 'completed', null)
      else this.#close(run, 'failed', `The version has no step "${key}".`)
      return
    }
    Object.assign(run, { step: key, enteredAt: at, attempts: 0, reason: null, ...waitOf(step, at, zone) })
    if (step.type === 'digest') run.collected = { count: 1, events: [run.payload] }
    this.#bumps.push(figureOf(run, key, 'entered'))
    this.touch(run)
  }

  /** Leaves the step where a run is, and enters another one that it does not lead to. */
  skipTo(run: AutomationRun, key: string, detail: Record<string, unknown>): void {
    this.#leave(run, { outcome: 'skipped', detail })
    run.step = key
    run.enteredAt = this.now
    this.#bumps.push(figureOf(run, key, 'entered'))
  }

  /** Ends a run at the step where it is. */
  end(run: AutomationRun, outcome: RunOutcome, reason: string | null, more: Leaving = {}): void {
    if (run.state === 'ended') return
    this.#leave(run, { outcome: outcome === 'failed' ? 'failed' : 'exited', ...more })
    this.#close(run, outcome, reason)
  }

  /** Lets a run that ended take its last step again, or wait for its event until the time that it had. */
  reopen(run: AutomationRun, step: Step | undefined): void {
    const isWait = step?.type === 'wait_for_event'
    // A run that fails behind a wait ended at the wait, whose time is over then, however often it is retried.
    const enteredAt = isWait ? run.enteredAt : this.now
    const { dueAt, awaits } = isWait ? waitOf(step, enteredAt, null) : { dueAt: this.now, awaits: null }
    const isOver = dueAt !== null && dueAt <= this.now
    Object.assign(run, {
      state: 'active',
      outcome: null,
      reason: null,
      dueAt: isOver ? this.now : dueAt,
      awaits: isOver ? null : awaits,
      enteredAt,
      endedAt: null,
      attempts: 0,
    })
    this.#bumps.push(figureOf(run, run.step, 'entered'))
    this.touch(run)
  }

  /** Returns the runs that wait for an event now. */
  waiting(): AutomationRun[] {
    const runs = [...this.#changed.values(), ...this.#begun.values()]
    return runs.filter(({ awaits }) => awaits !== null && awaits !== RESPONSE)
  }

  async save(tx: Tx): Promise<void> {
    const begun = [...this.#begun.values()]
    await updateAutomationRuns(tx, this.teamId, [...this.#changed.values()])
    await insertAutomationRuns(tx, this.teamId, begun)
    await saveEntries(tx, this.teamId, begun)
    await insertStepsTaken(tx, this.teamId, this.#taken)
    bumpFigures(tx, this.#bumps)
  }

  #leave(run: AutomationRun, { outcome = 'done', detail, emailId }: Leaving): void {
    this.#bumps.push(figureOf(run, run.step, outcome))
    this.#taken.push({
      runId: run.id,
      no: run.moves++,
      automationId: run.automationId,
      version: run.version,
      step: run.step,
      outcome,
      detail: detail ?? null,
      emailId: emailId ?? null,
      enteredAt: run.enteredAt,
      leftAt: this.now,
    })
    this.touch(run)
  }

  #close(run: AutomationRun, outcome: RunOutcome, reason: string | null): void {
    Object.assign(run, { state: 'ended', outcome, reason, dueAt: null, awaits: null, endedAt: this.now })
    this.touch(run)
  }
}

interface Zone {
  /** The time zone of the contact. */
  zone: string | null
}
