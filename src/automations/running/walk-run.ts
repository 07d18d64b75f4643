import { createHash } from 'node:crypto'
import type { Tx } from '../../db/db-types.ts'
import { describeRule } from '../graph/describe-rule.ts'
import type { ConnectionType, Rule, Step } from '../graph/graph-types.ts'
import type { RunContact } from '../rows/contact-scopes-queries.ts'
import type { AutomationRun } from '../rows/runs-queries.ts'
import { type AwaitingStep, awaitResponse, isAwaiting } from './await-response.ts'
import { digestOf } from './digest.ts'
import type { Moves } from './moves.ts'
import type { RunIndex } from './run-index.ts'
import type { Scopes } from './scopes.ts'
import { applyEffect, isEffectStep, StepFailure } from './step-effects.ts'

/** What the steps of one transaction work with. */
export interface WalkDeps {
  tx: Tx
  moves: Moves
  scopes: Scopes
  /** The end of the feed when the runs were locked. A wait begins behind what came during an earlier delay. */
  feedEnd: number
}

/** More than any graph has. A cycle has a delay, so a walk ends long before. */
const STEPS_MAX = 200

/** Walks a locked run until it waits, comes to an email, or ends. Throws StepFailure. */
export async function walkRun(deps: WalkDeps, run: AutomationRun, index: RunIndex): Promise<void> {
  const { moves, scopes } = deps
  const seen = new Set<string>()
  for (let count = 0; count < STEPS_MAX; count++) {
    const step = index.stepOf(run.step)
    if (step === undefined) return moves.end(run, 'failed', `The version has no step "${run.step}".`)
    if (run.state !== 'active' || run.dueAt === null || run.dueAt > moves.now || step.type === 'send_email')
      return
    // The time of a wait that a late run enters may be over already. Its event may have come in time: the caller lets the run hear it
    // before the wait times out.
    if (step.type === 'wait_for_event' && seen.size > 0) return
    const contact = await scopes.contactOf(run.contactId)
    const reason = reasonToEnd(contact)
    if (reason !== null) return moves.end(run, 'canceled', reason)
    // A cycle that a pause held up goes on from now, and not once for each time that it missed.
    if (seen.has(step.key)) run.dueAt = moves.now
    seen.add(step.key)
    await take({ ...deps, run, index, contact: contact as RunContact }, step)
  }
  moves.end(run, 'failed', 'The run took too many steps without a delay.')
}

/** Returns why a contact gets nothing more from automations. */
export function reasonToEnd(contact: RunContact | null): string | null {
  if (contact === null) return 'The contact was deleted.'
  return contact.unsubscribed ? 'The contact has unsubscribed.' : null
}

interface Walk extends WalkDeps {
  run: AutomationRun
  index: RunIndex
  contact: RunContact
}

async function take(walk: Walk, step: Step): Promise<void> {
  const { tx, moves, scopes, run, contact } = walk
  if (isAwaiting(step)) return askWebhook(walk, step)
  if (isEffectStep(step)) {
    const detail = await applyEffect(tx, run, step, contact, moves.now)
    await scopes.refresh(contact.id)
    if (step.type !== 'contact_delete') return go(walk, 'default', detail)
    return moves.end(run, 'completed', 'A step deleted the contact.', { outcome: 'done' })
  }
  switch (step.type) {
    case 'trigger':
      return go(walk, 'default')
    case 'delay':
    case 'wait_until':
      return goOn(walk, 'default')
    case 'digest':
      return endDigest(walk, step)
    case 'wait_for_event':
      return goOn(walk, 'timeout', { timed_out: true })
    case 'condition': {
      const isMet = await decide(walk, step.config, walk.run.payload)
      return go(walk, isMet ? 'condition_met' : 'condition_not_met', {
        rule: describeRule(step.config),
        is_met: isMet,
      })
    }
    case 'split':
      return split(walk, step)
    case 'random_split': {
      const branch = pickBranch(step.config.branches, run.id, step.key)
      return go(walk, `branch_${branch + 1}` as ConnectionType, nameOf(step.config.branches, branch))
    }
    case 'goal':
      return arriveAtGoal(walk, step)
    case 'exit':
      return moves.end(run, 'exited', step.config.reason ?? null, { outcome: 'done' })
  }
}

