import type { Db } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { renderTemplate, TEMPLATE_PARTS } from '../../templates/render-template.ts'
import type { FindTemplate } from '../../templates/template-cache.ts'
import { describeRule } from '../graph/describe-rule.ts'
import { nextOf } from '../graph/graph-index.ts'
import type { ConnectionType, Step } from '../graph/graph-types.ts'
import type { RunContact } from '../rows/contact-scopes-queries.ts'
import { emailRequestOf, unsubscribeScopeOf } from '../running/email-request.ts'
import type { RunIndex } from '../running/run-index.ts'
import { Scopes } from '../running/scopes.ts'
import { type EffectStep, isEffectStep, StepFailure } from '../running/step-effects.ts'
import { waitOf } from '../running/wait-of.ts'
import { decide, pickBranch, reasonToEnd } from '../running/walk-run.ts'

/** A step that a run would take. */
export interface TracedStep {
  key: string
  type: string
  /** When it would be taken, if each event comes at once or never. */
  at: Date
  /** What would happen, for people. */
  decision: string
  by: ConnectionType | null
}

export interface Trace {
  steps: TracedStep[]
  /** Why a run would end. */
  end: string
}

export interface DryRunDeps {
  db: Db
  findTemplate: FindTemplate
}

interface DryRun {
  teamId: string
  index: RunIndex
  contact: RunContact
  payload: Record<string, unknown>
  /** The names of the events that would come. */
  events: ReadonlySet<string>
}

const STEPS_MAX = 200

/** Returns what a run would do for a contact, without sending or changing anything. */
export async function traceRun(deps: DryRunDeps, run: DryRun, now: Date): Promise<Trace> {
  const steps: TracedStep[] = []
  const scopes = new Scopes(deps.db, run.teamId, [run.contact.id], now)
  const ending = reasonToEnd(run.contact)
  if (ending !== null) return { steps, end: ending }
  let key = run.index.trigger?.key ?? null
  let at = now
  while (key !== null) {
    const step = run.index.stepOf(key)
    if (step === undefined) return { steps, end: `There is no step "${key}".` }
    if (steps.length === STEPS_MAX) return { steps, end: `The run goes on after ${STEPS_MAX} steps.` }
    const taken = await trace({ ...deps, ...run, scopes }, step, at).catch(failureOf)
    steps.push({ key, type: step.type, at, decision: taken.decision, by: taken.by })
    if (taken.by === null) return { steps, end: taken.decision }
    at = taken.at ?? at
    key = nextOf(run.index, key, taken.by)
  }
  return { steps, end: 'Nothing follows, so the run is complete.' }
}

interface Taken {
  decision: string
  /** Null: the run would end. */
  by: ConnectionType | null
  at?: Date
}

type Tracing = DryRunDeps & DryRun & { scopes: Scopes }

/** Returns how a run ends at a step that it cannot take. Throws any other error. */
function failureOf(error: unknown): Taken {
  if (!(error instanceof ApiError || error instanceof StepFailure)) throw error
  return { decision: `The run would fail: ${error.message}`, by: null }
}

async function trace(run: Tracing, step: Step, at: Date): Promise<Taken> {
  const { contact, payload } = run
  if (isEffectStep(step))
    return { decision: effectOf(step), by: step.type === 'contact_delete' ? null : 'default' }
  switch (step.type) {
    case 'trigger':
      return { decision: 'The run would begin.', by: 'default' }
    case 'send_email':
      return traceEmail(run, step)
    case 'delay':
    case 'wait_until':
    case 'digest': {
      const until = waitOf(step, at, contact.timeZone).dueAt ?? at
      return { decision: `It would wait until ${formatTime(until)} UTC.`, by: 'default', at: until }
    }
    case 'wait_for_event':
      return traceWait(run, step, at)
    case 'condition': {
      const isMet = await decide(run, step.config, payload)
      const decision = `${isMet ? 'Met' : 'Not met'}: ${describeRule(step.config)}.`
      return { decision, by: isMet ? 'condition_met' : 'condition_not_met' }
    }
    case 'split':
      return traceSplit(run, step)
    case 'random_split': {
      const branch = pickBranch(step.config.branches, contact.id, step.key) + 1
      return {
        decision: `By chance, for example branch ${branch}.`,
        by: `branch_${branch}` as ConnectionType,
      }
    }
    case 'goal':
      return traceGoal(run, step)
    case 'exit':
      return { decision: step.config.reason ?? 'The run would end here.', by: null }
  }
}

function effectOf(step: EffectStep): string {
  const isAwaited = step.type === 'webhook' && step.config.response_timeout !== undefined
  return isAwaited
    ? 'The webhook would be called. Conditions on its response are evaluated without one.'
    : EFFECTS[step.type]
}

const EFFECTS: Readonly<Record<EffectStep['type'], string>> = {
  contact_update: 'The contact would be changed.',
  contact_delete: 'The contact would be deleted.',
  add_to_list: 'The contact would be added to the list.',
  remove_from_list: 'The contact would be removed from the list.',
  add_to_segment: 'The contact would be added to the segment.',
  webhook: 'The webhook would be called.',
}

function traceWait({ events }: Tracing, { config }: Step<'wait_for_event'>, at: Date): Taken {
  const { event_name: name, timeout } = config
  if (events.has(name)) return { decision: `The event ${name} would come.`, by: 'event_received' }
  if (timeout === undefined) return { decision: `It would wait for the event ${name}.`, by: null }
  const until = waitOf({ key: '', type: 'wait_for_event', config }, at, null).dueAt ?? at
  return { decision: `The event ${name} would not come within ${timeout}.`, by: 'timeout', at: until }
}

async function traceSplit(run: Tracing, { config }: Step<'split'>): Promise<Taken> {
  for (const [branch, { name, rule }] of config.branches.entries()) {
    if (!(await decide(run, rule, run.payload))) continue
    const decision = `Branch ${name ?? branch + 1}: ${describeRule(rule)}.`
    return { decision, by: `branch_${branch + 1}` as ConnectionType }
  }
  return { decision: 'No branch fits.', by: 'default' }
}

async function traceGoal(run: Tracing, { config }: Step<'goal'>): Promise<Taken> {
  const isHeard = config.event_name !== undefined && run.events.has(config.event_name)
  if (isHeard || (config.rule !== undefined && (await decide(run, config.rule, run.payload))))
    return { decision: 'The goal would be reached.', by: 'default' }
  if (config.otherwise === 'continue') return { decision: 'The goal would not be reached.', by: 'default' }
  const decision =
    config.otherwise === 'wait'
      ? 'It would wait for the goal.'
      : 'The goal would not be reached, and the run would end.'
  return { decision, by: null }
}

/** Renders the email, so that a variable without a value is found. */
async function traceEmail(run: Tracing, step: Step<'send_email'>): Promise<Taken> {
  const template = await run.findTemplate(run.teamId, step.config.template.id)
  if (template === null || template.status === 'draft')
    return { decision: 'The run would fail: the template is not published.', by: null }
  const { contact, payload } = run
  const scope = unsubscribeScopeOf(run.index)
  const request = emailRequestOf({
    step,
    sender: null,
    template,
    contact,
    payload,
    scope,
    unsubscribeUrl: '',
  })
  const variables = request.template?.variables ?? {}
  const rendered = renderTemplate(template.compiled, variables, TEMPLATE_PARTS, 'variables')
  const subject = step.config.subject ?? rendered.subject ?? ''
  return { decision: `An email would go to ${contact.email}: ${subject}`, by: 'default' }
}
