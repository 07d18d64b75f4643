import Type from 'typebox'
import { type Route, routesOf } from '../http/route.ts'
import { Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../http/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { OPEN_COUNT_MAX } from '../queue/open-counts-queries.ts'
import type { OperatorView } from './operator-view.ts'
import type { OpenSum } from './queue-metrics.ts'

interface Deps {
  operatorView: OperatorView
}

const { route } = routesOf<Deps>()

const SUM = {
  ready: Type.Integer({ description: 'May be sent now. Of a very deep queue a part is counted.' }),
  waiting: Type.Integer({
    description: 'Leased, delayed or scheduled: of the 10,000 that are soonest due.',
  }),
  oldest_ready_at: Type.Union([TimestampOrNull], { description: 'Since when the oldest may be sent.' }),
}
const SUM_EXAMPLE = { ready: 1200, waiting: 80, oldest_ready_at: '2026-01-31 12:00:01' }

export const Queue = Type.Object(
  {
    object: Type.Literal('queue'),
    as_of: Type.Union([Timestamp], { description: 'When it was looked at: some seconds ago at most.' }),
    ready: Type.Integer({ description: 'Deliveries that may be sent now.' }),
    leased: Type.Integer({ description: 'In the hands of a process.' }),
    delayed: Type.Integer({ description: 'Waiting for their next try, or for a site.' }),
    scheduled: Type.Integer({ description: 'Waiting for the time that their sender chose.' }),
    counted_up_to: Type.Integer({
      description: 'What is ready, and the other three together, are counted no further.',
    }),
    oldest_ready_seconds: Type.Integer({ description: 'How long the oldest ready delivery has waited.' }),
    next_due_at: Type.Union([TimestampOrNull], { description: 'Of what waits for its time, the soonest.' }),
    by_team: Type.Array(Type.Object({ team_id: Uuid, name: TextOrNull('Of the team.'), ...SUM }), {
      description: 'The 20 with most.',
    }),
    by_destination: Type.Array(Type.Object({ domain: Text('Of recipients.'), ...SUM }), {
      description: 'The 20 with most.',
    }),
    by_site: Type.Array(
      Type.Object({
        name: Text('As `GET /sites` names it.'),
        waiting: Type.Integer({ description: 'Deliveries that wait for it; counted up to 500.' }),
        paused_until: Timestamp,
        reason: Text('Why it is shut.'),
      }),
      { description: 'Sites that are shut, the 20 that most waits for.' },
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

function sumToJson({ ready, waiting, oldestReadyAt }: OpenSum) {
  return { ready, waiting, oldest_ready_at: formatTime(oldestReadyAt) }
}

const getQueue = route('GET', '/operator/queue', {
  tag: 'Operator',
  permission: 'operator',
  limit: 'general',
  operationId: 'getQueue',
  summary: 'Get the delivery queue',
  description:
    'For operators. Its depth, by team and by state. Results are bounded and cached for ten seconds, so frequent requests are cheap.',
  responses: { 200: { description: 'The queue as of a few seconds ago.', schema: Queue } },
  async handle({ deps: { operatorView } }) {
    const queue = await operatorView.queue()
    const json = {
      object: 'queue',
      as_of: formatTime(queue.asOf),
      ...queue.counts,
      counted_up_to: OPEN_COUNT_MAX,
      oldest_ready_seconds: queue.oldestReadySeconds,
      next_due_at: formatTime(queue.nextDueAt),
      by_team: queue.teams.map((team) => ({ team_id: team.id, name: team.name, ...sumToJson(team) })),
      by_destination: queue.destinations.map((each) => ({ domain: each.domain, ...sumToJson(each) })),
      by_site: queue.sites.map(({ name, waiting, pausedUntil, reason }) => ({
        ...{ name, waiting, paused_until: formatTime(pausedUntil), reason },
      })),
    }
    return { status: 200, json }
  },
})

export const operatorQueueRoutes: readonly Route<Deps>[] = [getQueue]
