import 'uplot/dist/uPlot.min.css'
import { useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import UPlot from 'uplot'
import type { EmailMetrics } from '../../api/records.ts'
import { type Point, pointsOf } from './points.ts'
import { SERIES } from './series.ts'

const LARGE = new Intl.NumberFormat(undefined, { notation: 'compact' })
const FONT = '12px system-ui, sans-serif'
/** Minimum distance between the labels of the x axis. */
const LABEL_GAP_PX = 72

/** The point under the mouse pointer, and its distance from the left edge. */
interface Pointed {
  index: number
  leftPx: number
}

/** A line chart of the metrics over time. Screen readers use the table instead. */
export function MetricsChart({ metrics, heightPx }: { metrics: EmailMetrics; heightPx: number }) {
  // Memoized, because the effect draws the chart again for each new array.
  const points = useMemo(() => pointsOf(metrics), [metrics])
  const { ref: sized, width } = useElementSize()
  const canvas = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const scheme = useComputedColorScheme()
  const { colors } = useMantineTheme()
  useEffect(() => {
    if (canvas.current === null || width === 0) return
    const style = getComputedStyle(document.documentElement)
    const ink = style.getPropertyValue('--app-dimmed')
    const rule = style.getPropertyValue('--app-border')
    const lineColors = SERIES.map(({ color }) => colorOf(colors, color, scheme))
    const options = { ...chartOf(points, { ink, rule, lineColors }, setPointed), width, height: heightPx }
    const chart = new UPlot(options, columnsOf(points), canvas.current)
    return () => chart.destroy()
  }, [points, heightPx, width, scheme, colors])
  return (
    <figure className="chart" aria-label="Line chart of the metrics; the table view has the same values">
      <div ref={sized} style={{ height: heightPx, position: 'relative' }}>
        <div ref={canvas} aria-hidden />
        {pointed !== null && <Tip point={points[pointed.index]} leftPx={pointed.leftPx} widthPx={width} />}
      </div>
      <figcaption>
        {SERIES.map(({ key, label, color }) => (
          <span key={key}>
            <span aria-hidden style={{ background: colorOf(colors, color, scheme) }} />
            {label}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

function Tip({ point, leftPx, widthPx }: { point: Point | undefined; leftPx: number; widthPx: number }) {
  if (point === undefined) return null
  const side = leftPx > widthPx / 2 ? { right: widthPx - leftPx + 12 } : { left: leftPx + 12 }
  return (
    <div className="chart-tip" style={side} aria-hidden>
      <strong>{point.at}</strong>
      {SERIES.map(({ key, label }) => (
        <span key={key}>
          {label} <b>{point[label]?.toLocaleString()}</b>
        </span>
      ))}
    </div>
  )
}

/** Returns a shade of the theme, such as `teal.6`; one shade lighter in the dark scheme. */
function colorOf(colors: Record<string, readonly string[]>, name: string, scheme: 'light' | 'dark'): string {
  const [hue = '', shade = '6'] = name.split('.')
  return colors[hue]?.[Number(shade) - (scheme === 'dark' ? 1 : 0)] ?? 'gray'
}

/** Returns the x column, which contains the index of each point, and one column per line. */
function columnsOf(points: readonly Point[]): UPlot.AlignedData {
  const lines = SERIES.map(({ label }) => points.map((point) => Number(point[label] ?? 0)))
  return [points.map((_, index) => index), ...lines]
}

interface Colors {
  ink: string
  rule: string
  lineColors: readonly string[]
}

function chartOf(
  points: readonly Point[],
  { ink, rule, lineColors }: Colors,
  onPoint: (pointed: Pointed | null) => void,
): Omit<UPlot.Options, 'width' | 'height'> {
  const grid = { stroke: rule, width: 1, dash: [4, 4] }
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: false }, y: { range: (_chart, _min, max) => [0, Math.max(4, max * 1.08)] } },
    axes: [
      {
        font: FONT,
        stroke: ink,
        grid: { show: false },
        ticks: { show: false },
        space: LABEL_GAP_PX,
        size: 34,
        gap: 10,
        incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24, 30, 48, 60, 90],
        values: (_chart, splits) => splits.map((index) => points[index]?.at ?? ''),
      },
      {
        font: FONT,
        stroke: ink,
        size: 48,
        gap: 8,
        grid,
        ticks: { show: false },
        incrs: WHOLE_STEPS,
        values: (_chart, splits) => splits.map((value) => LARGE.format(value)),
      },
    ],
    series: [
      {},
      ...SERIES.map(({ label }, index) => ({
        label,
        stroke: lineColors[index] ?? ink,
        fill: `${lineColors[index] ?? ink}10`,
        width: 1.8,
        points: { show: points.length < 2 },
      })),
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left } }) =>
          onPoint(idx == null || left === undefined || left < 0 ? null : { index: idx, leftPx: left + 48 }),
      ],
    },
  }
}

/** Increments of the y axis: 1, 2, 5, 10, and so on. Whole numbers, because the values are counts. */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()
