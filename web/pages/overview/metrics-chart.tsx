import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import type { Point } from './chart-section.tsx'
import { SERIES } from './series.ts'

const LINES = SERIES.map(({ label, color }) => ({ name: label, color }))
const LARGE = new Intl.NumberFormat(undefined, { notation: 'compact' })

/** The figures as lines over time. Whoever does not see them has the table. */
export function MetricsChart({ points, heightPx }: { points: Point[]; heightPx: number }) {
  return (
    <figure className="chart" aria-label="Figures over time, as lines; the table says the same">
      <AreaChart
        h={heightPx}
        data={points}
        dataKey="at"
        series={LINES}
        type="default"
        curveType="monotone"
        fillOpacity={0.06}
        strokeWidth={1.8}
        withDots={points.length < 2}
        valueFormatter={(value) => value.toLocaleString()}
        yAxisProps={{
          width: 44,
          allowDecimals: false,
          tickFormatter: (value: number) => LARGE.format(value),
        }}
        xAxisProps={{ minTickGap: 28 }}
        areaChartProps={{ accessibilityLayer: false }}
        areaProps={{ isAnimationActive: false }}
      />
      <figcaption>
        {SERIES.map(({ key, label, color }) => (
          <span key={key}>
            <span aria-hidden style={{ background: `var(--mantine-color-${color.replace('.', '-')})` }} />
            {label}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
