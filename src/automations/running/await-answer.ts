import type { Tx } from '../../db/db-types.ts'
import { storedDurationMs } from '../../lib/time/durations.ts'
import { findWebhookDelivery } from '../../webhooks/webhook-deliveries-queries.ts'
import type { Step } from '../graph/graph-types.ts'
import type { RunContact } from '../rows/contact-scopes-queries.ts'
import type { AutomationRun } from '../rows/runs-queries.ts'
import { callIdOf, callWebhook, WEBHOOK_TYPE } from './step-effects.ts'

/** How often a run looks for its answer: soon at first, then in steps of half the time that it has waited. */
const LOOK_MS = { min: 1_000, max: 60_000 }

/** What became of a call: its answer, for the payload, and whether it came in time. */
export interface CallEnd {
  isAnswered: boolean
  answer: { status: number | null; body: unknown }
  deliveryId: string
}

/**
 * Calls a webhook, or looks for the answer to the call that the run made before. Returns null while the run has to wait; then it is
 * due again. Throws StepFailure if the webhook cannot be called.
 */
export async function awaitAnswer(
  tx: Tx,
  run: AutomationRun,
  step: Step<'webhook'>,
  contact: RunContact,
  now: Date,
): Promise<CallEnd | null> {
  if (run.awaits !== WEBHOOK_TYPE) {
    // The time to answer counts from the call, which a pause may have held up.
    Object.assign(run, { enteredAt: now, awaits: WEBHOOK_TYPE, dueAt: after(now, LOOK_MS.min) })
    await callWebhook(tx, run, step, contact, now)
    return null
  }
  const deliveryId = callIdOf(run, run.enteredAt)
  const call = await findWebhookDelivery(tx, run.teamId, step.config.webhook_id, deliveryId)
  const answer = { status: call?.answerStatus ?? null, body: parseBody(call?.answer ?? null) }
  if (call?.status === 'delivered') return { isAnswered: true, answer, deliveryId }
  const { answer_timeout: timeout } = step.config
  // A run that was moved to a version that does not wait goes on.
  const deadline = timeout === undefined ? now : after(run.enteredAt, storedDurationMs(timeout))
  if (call?.status !== 'waiting' || deadline <= now) return { isAnswered: false, answer, deliveryId }
  const waitedMs = now.getTime() - run.enteredAt.getTime()
  const nextMs = Math.min(Math.max(waitedMs / 2, LOOK_MS.min), LOOK_MS.max)
  run.dueAt = new Date(Math.min(now.getTime() + nextMs, deadline.getTime()))
  return null
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

/** Returns JSON as its value, and anything else as text. */
function parseBody(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return text
  }
}
