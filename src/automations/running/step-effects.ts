import { createHash } from 'node:crypto'
import type { ContactRequest } from '../../audience/contacts/contact-input.ts'
import { addToSegment } from '../../audience/contacts/contact-segments.ts'
import { addToLists, removeContact, removeFromList, updateContact } from '../../audience/contacts/contacts.ts'
import type { Transactions, Tx } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { insertWaitingDelivery } from '../../webhooks/webhook-deliveries-queries.ts'
import { bringCallsForward, findWebhook, hintWebhooks } from '../../webhooks/webhooks-queries.ts'
import type { Step, StepKind, StepValue } from '../graph/graph-types.ts'
import { resolveValues } from '../graph/variables.ts'
import type { RunContact } from '../rows/contact-scopes-queries.ts'
import { type AutomationRun, RESPONSE } from '../rows/runs-queries.ts'
import { runScopeOf } from './scopes.ts'

/** Steps that change something beside the run. */
const EFFECT_TYPES = [
  'contact_update',
  'contact_delete',
  'add_to_list',
  'remove_from_list',
  'add_to_segment',
  'webhook',
] as const satisfies readonly StepKind[]
export type EffectStep = Step<(typeof EFFECT_TYPES)[number]>

export function isEffectStep(step: Step): step is EffectStep {
  return (EFFECT_TYPES as readonly string[]).includes(step.type)
}

/** A step cannot do its work, and would not be able to later. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
}

/**
 * Applies a step in the transaction that moves its run. Returns what it did, for people. Throws StepFailure; then the
 * transaction must be rolled back.
 */
export async function applyEffect(
  tx: Tx,
  run: AutomationRun,
  step: EffectStep,
  contact: RunContact,
  now: Date,
): Promise<Record<string, unknown>> {
  try {
    return await apply(tx, run, step, contact, now)
  } catch (error) {
    if (error instanceof ApiError) throw new StepFailure(error.message)
    throw error
  }
}

async function apply(
  tx: Tx,
  run: AutomationRun,
  step: EffectStep,
  contact: RunContact,
  now: Date,
): Promise<Record<string, unknown>> {
  const { teamId } = run
  // The audience takes a database, and here it is this transaction.
  const within: Transactions = { transaction: (work) => work(tx) }
  const cause = { automation: { id: run.automationId, run_id: run.id, depth: run.depth } }
  switch (step.type) {
    case 'contact_update': {
      const changes = readChangesOf(run, step, contact)
      await updateContact(within, teamId, contact.id, changes, now, cause)
      return { changes: { ...changes } }
    }
    case 'contact_delete':
      await removeContact(tx, teamId, contact.id, now, cause)
      return {}
    case 'add_to_list':
      await addToLists(within, teamId, contact.id, [step.config.list_id], now, cause)
      return {}
    case 'remove_from_list':
      await removeFromList(tx, teamId, contact.id, step.config.list_id, now, cause)
      return {}
    case 'add_to_segment':
      await addToSegment(tx, teamId, contact.id, step.config.segment_id, now, cause)
      return {}
    case 'webhook':
      return { delivery_id: await callWebhook(tx, run, step, contact, now) }
  }
}

const NAME_CHARS_MAX = 255

/** Returns the changes that a step names. Throws StepFailure for a variable that has no value, or none of that field. */
function readChangesOf(
  run: AutomationRun,
  { config }: Step<'contact_update'>,
  contact: RunContact,
): ContactRequest {
  const { properties, ...fields } = config
  const values = valuesOf(run, fields, contact)
  const nameOf = (field: string) => {
    const value = values[field] ?? null
    if (value === null) return null
    if (typeof value === 'object' || String(value).length > NAME_CHARS_MAX)
      throw new StepFailure(`The value for ${field} is not a name.`)
    return String(value)
  }
  const { unsubscribed } = values
  if (unsubscribed !== undefined && typeof unsubscribed !== 'boolean')
    throw new StepFailure('The value for unsubscribed is neither true nor false.')
  return {
    ...('first_name' in values && { firstName: nameOf('first_name') }),
    ...('last_name' in values && { lastName: nameOf('last_name') }),
    ...(unsubscribed !== undefined && { unsubscribed }),
    ...(properties !== undefined && { properties: valuesOf(run, properties, contact) }),
  }
}

/** Returns the given values with those that they name by path. Throws StepFailure for a value that is missing. */
function valuesOf(
  run: AutomationRun,
  values: Readonly<Record<string, StepValue | null>>,
  contact: RunContact,
): Readonly<Record<string, unknown>> {
  const { values: resolved, missing } = resolveValues(values, runScopeOf(contact, run.payload))
  if (missing.length > 0)
    throw new StepFailure(`There is no value for ${missing.map(({ path }) => path).join(', ')}.`)
  return resolved
}

/** Returns the id of the call that a run makes at its step: a UUIDv7 of the time `at`, by which the run finds the response. */
export function callIdOf({ id, step, moves }: AutomationRun, at: Date): string {
  const hash = createHash('sha256').update(`${id}/${step}/${moves}`).digest('hex')
  return `${firstIdAt(at).slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

/** Queues a call in the queue of the endpoint. Returns its id, which all its attempts have. Throws StepFailure. */
export async function callWebhook(
  tx: Tx,
  run: AutomationRun,
  step: Step<'webhook'>,
  contact: RunContact,
  now: Date,
): Promise<string> {
  const { teamId } = run
  const { webhook_id: webhookId, data = {} } = step.config
  const webhook = await findWebhook(tx, teamId, webhookId)
  if (webhook === null) throw new StepFailure('The webhook was deleted.')
  if (webhook.status === 'disabled') throw new StepFailure('The webhook is disabled.')
  const { contact: about } = runScopeOf(contact, run.payload)
  const payload = {
    automation_id: run.automationId,
    run_id: run.id,
    step: step.key,
    contact: about,
    event: run.payload,
    data: valuesOf(run, data, contact),
  }
  const id = callIdOf(run, now)
  await insertWaitingDelivery(tx, {
    teamId,
    webhookId,
    id,
    eventId: null,
    subjectId: null,
    type: RESPONSE,
    payload,
    createdAt: now,
  })
  // The worker of the endpoint looks at its queue only when a retry is due.
  bringCallsForward(tx, [{ teamId, webhookId, id, at: now }])
  await hintWebhooks(tx)
  return id
}
