import { bumpCounters } from '../db/counters.ts'
import type { Tx } from '../db/db-types.ts'
import { holdReferences, type ReferenceKind } from '../db/references.ts'
import { ApiError, type FieldErrors, orNotFound, throwInvalid } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { missingFields, type PartInput, referencesOf, STEPS, TRIGGERS, trimPart } from './automation-steps.ts'
import {
  AUTOMATION_COUNTER,
  type Automation,
  type AutomationPart,
  type AutomationStatus,
  deleteAutomation,
  holdAutomation,
  insertAutomation,
  type Reference,
  updateAutomation,
} from './automations-queries.ts'

export interface AutomationInput {
  name: string
  status: AutomationStatus
  trigger: PartInput | null
  steps: readonly PartInput[]
}

/**
 * Creates an automation. Throws `validation_error` for each id that the team does not have, and for anything missing
 * in an active one.
 */
export async function createAutomation(
  tx: Tx,
  teamId: string,
  input: AutomationInput,
  now: Date,
): Promise<Automation> {
  const automation: Automation = {
    teamId,
    id: newId(now.getTime()),
    name: input.name,
    status: input.status,
    trigger: null,
    steps: [],
    ...trimParts(input),
    createdAt: now,
    updatedAt: now,
  }
  await validateAutomation(tx, automation)
  await insertAutomation(tx, automation, usesOf(automation))
  await bumpCounters(tx, [{ teamId, name: AUTOMATION_COUNTER, by: 1 }])
  return automation
}

/**
 * Updates the given fields; steps are replaced as a whole. Throws `not_found`, and the same errors as
 * createAutomation. An inactive automation may refer to deleted objects: it is validated again when its trigger or
 * steps change or it becomes active.
 */
export async function changeAutomation(
  tx: Tx,
  teamId: string,
  id: string,
  { name, status, ...parts }: Partial<AutomationInput>,
  now: Date,
): Promise<Automation> {
  const before = orNotFound(await holdAutomation(tx, teamId, id))
  const automation: Automation = {
    ...before,
    name: name ?? before.name,
    status: status ?? before.status,
    ...trimParts(parts),
    updatedAt: now,
  }
  const hasNewParts = parts.trigger !== undefined || parts.steps !== undefined
  if (hasNewParts || automation.status === 'active') await validateAutomation(tx, automation)
  await updateAutomation(tx, automation, usesOf(automation))
  return automation
}

/** Deletes an automation. Throws `not_found`. */
export async function removeAutomation(tx: Tx, teamId: string, id: string): Promise<void> {
  if ((await holdAutomation(tx, teamId, id)) === null) throw new ApiError('not_found')
  await deleteAutomation(tx, teamId, id)
  await bumpCounters(tx, [{ teamId, name: AUTOMATION_COUNTER, by: -1 }])
}

/** Returns the given parts with only the fields of their types. */
function trimParts({
  trigger,
  steps,
}: Pick<Partial<AutomationInput>, 'trigger' | 'steps'>): Partial<Pick<Automation, 'trigger' | 'steps'>> {
  return omitUndefined({
    trigger: trigger && trimPart(TRIGGERS, trigger),
    steps: steps?.map((step) => trimPart(STEPS, step)),
  })
}

/** Returns the parts with their paths in a request. */
function partsOf({ trigger, steps }: Automation): { path: string; part: AutomationPart }[] {
  return [
    ...(trigger === null ? [] : [{ path: 'trigger', part: trigger }]),
    ...steps.map((part, index) => ({ path: `steps.${index}`, part })),
  ]
}

function usesOf(automation: Automation): Reference[] {
  return partsOf(automation).flatMap(({ part }) => referencesOf(part))
}

/**
 * Validates that everything the automation refers to exists, locks it until the transaction ends, and checks that an
 * active automation is complete.
 */
async function validateAutomation(tx: Tx, automation: Automation): Promise<void> {
  const errors: FieldErrors = {}
  const refuse = (field: string, says: string) => {
    errors[field] ??= [`The ${field} field ${says}`]
  }
  const isActive = automation.status === 'active'
  if (isActive && automation.trigger === null) refuse('trigger', 'is required.')
  if (isActive && automation.steps.length === 0) refuse('steps', 'must have at least 1 item.')
  const records = await holdAll(tx, automation)
  for (const { path, part } of partsOf(automation)) {
    const fields = isActive ? missingFields(path === 'trigger' ? TRIGGERS : STEPS, part) : []
    for (const field of fields) refuse(`${path}.${field}`, 'is required.')
    for (const { field, kind, id } of referencesOf(part)) {
      const record = records[kind].get(id)
      if (record === undefined) refuse(`${path}.${field}`, `must be the id of a ${kind} of this account.`)
      else if (isActive && !record.isReady)
        refuse(`${path}.${field}`, 'must be the id of a published template.')
    }
  }
  throwInvalid(errors)
}

async function holdAll(tx: Tx, automation: Automation) {
  const uses = usesOf(automation)
  const hold = (kind: ReferenceKind) =>
    holdReferences(
      tx,
      automation.teamId,
      kind,
      uses.filter((use) => use.kind === kind).map((use) => use.id),
    )
  return {
    sender: await hold('sender'),
    template: await hold('template'),
    segment: await hold('segment'),
    list: await hold('list'),
  }
}
