import { SegmentedControl, Skeleton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { EmailMetrics } from '../../api/records.ts'
import { Section } from '../page/section.tsx'
import { FiguresTable } from './figures-table.tsx'
import { MetricsChart } from './metrics-chart.tsx'
import { showAt } from './points.ts'
import { SERIES } from './series.ts'

const CHART_HEIGHT = 240

/** The metrics over time, as a chart or a table. */
export function ChartSection({ metrics }: { metrics: EmailMetrics | undefined }) {
  const { view } = useSearch({ strict: false }) as { view?: string }
  const navigate = useNavigate()
  const choose = (name: string) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, view: name === 'table' ? name : undefined }) as never,
      replace: true,
      resetScroll: false,
    })
  return (
    <Section
      title="Over time"
      description={metrics?.interval === 'hour' ? 'Hourly' : 'Daily (UTC)'}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={view === 'table' ? 'table' : 'chart'}
          onChange={choose}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      }
    >
      {metrics === undefined ? (
        <Skeleton height={CHART_HEIGHT} />
      ) : view === 'table' ? (
        <TimeTable metrics={metrics} />
      ) : (
        <MetricsChart metrics={metrics} heightPx={CHART_HEIGHT} />
      )}
    </Section>
  )
}

function TimeTable({ metrics }: { metrics: EmailMetrics }) {
  return (
    <FiguresTable
      label="Figures over time"
      headers={[metrics.interval === 'hour' ? 'Hour' : 'Day', ...SERIES.map(({ label }) => label)]}
      isLong
    >
      {metrics.series.toReversed().map(({ at, counts }) => (
        <tr key={at}>
          <th scope="row">{showAt(at, metrics.interval)}</th>
          {SERIES.map(({ label, countOf }) => (
            <td key={label}>{countOf(counts).toLocaleString()}</td>
          ))}
        </tr>
      ))}
    </FiguresTable>
  )
}
