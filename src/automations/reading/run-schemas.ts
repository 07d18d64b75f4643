import Type from 'typebox'
import { IdOrNull, Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import {
  GRAPH_EXAMPLE,
  GraphStepAnswer,
  StoredConnectionModel,
  StoredSettingsModel,
} from '../graph/graph-schemas.ts'
import { DEFAULT_SETTINGS, type Graph } from '../graph/graph-types.ts'
import type { StepTaken } from '../rows/steps-taken-queries.ts'
import type { AutomationVersion } from '../rows/versions-queries.ts'
import { type ListedRun, RUN_STATUSES, type StepFigures, statusOfRun } from './run-list-queries.ts'

const RUN_EXAMPLE = {
  object: 'automation_run',
  id: '0198c0de-0000-7000-8000-0000000000f6',
  automation_id: '0198c0de-0000-7000-8000-0000000000f2',
  version: 1,
  contact_id: '0198c0de-0000-7000-8000-0000000000c1',
  email: 'ann@customer.example',
  status: 'running',
  outcome: null,
  reason: null,
  step: 'wait_1_day',
  due_at: '2026-03-02 09:30:00',
  awaits: null,
  is_held: false,
  started_at: '2026-03-01 09:30:00',
  completed_at: null,
  created_at: '2026-03-01 09:30:00',
}

const RUN_FIELDS = {
  object: Type.Literal('automation_run'),
  id: Uuid,
  automation_id: Uuid,
  version: Type.Integer({ description: 'Version it follows.' }),
  contact_id: Uuid,
  email: TextOrNull('Null once the contact is deleted.'),
  status: Type.Enum(RUN_STATUSES, { description: 'State of the run.' }),
  outcome: Type.Union([Type.Enum(['completed', 'goal', 'exited', 'failed', 'canceled']), Type.Null()], {
    description: 'How it ended. `exited`: by a condition or an exit step.',
  }),
  reason: TextOrNull('Why it ended so, or what it waits for to pass.'),
  step: Text('Key of the step where it is or ended.'),
  due_at: Type.Union([Timestamp, Type.Null()], { description: 'When it goes on. Null: with an event only.' }),
  awaits: TextOrNull('Event that it waits for. `automation.webhook`: the response to its call.'),
  is_held: Type.Boolean({ description: 'It came due while the automation was paused.' }),
  started_at: Timestamp,
  completed_at: TimestampOrNull,
  created_at: Timestamp,
}

export const RunAnswer = Type.Object(RUN_FIELDS, { title: 'AutomationRun', examples: [RUN_EXAMPLE] })

export function runToJson(run: ListedRun) {
  return {
    object: 'automation_run',
    id: run.id,
    automation_id: run.automationId,
    version: run.version,
    contact_id: run.contactId,
    email: run.email,
    status: statusOfRun(run),
    outcome: run.outcome,
    reason: run.reason,
    step: run.step,
    due_at: run.dueAt === null ? null : formatTime(run.dueAt),
    awaits: run.awaits,
    is_held: run.state === 'parked',
    started_at: formatTime(run.startedAt),
    completed_at: run.endedAt === null ? null : formatTime(run.endedAt),
    created_at: formatTime(run.startedAt),
  }
}

const TakenStep = Type.Object(
  {
    key: Text('Key of the step.'),
    type: Text('Type of the step.'),
    status: Type.Enum(['completed', 'failed', 'skipped', 'waiting', 'running'], {
      description: 'What became of it. The last one may be where the run is now.',
    }),
    output: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'What it decided or did.',
    }),
    error: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'Its `message` says why the step failed.',
    }),
    email_id: IdOrNull('Email that it sent.'),
    started_at: TimestampOrNull,
    completed_at: TimestampOrNull,
    created_at: Timestamp,
  },
  { title: 'AutomationRunStep' },
)

export const RunTrail = Type.Object(
  {
    ...RUN_FIELDS,
    trigger: Type.Object(
      {
        type: Text('Type of the trigger.'),
        event_id: Type.Optional(Uuid),
        automation_id: Type.Optional(Uuid),
      },
      { description: 'What began it. `automation_id`: the automation that caused the event.' },
    ),
    payload: Type.Record(Type.String(), Type.Unknown(), { description: 'What its rules and templates see.' }),
    steps: Type.Array(TakenStep, { description: 'In order.' }),
  },
  {
    title: 'AutomationRunTrail',
    examples: [
      {
        ...RUN_EXAMPLE,
        trigger: { type: 'event', event_id: '0198c0de-0000-7000-8000-0000000000e9' },
        payload: { plan: 'pro' },
        steps: [
          {
            key: 'welcome',
            type: 'send_email',
            status: 'completed',
            output: null,
            error: null,
            email_id: '0198c0de-0000-7000-8000-0000000000e1',
            started_at: '2026-03-01 09:30:00',
            completed_at: '2026-03-01 09:30:01',
            created_at: '2026-03-01 09:30:00',
          },
        ],
      },
    ],
  },
)

const STEP_STATUSES = { done: 'completed', skipped: 'skipped', failed: 'failed', exited: 'skipped' } as const

