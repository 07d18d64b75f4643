import Type from 'typebox'
import { Text, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { CONTACT_REFERENCE, Payload } from '../reported/reported-schemas.ts'
import type { Trace } from './dry-run.ts'

export const DryRunBody = Type.Object(
  {
    ...CONTACT_REFERENCE,
    payload: Payload,
    events: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: 100,
        description: 'Events that come. Waits for others time out.',
      }),
    ),
  },
  {
    examples: [
      {
        contact_id: '0198c0de-0000-7000-8000-0000000000c1',
        payload: { plan: 'pro' },
        events: ['order.paid'],
      },
    ],
  },
)

export const DryRunAnswer = Type.Object(
  {
    object: Type.Literal('automation_dry_run'),
    automation_id: Uuid,
    steps: Type.Array(
      Type.Object({
        key: Text('Key of the step.'),
        type: Text('Type of the step.'),
        at: Timestamp,
        decision: Text('What would happen.'),
        connection: Type.Union([Type.String(), Type.Null()], {
          description: 'Type of the connection that it would take. Null: the run would end.',
        }),
      }),
    ),
    end: Text('Why the run would end.'),
  },
  {
    title: 'AutomationDryRun',
    examples: [
      {
        object: 'automation_dry_run',
        automation_id: '0198c0de-0000-7000-8000-0000000000f2',
        steps: [
          {
            key: 'start',
            type: 'trigger',
            at: '2026-03-01 09:30:00',
            decision: 'The run would begin.',
            connection: 'default',
          },
        ],
        end: 'Nothing follows, so the run is complete.',
      },
    ],
  },
)

export function traceToJson(automationId: string, { steps, end }: Trace) {
  return {
    object: 'automation_dry_run',
    automation_id: automationId,
    steps: steps.map(({ key, type, at, decision, by }) => ({
      key,
      type,
      at: formatTime(at),
      decision,
      connection: by,
    })),
    end,
  }
}
