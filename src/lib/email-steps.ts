import { channel } from 'node:diagnostics_channel'

/**
 * The steps of an email in a process, in order. A claimed email begins with `placed`, because another process may have
 * accepted it.
 */
export type EmailStep =
  /** Read, validated and composed; waits for a commit. */
  | 'composed'
  /** Taken into the batch of a commit. */
  | 'batched'
  /** The facts that its acceptance depends on are known; its transaction begins. */
  | 'looked_up'
  | 'committed'
  /** Its route is known; it waits at its site. */
  | 'placed'
  /** A connection of its site takes it. */
  | 'taken'
  /** That connection is open, and its content in memory. */
  | 'loaded'
  /** Signed; MAIL FROM and RCPT TO follow at once. */
  | 'signed'

export interface EmailStepMark {
  emailId: string
  step: EmailStep
  /** By `performance.now()`. */
  atMs: number
}

/** The name of the diagnostics channel that carries each EmailStepMark. */
export const EMAIL_STEPS = 'sendwright.email_steps'

const steps = channel(EMAIL_STEPS)

/** Publishes that an email has reached a step. Costs a comparison while nothing subscribes to the channel. */
export function markStep(emailId: string, step: EmailStep): void {
  if (steps.hasSubscribers) steps.publish({ emailId, step, atMs: performance.now() } satisfies EmailStepMark)
}
