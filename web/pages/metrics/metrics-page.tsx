import '../../ui/metrics/metrics.css'
import { Button, SegmentedControl } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import type { EmailMetrics } from '../../api/records.ts'
import type { Query } from '../../api/request.ts'
import { saveBlob } from '../../api/save-blob.ts'
import { useGet } from '../../api/team.ts'
import { ChartSection } from '../../ui/metrics/chart-section.tsx'
import { Funnel } from '../../ui/metrics/funnel.tsx'
import { metricsQuery } from '../../ui/metrics/range.ts'
import { RangeChoice } from '../../ui/metrics/range-choice.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { WidgetBoundary } from '../../ui/page/widget-boundary.tsx'
import { type Filters, useFilters } from '../../ui/tables/filters.ts'
import { BounceReasons } from './bounce-reasons.tsx'
import { Breakdown } from './breakdown.tsx'
import { type Compared, comparedQueries } from './compare.ts'
import { GROUPINGS, type Grouping, nameOfGroup } from './groups.ts'
import { HeatMap } from './heat-map.tsx'
import { KeyFigures } from './key-figures.tsx'

const FILTERS = ['provider', 'domain_id', 'template_id', 'tag'] as const
const PARAMETERS = [...(['range', 'start_date', 'end_date', 'by'] as const), ...FILTERS] as const
type Parameters = Filters<(typeof PARAMETERS)[number]>

/** The metrics of a period next to the previous one, in total and by mailbox provider, domain, template and tag. */
export function MetricsPage() {
  const page = useFilters(PARAMETERS)
  const query = { ...metricsQuery(page.filters, Date.now()), ...filterOf(page.filters) }
  const metrics = useGet<EmailMetrics>('/emails/metrics', { query })
  const compared = metrics.data === undefined ? null : comparedQueries(metrics.data, query)
  const before = useGet<EmailMetrics>('/emails/metrics', {
    query: compared?.before ?? {},
    enabled: compared !== null,
  })
  return (
    <Page
      title="Metrics"
      description="Compared with the previous period, without the day or hour that is not over yet."
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload />}
          disabled={metrics.data === undefined}
          onClick={() => metrics.data !== undefined && saveCsv(metrics.data)}
        >
          Export CSV
        </Button>
      }
    >
      <RangeChoice range={page} />
      <Chips page={page} />
      <ErrorNote error={metrics.error} onRetry={() => void metrics.refetch()} />
      <WidgetBoundary>
        <KeyFigures metrics={metrics.data} before={before.data} />
      </WidgetBoundary>
      <WidgetBoundary>
        <ChartSection metrics={metrics.data} />
      </WidgetBoundary>
      <BreakdownSection page={page} query={query} compared={compared} />
      <WidgetBoundary>
        <Funnel metrics={metrics.data} />
      </WidgetBoundary>
      {Object.keys(filterOf(page.filters)).length === 0 && <BounceReasons query={query} />}
    </Page>
  )
}

function saveCsv(metrics: EmailMetrics): void {
  const file = new Blob([toCsv(metrics)], { type: 'text/csv' })
  saveBlob(file, `metrics-${metrics.start_date.slice(0, 10)}.csv`)
}

/** The API filters by one property at a time. */
function filterOf(filters: Parameters['filters']): Partial<Record<(typeof FILTERS)[number], string>> {
  const name = FILTERS.find((each) => filters[each] !== undefined)
  const value = name === undefined ? undefined : filters[name]
  return name === undefined || value === undefined ? {} : { [name]: value }
}

/** The filter of the page, which a click removes. */
function Chips({ page }: { page: Parameters }) {
  const [filter] = Object.entries(filterOf(page.filters))
  if (filter === undefined) return null
  const [name, value] = filter as [(typeof FILTERS)[number], string]
  const text = name === 'provider' ? nameOfGroup('provider', value, null) : value
  return (
    <Button
      variant="default"
      size="compact-sm"
      mb="md"
      rightSection={<IconX />}
      onClick={() => page.setFilter(name, '')}
      aria-label={`Remove filter: ${text}`}
    >
      <span className="foreign">{text}</span>
    </Button>
  )
}

interface BreakdownSectionProps {
  page: Parameters
  query: Query
  /** Null until the period is known, or if none of it is over. */
  compared: Compared | null
}

/** A heat map needs at least this many days, so that each hour of the week occurs a few times. */
const HEAT_DAYS = 28
const HOUR_MS = 3_600_000

/** The API does not group figures that it filters: a filtered page has the hours of the week only. */
function BreakdownSection({ page, query, compared }: BreakdownSectionProps) {
  const filter = filterOf(page.filters)
  const hasFilter = Object.keys(filter).length > 0
  const groupings = GROUPINGS.filter(({ value }) => !hasFilter || value === 'hours')
  const by: Grouping =
    groupings.find(({ value }) => value === page.filters.by)?.value ?? groupings[0]?.value ?? 'hours'
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const start = new Date(hour - HEAT_DAYS * 24 * HOUR_MS).toISOString()
  return (
    <Section
      title="Break down by"
      description={
        by === 'hours'
          ? 'The last 28 days, in your time zone.'
          : 'Small numbers show the change in percentage points.'
      }
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Break down by"
          className="wide-choice"
          value={by}
          onChange={(value) => page.setFilter('by', value)}
          data={groupings.map(({ value, label }) => ({ value, label }))}
        />
      }
      isFlush
    >
      {by === 'hours' ? (
        <HeatMap query={{ interval: 'hour', start_date: start, ...filter }} />
      ) : (
        <Breakdown by={by} query={query} compared={compared} />
      )}
    </Section>
  )
}

/** Returns the series as CSV (RFC 4180): a row for each hour or day, with all counts. Times are in UTC. */
function toCsv({ series, totals }: EmailMetrics): string {
  const names = Object.keys(totals)
  const rows = series.map(({ at, counts }) => {
    const values = counts as Readonly<Record<string, number>>
    return [at, ...names.map((name) => values[name] ?? 0)].join(',')
  })
  return `${[['at', ...names].join(','), ...rows].join('\r\n')}\r\n`
}