async function askWebhook(walk: Walk, step: AwaitingStep): Promise<void> {
  const { tx, moves, run, contact, feedEnd } = walk
  // What the endpoint reports before it responds may be what a later step waits for.
  if (run.awaits === null) run.heardUntil = Math.max(run.heardUntil, feedEnd)
  const result = await awaitResponse(tx, run, step, contact, moves.now)
  moves.touch(run)
  if (result === null) return
  const { hasResponded, status, deliveryId } = result
  go(walk, hasResponded ? 'default' : 'timeout', {
    delivery_id: deliveryId,
    status,
    ...(!hasResponded && { timed_out: true }),
  })
}

/** Goes on at once, from the time at which the run came to the step. */
function go(
  { moves, run, index, contact }: Walk,
  by: ConnectionType,
  detail?: Record<string, unknown>,
): void {
  const at = run.dueAt ?? moves.now
  moves.go(run, index, by, at, { zone: contact.timeZone, ...(detail !== undefined && { detail }) })
}

/** Goes on after a wait, which events up to now are behind. */
function goOn(walk: Walk, by: ConnectionType, detail?: Record<string, unknown>): void {
  walk.run.heardUntil = Math.max(walk.run.heardUntil, walk.feedEnd)
  go(walk, by, detail)
}

/** Throws StepFailure for a deleted segment, of which nobody knows who would be in it. */
export async function decide(
  { scopes, contact }: { scopes: Scopes; contact: RunContact },
  rule: Rule,
  payload: Record<string, unknown>,
): Promise<boolean> {
  const isMet = await scopes.holds(rule, contact, payload)
  if (scopes.namesDeleted(rule)) throw new StepFailure('A segment in its rule was deleted.')
  return isMet
}

async function split(walk: Walk, { config: { branches } }: Step<'split'>): Promise<void> {
  for (const [branch, { rule }] of branches.entries()) {
    if (!(await decide(walk, rule, walk.run.payload))) continue
    return go(walk, `branch_${branch + 1}` as ConnectionType, {
      ...nameOf(branches, branch),
      rule: describeRule(rule),
    })
  }
  return go(walk, 'default', { branch: 'default' })
}

function nameOf(branches: readonly { name?: string }[], branch: number): Record<string, unknown> {
  const name = branches[branch]?.name
  return { branch: branch + 1, ...(name !== undefined && { name }) }
}

/** Returns a branch by its weight. The same run takes the same one at the same step, however often it is asked. */
export function pickBranch(branches: readonly { weight: number }[], runId: string, key: string): number {
  const hash = createHash('sha256').update(`${runId}/${key}`).digest()
  const total = branches.reduce((sum, { weight }) => sum + weight, 0)
  let rest = (hash.readUInt32BE(0) / 2 ** 32) * total
  for (const [branch, { weight }] of branches.entries()) {
    rest -= weight
    if (rest < 0) return branch
  }
  return branches.length - 1
}

function endDigest(walk: Walk, { config }: Step<'digest'>): void {
  const { run } = walk
  const collected = run.collected ?? { count: 0, events: [] }
  run.payload = { ...run.payload, ...digestOf(collected, config.item) }
  goOn(walk, 'default', { count: collected.count })
}

async function arriveAtGoal(walk: Walk, { config }: Step<'goal'>): Promise<void> {
  const { run, moves } = walk
  if (config.rule !== undefined && (await decide(walk, config.rule, run.payload)))
    return go(walk, 'default', { is_reached: true })
  switch (config.otherwise) {
    case 'continue':
      return go(walk, 'default', { is_reached: false })
    case 'exit':
      return moves.end(run, 'exited', 'The goal was not reached.', { detail: { is_reached: false } })
    case 'wait':
      run.dueAt = null
      moves.touch(run)
  }
}
