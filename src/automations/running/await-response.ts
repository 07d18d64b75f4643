import type { Tx } from '../../db/db-types.ts'
import { storedDurationMs } from '../../lib/time/durations.ts'
import { findWebhookDelivery } from '../../webhooks/webhook-deliveries-queries.ts'
import type { Step } from '../graph/graph-types.ts'
import type { RunContact } from '../rows/contact-scopes-queries.ts'
import { type AutomationRun, RESPONSE } from '../rows/runs-queries.ts'
import { joinPayload } from './payloads.ts'
import { callIdOf, callWebhook } from './step-effects.ts'

/** Delays between looks for the response: a second at first, then half the time that the run has waited, at most a minute. */
const LOOK_MS = { min: 1_000, max: 60_000 }

/** A webhook whose response the run waits for. */
export type AwaitingStep = Step<'webhook'> & { config: { response_timeout: string } }

export function isAwaiting(step: Step): step is AwaitingStep {
  return step.type === 'webhook' && step.config.response_timeout !== undefined
}

/** What became of a call. */
export interface CallResult {
  /** A 2xx response came in time. */
  hasResponded: boolean
  /** Of the last response; null if there was none. */
  status: number | null
  deliveryId: string
}

/**
 * Calls a webhook, or looks for the response to the call that the run made before, and adds it to the payload of the run. Returns
 * null while the run has to wait; then it is due again. Throws StepFailure if the webhook cannot be called.
 */
export async function awaitResponse(
  tx: Tx,
  run: AutomationRun,
  step: AwaitingStep,
  contact: RunContact,
  now: Date,
): Promise<CallResult | null> {
  if (run.awaits !== RESPONSE) {
    // The timeout counts from the call, which a pause may have held up.
    Object.assign(run, { enteredAt: now, awaits: RESPONSE, dueAt: after(now, LOOK_MS.min) })
    await callWebhook(tx, run, step, contact, now)
    return null
  }
  const deliveryId = callIdOf(run, run.enteredAt)
  const call = await findWebhookDelivery(tx, run.teamId, step.config.webhook_id, deliveryId)
  const deadline = after(run.enteredAt, storedDurationMs(step.config.response_timeout))
  if (call?.status === 'waiting' && now < deadline) {
    const nextMs = Math.min(Math.max((now.getTime() - run.enteredAt.getTime()) / 2, LOOK_MS.min), LOOK_MS.max)
    run.dueAt = new Date(Math.min(now.getTime() + nextMs, deadline.getTime()))
    return null
  }
  const status = call?.answerStatus ?? null
  run.payload = joinPayload(run.payload, step.key, status, call?.answer ?? null)
  return { hasResponded: call?.status === 'delivered' && call.updatedAt <= deadline, status, deliveryId }
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}
