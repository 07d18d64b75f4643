import type { Static } from 'typebox'
import { readTagFilter } from '../emails/read/tag-filter.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { invalidField } from '../lib/api-error.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { tagKey } from './counting/bound-keys.ts'
import { DAY_MS } from './counting/calendar.ts'
import { deliveryTimesToJson, EmailMetrics, MetricsQuery } from './reading/metrics-schemas.ts'
import { readPeriod } from './reading/period.ts'
import { type MetricsResult, type MetricsSelection as Query, readMetrics } from './reading/read-metrics.ts'
import { findMetricNames } from './reading/read-metrics-queries.ts'

type Deps = Pick<ResourceDeps, 'lists' | 'clock'>

const { route } = routesOf<Deps>()

const GROUPS_DEFAULT = 10
/** How far back hours, and days of a time zone, reach: hours are kept for 100 days. */
const HOURS_REACH_DAYS = 99

const getMetrics = route('GET', '/emails/metrics', {
  area: 'emails',
  permission: 'full',
  operationId: 'getEmailMetrics',
  summary: 'Get email metrics',
  description:
    'Counts, rates, and delivery times. Events count in the UTC hour in which they occur, not in that of their email. Simulator recipients count only with `include_simulated`, and under the provider `simulator`. Per month, the first 500 domains, templates, senders, and tags (100 values each) count by name, all others as `*`.',
  query: MetricsQuery,
  responses: { 200: { description: 'The metrics.', schema: EmailMetrics } },
  async handle({ caller: { teamId }, query, deps: { lists, clock } }) {
    const now = clock.now()
    const selection = readSelection(query, now)
    const metrics = await readMetrics(lists, teamId, selection, now)
    const keys = metrics.groups.map(({ key }) => key)
    const names = selection.by === null ? null : await findMetricNames(lists, teamId, selection.by, keys)
    const json = {
      object: 'metrics',
      interval: selection.period.interval,
      time_zone: selection.period.timeZone,
      start_date: formatTime(selection.period.from),
      end_date: formatTime(selection.period.before),
      as_of: formatTime(metrics.asOf),
      totals: metrics.total.counts,
      ...metricsToJson(metrics.total),
      series: metrics.series.map((point) => ({
        at: formatTime(point.at),
        counts: point.counts,
        ...metricsToJson(point),
      })),
      group_by: selection.by,
      groups: metrics.groups.map((group) => ({
        key: group.key,
        name: names?.get(group.key) ?? null,
        counts: group.counts,
        ...metricsToJson(group),
      })),
    }
    return { status: 200, json }
  },
})

type Given = Static<typeof MetricsQuery>

function readSelection(query: Given, now: Date): Query {
  const period = readPeriod(query, now)
  if (period.grain === 'hour' && period.from.getTime() < now.getTime() - HOURS_REACH_DAYS * DAY_MS) {
    const why = period.interval === 'hour' ? 'the interval hour' : 'this time_zone'
    const message = `The start_date field must be within the last ${HOURS_REACH_DAYS} days with ${why}.`
    throw invalidField('start_date', message)
  }
  const of = readFilter(query)
  const by = (query.group_by ?? null) as Query['by']
  if (by !== null && of.dimension !== 'all') {
    throw invalidField('group_by', 'The group_by field cannot be used with a filter.')
  }
  const hasSimulated = query.include_simulated === 'true'
  return { period, of, by, hasSimulated, groupsMax: query.limit ?? GROUPS_DEFAULT }
}

/** Reads the filter, of which only one is allowed: metrics are stored by one dimension at a time. */
function readFilter(query: Given): Query['of'] {
  const { domain_id, template_id, from, provider, reason } = query
  const filters: [field: string, of: Query['of']][] = []
  if (domain_id !== undefined) {
    filters.push(['domain_id', { dimension: 'domain', key: domain_id.toLowerCase() }])
  }
  if (template_id !== undefined) {
    filters.push(['template_id', { dimension: 'template', key: template_id.toLowerCase() }])
  }
  const tag = readTagFilter(query)
  if (tag !== null) {
    const { name, value } = tag
    if (value === null) throw invalidField('tag', 'The tag field must be name:value.')
    filters.push(['tag', { dimension: 'tag', key: tagKey({ name, value }) }])
  }
  if (from !== undefined) filters.push(['from', { dimension: 'sender', key: from.toLowerCase() }])
  if (provider !== undefined) filters.push(['provider', { dimension: 'provider', key: provider }])
  if (reason !== undefined) filters.push(['reason', { dimension: 'reason', key: reason }])
  const second = filters[1]
  if (second !== undefined) {
    throw invalidField(second[0], `The ${second[0]} field cannot be used with another filter.`)
  }
  return filters[0]?.[1] ?? { dimension: 'all', key: '' }
}

function metricsToJson({ counts, delays }: MetricsResult) {
  const { attempted } = counts
  const delivered = Math.max(0, attempted - counts.bounced - counts.failed - counts.rejected)
  return {
    rates: {
      delivered: shareOf(delivered, attempted),
      bounced: shareOf(counts.bounced, attempted),
      complained: shareOf(counts.complained, delivered),
      opened: shareOf(counts.opened_unique, delivered),
      clicked: shareOf(counts.clicked_unique, delivered),
    },
    time_to_deliver_ms: deliveryTimesToJson(delays),
  }
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Number((part / whole).toFixed(6))
}

export const emailMetricsRoutes: readonly Route<Deps>[] = [getMetrics]
