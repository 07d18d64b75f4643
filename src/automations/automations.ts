import { bumpCounters } from '../db/counters.ts'
import type { Tx } from '../db/db-types.ts'
import { ApiError, type FieldErrors, orNotFound, throwInvalid } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { cutText } from '../lib/text/cut-text.ts'
import { activate } from './activate.ts'
import { type GraphRequest, readGraph, type StoredGraph } from './graph/read-graph.ts'
import { findReferenceErrors, usesOf } from './named-records.ts'
import { lockAutomationFeed } from './rows/automation-feed-queries.ts'
import {
  AUTOMATION_COUNTER,
  type Automation,
  type AutomationStatus,
  deleteAutomation,
  findAutomation,
  holdAutomation,
  insertAutomation,
  updateAutomation,
} from './rows/automations-queries.ts'

/** What a request gives. Absent fields keep what is stored. */
export interface AutomationInput extends GraphRequest {
  name?: string | undefined
  status?: AutomationStatus | undefined
}

export const AUTOMATION_NAME_MAX = 255

/** Whether the caller may send transactional email from automations: an owner, an admin, or a key. */
export interface ClassRights {
  mayBeTransactional: boolean
}

/** A change that leaves an active automation as it is needs no rights. */
const ALL_RIGHTS: ClassRights = { mayBeTransactional: true }

/**
 * Creates an automation. Throws `validation_error` for each field that is invalid, each id that the team does not have, and
 * for anything missing in an active one; `forbidden_role` for a class that the caller may not choose.
 */
export async function createAutomation(
  tx: Tx,
  teamId: string,
  input: AutomationInput & { name: string },
  rights: ClassRights,
  now: Date,
): Promise<Automation> {
  const { status = 'draft', name } = input
  const { graph, settings } = await check(tx, teamId, input, status === 'active', rights)
  const automation: Automation = {
    teamId,
    id: newId(now.getTime()),
    name,
    status,
    graph,
    settings,
    version: 0,
    pausedReason: null,
    activeSince: null,
    createdAt: now,
    updatedAt: now,
  }
  const ready = status === 'active' ? await activate(tx, automation, now) : automation
  await insertAutomation(tx, ready, await usesOf(tx, ready))
  await bumpCounters(tx, [{ teamId, name: AUTOMATION_COUNTER, by: 1 }])
  return ready
}

/**
 * Updates the given fields. A change of an active automation makes a new version; runs under way end on theirs. Throws
 * `not_found`, and the same errors as createAutomation. An inactive automation may refer to deleted objects.
 */
export async function changeAutomation(
  tx: Tx,
  teamId: string,
  id: string,
  input: AutomationInput,
  rights: ClassRights,
  now: Date,
): Promise<Automation> {
  await lockAutomationFeed(tx, teamId, 'wait')
  const before = orNotFound(await holdAutomation(tx, teamId, id))
  const status = input.status ?? before.status
  const { steps, connections, settings: givenSettings, trigger } = input
  const isGraphGiven = [steps, connections, givenSettings, trigger].some((one) => one !== undefined)
  const isActive = status === 'active'
  const checked =
    isGraphGiven || isActive
      ? await check(
          tx,
          teamId,
          input,
          isActive,
          isGraphGiven || before.status !== 'active' ? rights : ALL_RIGHTS,
          before,
        )
      : before
  const automation: Automation = {
    ...before,
    name: input.name ?? before.name,
    status,
    graph: checked.graph,
    settings: checked.settings,
    activeSince: isActive ? before.activeSince : null,
    pausedReason: input.status === undefined ? before.pausedReason : null,
    updatedAt: now,
  }
  const ready = isActive ? await activate(tx, automation, now) : automation
  await updateAutomation(tx, ready, await usesOf(tx, ready))
  return ready
}

/** Pauses an automation: no run begins or takes a step. Throws `not_found`. */
export async function stopAutomation(tx: Tx, teamId: string, id: string, now: Date): Promise<Automation> {
  const before = orNotFound(await holdAutomation(tx, teamId, id))
  const status = before.status === 'active' ? 'paused' : before.status
  const automation = { ...before, status, activeSince: null, updatedAt: now } as const
  await updateAutomation(tx, automation, await usesOf(tx, automation))
  return automation
}

/** Copies an automation as a draft. Throws `not_found`. */
export async function duplicateAutomation(
  tx: Tx,
  teamId: string,
  id: string,
  now: Date,
): Promise<Automation> {
  const original = orNotFound(await findAutomation(tx, teamId, id))
  const copy: Automation = {
    ...original,
    id: newId(now.getTime()),
    name: cutText(`Copy of ${original.name}`, AUTOMATION_NAME_MAX),
    status: 'draft',
    version: 0,
    pausedReason: null,
    activeSince: null,
    createdAt: now,
    updatedAt: now,
  }
  await insertAutomation(tx, copy, await usesOf(tx, copy))
  await bumpCounters(tx, [{ teamId, name: AUTOMATION_COUNTER, by: 1 }])
  return copy
}

/** Deletes an automation, which ends its runs. Throws `not_found`. */
export async function removeAutomation(tx: Tx, teamId: string, id: string): Promise<void> {
  if ((await holdAutomation(tx, teamId, id)) === null) throw new ApiError('not_found')
  await deleteAutomation(tx, teamId, id)
  await bumpCounters(tx, [{ teamId, name: AUTOMATION_COUNTER, by: -1 }])
}

async function check(
  tx: Tx,
  teamId: string,
  request: GraphRequest,
  isActive: boolean,
  { mayBeTransactional }: ClassRights,
  stored?: StoredGraph,
): Promise<StoredGraph> {
  const { graph, settings, problems, shownPath } = readGraph(request, isActive, stored)
  throwInvalid(problems.toErrors(shownPath))
  const errors: FieldErrors = await findReferenceErrors(tx, teamId, { graph, settings }, isActive, shownPath)
  throwInvalid(errors)
  const isTransactional = graph.steps.some(
    (step) => step.type === 'send_email' && step.config.class === 'transactional',
  )
  if (isTransactional && !mayBeTransactional) {
    throw new ApiError(
      'forbidden_role',
      'Only owners and admins can let automations send transactional email.',
    )
  }
  return { graph, settings }
}
