import { storedDurationMs } from '../../lib/time/durations.ts'
import type { Step } from '../graph/graph-types.ts'
import { nextWaitUntil } from '../graph/local-times.ts'
import type { AutomationRun } from '../rows/runs-queries.ts'

/**
 * Returns when a run that entered a step goes on, and what it waits for.
 * @param at when it entered
 * @param zone the time zone of its contact
 */
export function waitOf(
  step: Step,
  at: Date,
  zone: string | null,
): Pick<AutomationRun, 'dueAt' | 'awaits' | 'collected'> {
  const until = (dueAt: Date | null, awaits: string | null = null) => ({ dueAt, awaits, collected: null })
  const after = (duration: string) => new Date(at.getTime() + storedDurationMs(duration))
  switch (step.type) {
    case 'delay':
    case 'digest':
      return until(after(step.config.duration))
    case 'wait_until':
      return until(nextWaitUntil(step.config, zone, at))
    case 'wait_for_event': {
      const { timeout, event_name: name } = step.config
      return until(timeout === undefined ? null : after(timeout), name)
    }
    default:
      return until(at)
  }
}
