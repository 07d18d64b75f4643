import { SegmentedControl } from '@mantine/core'
import type { CampaignMetrics } from '../../api/records.ts'
import type { Part } from '../../ui/metrics/bars.ts'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import { MetricsChart } from '../../ui/metrics/metrics-chart.tsx'
import { showAt, type Timeline } from '../../ui/metrics/points.ts'
import { Section } from '../../ui/page/section.tsx'
import { useFilters } from '../../ui/tables/filters.ts'
import { seriesOf } from './hours.ts'

const CHART_HEIGHT = 220

const of = (key: string, label: string, tone: Part['tone']): Part => ({
  key,
  label,
  tone,
  countOf: (counts) => counts[key] ?? 0,
})
const RESULTS: readonly Part[] = [
  {
    ...of('delivered', 'Delivered', 'green'),
    countOf: (counts) => (counts.delivered ?? 0) + (counts.sent ?? 0),
  },
  of('bounced', 'Bounced', 'red'),
]
const VISITS: readonly Part[] = [
  of('clicked_unique', 'Clicked', 'green'),
  of('opened_unique', 'Opened', 'blue'),
]
const VIEWS = [
  { value: 'results', label: 'Delivery' },
  { value: 'visits', label: 'Opens and clicks' },
  { value: 'table', label: 'Table' },
]

/** When the emails were delivered, opened and clicked. */
export function ReportHours({ metrics }: { metrics: CampaignMetrics }) {
  const { draft, setFilter } = useFilters(['view'])
  const timeline = seriesOf(metrics, new Date())
  if (timeline === null) return null
  const view = draft.view ?? 'results'
  return (
    <Section
      title="Over time"
      description={timeline.interval === 'hour' ? 'By hour, in your time zone.' : 'By day, in UTC.'}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="View"
          data={VIEWS}
          value={view}
          onChange={(value) => setFilter('view', value === 'results' ? '' : value)}
        />
      }
    >
      {view === 'table' ? (
        <HoursTable timeline={timeline} />
      ) : (
        <MetricsChart
          metrics={timeline}
          heightPx={CHART_HEIGHT}
          stack={view === 'visits' ? VISITS : RESULTS}
        />
      )}
    </Section>
  )
}

const COLUMNS = [...RESULTS, ...VISITS]

function HoursTable({ timeline: { series, interval } }: { timeline: Timeline }) {
  return (
    <FiguresTable
      label="Over time"
      headers={[interval === 'hour' ? 'Hour' : 'Day', ...COLUMNS.map(({ label }) => label)]}
      isLong
    >
      {series.map(({ at, counts }) => (
        <tr key={at}>
          <th scope="row">{showAt(at, interval)}</th>
          {COLUMNS.map(({ key, countOf }) => (
            <td key={key}>{countOf(counts).toLocaleString()}</td>
          ))}
        </tr>
      ))}
    </FiguresTable>
  )
}
