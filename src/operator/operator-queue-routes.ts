import { type Route, routesOf } from '../http/route/route.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { OPEN_COUNT_MAX } from '../queue/open-counts-queries.ts'
import { Queue, sumToJson } from './operator-queue-schemas.ts'
import type { OperatorView } from './operator-view.ts'

interface Deps {
  operatorView: OperatorView
}

const { route } = routesOf<Deps>()

const getQueue = route('GET', '/operator/queue', {
  area: 'operator',
  permission: 'operator',
  operationId: 'getQueue',
  summary: 'Get the delivery queue',
  description:
    'Depth by state, team, destination, and site. Results are bounded and cached for ten seconds, so frequent requests are cheap.',
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
        name,
        waiting,
        paused_until: formatTime(pausedUntil),
        reason,
      })),
    }
    return { status: 200, json }
  },
})

export const operatorQueueRoutes: readonly Route<Deps>[] = [getQueue]
