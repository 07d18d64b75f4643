import { SegmentedControl } from '@mantine/core'
import type { CampaignMetrics } from '../../api/records.ts'
import type { Part } from '../../ui/metrics/bars.ts'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import { MetricsChart } from '../../ui/metrics/metrics-chart.tsx'
import { showAt, type Timeline } from '../../ui/metrics/points.ts'
import { Section } from '../../ui/page/section.tsx'
import { useFilters } from '../../ui/tables/filters.ts'
import { seriesOf } from './hours.ts'
import { texts } from './texts.ts'

const CHART_HEIGHT = 220

const of = (key: string, label: string, tone: Part['tone']): Part => ({
  ...{ key, label, tone },
  countOf: (counts) => counts[key] ?? 0,
})
const RESULTS: readonly Part[] = [
  {
    ...of('delivered', texts.report.delivered, 'green'),
    countOf: (counts) => (counts.delivered ?? 0) + (counts.sent ?? 0),
  },
  of('bounced', texts.report.bounced, 'red'),
]
const VISITS: readonly Part[] = [
  of('clicked_unique', texts.report.clicked, 'green'),
  of('opened_unique', texts.report.opened, 'blue'),
]
const VIEWS = [
  { value: 'results', label: texts.hours.delivery },
  { value: 'visits', label: texts.hours.visits },
  { value: 'table', label: texts.hours.table },
]

/** When the emails were delivered, opened and clicked. */
export function ReportHours({ metrics }: { metrics: CampaignMetrics }) {
  const { draft, setFilter } = useFilters(['view'])
  const timeline = seriesOf(metrics, new Date())
  if (timeline === null) return null
  const view = draft.view ?? 'results'
  return (
    <Section
      title={texts.hours.overTime}
      description={timeline.interval === 'hour' ? texts.hours.byHour : texts.hours.byDay}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={texts.hours.view}
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
      label={texts.hours.overTime}
      headers={[
        interval === 'hour' ? texts.hours.hour : texts.hours.day,
        ...COLUMNS.map(({ label }) => label),
      ]}
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
