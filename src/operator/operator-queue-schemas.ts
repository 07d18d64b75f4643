import Type from 'typebox'
import { Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { OPEN_COUNT_MAX } from '../queue/open-counts-queries.ts'
import type { OpenSum } from './queue-metrics.ts'

const SUM = {
  ready: Type.Integer({
    description: 'Deliveries that are due. In a very deep queue, only a part is counted.',
  }),
  waiting: Type.Integer({
    description: 'Leased, delayed, and scheduled deliveries, among the 10,000 that are due first.',
  }),
  oldest_ready_at: Type.Union([TimestampOrNull], { description: 'When the oldest one became due.' }),
}
const SUM_EXAMPLE = { ready: 1200, waiting: 80, oldest_ready_at: '2026-01-31 12:00:01' }

export const Queue = Type.Object(
  {
    object: Type.Literal('queue'),
    as_of: Type.Union([Timestamp], { description: 'Time of the counts.' }),
    ready: Type.Integer({ description: 'Deliveries that are due.' }),
    leased: Type.Integer({ description: 'Deliveries leased by a process.' }),
    delayed: Type.Integer({ description: 'Deliveries that wait for a retry or a site.' }),
    scheduled: Type.Integer({ description: 'Deliveries that wait for their scheduled time.' }),
    counted_up_to: Type.Integer({
      description: 'Limit of `ready`, and of the other three counts together.',
    }),
    oldest_ready_seconds: Type.Integer({ description: 'Age of the oldest ready delivery.' }),
    next_due_at: Type.Union([TimestampOrNull], { description: 'When the next waiting delivery is due.' }),
    by_team: Type.Array(Type.Object({ team_id: Uuid, name: TextOrNull('Name of the team.'), ...SUM }), {
      description: 'The 20 teams with the most deliveries.',
    }),
    by_destination: Type.Array(Type.Object({ domain: Text('Domain of the recipients.'), ...SUM }), {
      description: 'The 20 domains with the most deliveries.',
    }),
    by_site: Type.Array(
      Type.Object({
        name: Text('Name of the site in `GET /sites`.'),
        waiting: Type.Integer({ description: 'Deliveries that wait for the site, counted up to 500.' }),
        paused_until: Timestamp,
        reason: Text('Why the site is paused.'),
      }),
      { description: 'The 20 paused sites with the most waiting deliveries.' },
    ),
  },
  {
    title: 'Queue',
    examples: [
      {
        object: 'queue',
        as_of: '2026-01-31 12:00:05',
        ready: 1200,
        leased: 64,
        delayed: 80,
        scheduled: 12,
        counted_up_to: OPEN_COUNT_MAX,
        oldest_ready_seconds: 4,
        next_due_at: '2026-01-31 12:00:09',
        by_team: [{ team_id: '0198c0de-0000-7000-8000-0000000000a1', name: 'Acme', ...SUM_EXAMPLE }],
        by_destination: [{ domain: 'customer.example', ...SUM_EXAMPLE }],
        by_site: [
          {
            name: 'mx1.example.net',
            waiting: 80,
            paused_until: '2026-01-31 12:10:00',
            reason: '421 4.7.28 Our system has detected an unusual rate of unsolicited mail.',
          },
        ],
      },
    ],
  },
)

export function sumToJson({ ready, waiting, oldestReadyAt }: OpenSum) {
  return { ready, waiting, oldest_ready_at: formatTime(oldestReadyAt) }
}