/** @param graph that of the run's version; null if it is gone */
export function trailToJson(run: ListedRun, taken: readonly StepTaken[], graph: Graph | null) {
  const typeOf = (key: string) => graph?.steps.find((step) => step.key === key)?.type ?? 'trigger'
  const steps = taken.map((one) => ({
    key: one.step,
    type: typeOf(one.step),
    status: STEP_STATUSES[one.outcome],
    output: one.detail,
    error: one.outcome === 'failed' ? { message: run.reason } : null,
    email_id: one.emailId,
    started_at: formatTime(one.enteredAt),
    completed_at: formatTime(one.leftAt),
    created_at: formatTime(one.enteredAt),
  }))
  const current = {
    key: run.step,
    type: typeOf(run.step),
    status: run.awaits !== null || run.state === 'parked' || run.dueAt === null ? 'waiting' : 'running',
    output: null,
    error: null,
    email_id: null,
    started_at: formatTime(run.enteredAt),
    completed_at: null,
    created_at: formatTime(run.enteredAt),
  }
  return {
    ...runToJson(run),
    trigger: run.cause,
    payload: run.payload,
    steps: run.state === 'ended' ? steps : [...steps, current],
  }
}

const FIGURE_FIELDS = {
  entered: Type.Integer({ description: 'Runs that came here.' }),
  waiting: Type.Integer({ description: 'Runs that are here.' }),
  done: Type.Integer({ description: 'Runs that went on.' }),
  skipped: Type.Integer({ description: 'Runs that went on without its effect.' }),
  failed: Type.Integer({ description: 'Runs that failed here.' }),
  exited: Type.Integer({ description: 'Runs that ended here otherwise.' }),
  delivered: Type.Integer({ description: 'Delivered emails.' }),
  bounced: Type.Integer({ description: 'Bounced emails.' }),
  complained: Type.Integer({ description: 'Emails reported as spam.' }),
  opened: Type.Integer({ description: 'Emails opened by people.' }),
  clicked: Type.Integer({ description: 'Emails clicked by people.' }),
}

export const FiguresAnswer = Type.Object(
  {
    object: Type.Literal('automation_figures'),
    automation_id: Uuid,
    version: Type.Integer({ description: 'Version of the automation.' }),
    steps: Type.Array(Type.Object({ key: Text('Key of the step.'), ...FIGURE_FIELDS }), {
      description: 'In the order of the graph.',
    }),
  },
  {
    title: 'AutomationFigures',
    examples: [
      {
        object: 'automation_figures',
        automation_id: '0198c0de-0000-7000-8000-0000000000f2',
        version: 1,
        steps: [
          {
            key: 'welcome',
            entered: 120,
            waiting: 2,
            done: 117,
            skipped: 0,
            failed: 1,
            exited: 0,
            delivered: 115,
            bounced: 2,
            complained: 0,
            opened: 60,
            clicked: 21,
          },
        ],
      },
    ],
  },
)

export function figuresToJson(
  automationId: string,
  version: number,
  figures: readonly StepFigures[],
  graph: Graph | null,
) {
  const byStep = new Map(figures.map((one) => [one.step, one]))
  const keys = graph === null ? [...byStep.keys()] : graph.steps.map(({ key }) => key)
  return {
    object: 'automation_figures',
    automation_id: automationId,
    version,
    steps: keys.map((key) => {
      const { step: _, ...counts } = byStep.get(key) ?? NO_FIGURES
      const { entered, done, skipped, failed, exited } = counts
      return { key, ...counts, waiting: Math.max(0, entered - done - skipped - failed - exited) }
    }),
  }
}

const NO_FIGURES: StepFigures = {
  step: '',
  entered: 0,
  done: 0,
  skipped: 0,
  failed: 0,
  exited: 0,
  delivered: 0,
  bounced: 0,
  complained: 0,
  opened: 0,
  clicked: 0,
}

export const VersionAnswer = Type.Object(
  {
    object: Type.Literal('automation_version'),
    automation_id: Uuid,
    version: Type.Integer({ description: 'From 1.' }),
    steps: Type.Array(GraphStepAnswer),
    connections: Type.Array(StoredConnectionModel),
    settings: StoredSettingsModel,
    waiting: Type.Integer({ description: 'Runs under way that follow it.' }),
    created_at: Timestamp,
  },
  {
    title: 'AutomationVersion',
    examples: [
      {
        object: 'automation_version',
        automation_id: '0198c0de-0000-7000-8000-0000000000f2',
        version: 1,
        ...GRAPH_EXAMPLE,
        settings: DEFAULT_SETTINGS,
        waiting: 40,
        created_at: '2026-03-01 09:30:00',
      },
    ],
  },
)

export function versionToJson(one: AutomationVersion & { waiting: number }) {
  return {
    object: 'automation_version',
    automation_id: one.automationId,
    version: one.version,
    steps: one.graph.steps,
    connections: one.graph.connections,
    settings: one.settings,
    waiting: one.waiting,
    created_at: formatTime(one.createdAt),
  }
}
