import Type, { type Static } from 'typebox'
import { DeliveryKind, Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { SERVER_STEPS, type ServerFinding } from '../doctor/examine-server.ts'
import type { RealEmail } from './go-live-queries.ts'
import type { ServerChecksView } from './server-checks.ts'

const Level = Type.Enum(['ok', 'note', 'warning', 'problem'])

const AdvisedRecord = Type.Object(
  {
    type: Type.Enum(['A', 'AAAA', 'MX', 'TXT', 'PTR']),
    name: Text('The name. For `PTR`, the address.'),
    value: Text('Value to publish.'),
  },
  { title: 'AdvisedRecord' },
)

export const GoLiveRecord = Type.Object(
  {
    object: Type.Literal('go_live'),
    delivery: DeliveryKind,
    domain: Type.Union(
      [
        Type.Object({
          id: Uuid,
          name: Text('The domain.'),
          status: Type.Enum(['pending', 'verified', 'failed', 'temporary_failure']),
          captured: Type.Boolean({ description: 'Whether only capture mode verified it.' }),
        }),
        Type.Null(),
      ],
      { description: 'The domain that is closest to sending. Null: the team has none.' },
    ),
    email: Type.Union(
      [
        Type.Object({
          id: Uuid,
          recipient: Text('Its first recipient.'),
          status: Text('`delivered` or `sent`, or the status of the newest attempt.'),
          host: TextOrNull('The mail server.'),
          response: TextOrNull('Its last reply.'),
          updated_at: Timestamp,
        }),
        Type.Null(),
      ],
      {
        description:
          'The newest of the last 500 emails that an outside mail server accepted, or else that was attempted there.',
      },
    ),
    server: Type.Union([Level, Type.Null()], {
      description: 'Most severe result of the server checks. Null: not checked.',
    }),
  },
  {
    title: 'GoLive',
    examples: [
      {
        object: 'go_live',
        delivery: 'direct',
        domain: {
          id: '5f0c1c0e-2f0a-4a51-9b6b-0d9b6f3f2c11',
          name: 'example.com',
          status: 'verified',
          captured: false,
        },
        email: null,
        server: 'ok',
      },
    ],
  },
)

export const ServerChecksRecord = Type.Object(
  {
    object: Type.Literal('server_checks'),
    state: Type.Enum(['never', 'running', 'interrupted', 'done'], {
      description: '`interrupted`: the process that ran the checks stopped.',
    }),
    delivery: DeliveryKind,
    hostname: Text('`SENDWRIGHT_HOSTNAME`.'),
    started_at: TimestampOrNull,
    checked_at: TimestampOrNull,
    next_at: Type.Union([TimestampOrNull], { description: 'Earliest start of the next run.' }),
    findings: Type.Array(
      Type.Object({
        step: Type.Enum([...SERVER_STEPS]),
        check: Text('What was checked.'),
        level: Level,
        found: Text('Result.'),
        advice: TextOrNull('Recommended action.'),
        record: Type.Union([AdvisedRecord, Type.Null()], {
          description: 'The record that corrects it, if known.',
        }),
      }),
    ),
  },
  {
    title: 'ServerChecks',
    examples: [
      {
        object: 'server_checks',
        state: 'done',
        delivery: 'direct',
        hostname: 'mail.example.com',
        started_at: '2026-01-31 12:00:00',
        checked_at: '2026-01-31 12:00:04',
        next_at: '2026-01-31 12:01:00',
        findings: [
          {
            step: 'reverse_dns',
            check: 'reverse DNS of 192.0.2.25',
            level: 'problem',
            found: 'It has no PTR record.',
            advice: 'Ask the provider of this address to set its reverse DNS (PTR) to mail.example.com.',
            record: { type: 'PTR', name: '192.0.2.25', value: 'mail.example.com' },
          },
        ],
      },
    ],
  },
)

export function realEmailToJson(email: RealEmail) {
  const { emailId: id, recipient, status, host, response, updatedAt } = email
  return { id, recipient, status, host, response, updated_at: formatTime(updatedAt) }
}

type Level = Static<typeof Level>
const LEVELS: readonly Level[] = ['ok', 'note', 'warning', 'problem']

/** Returns the most severe level of the last run; null if it has no result. */
export function gradeOf({ run }: ServerChecksView): Level | null {
  const levels = (run?.findings ?? []).map(({ finding }) => LEVELS.indexOf(finding.level))
  return levels.length === 0 ? null : (LEVELS[Math.max(...levels)] ?? null)
}

export function findingToJson({ step, finding }: ServerFinding) {
  const { check, level, found, advice, record = null } = finding
  return { step, check, level, found, advice, record }
}
