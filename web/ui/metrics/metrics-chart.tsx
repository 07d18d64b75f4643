import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, useId, useMemo, useState } from 'react'
import { showCompact } from '../plural.ts'
import type { Tone } from '../status-badge.tsx'
import { type Bar, barsOf, type Part, STACK, topOf } from './bars.ts'
import type { Timeline } from './points.ts'

/** The minimum distance between the labels of the x axis. */
const LABEL_GAP_PX = 72
const LEFT_PX = 40
const BOTTOM_PX = 26
const TOP_PX = 8
const BAR_PX_MAX = 48
/** The share of a column that its bar fills. */
const BAR_SHARE = 0.72

interface ChartProps {
  metrics: Timeline
  heightPx: number
  /** The parts of a bar, from the bottom up. Default: the results of emails. */
  stack?: readonly Part[]
}

/** Stacked bars of the metrics over time. Screen readers use the table instead. */
export function MetricsChart({ metrics, heightPx, stack = STACK }: ChartProps) {
  const bars = useMemo(() => barsOf(metrics, stack), [metrics, stack])
  const { ref, width } = useElementSize()
  const [pointed, setPointed] = useState<number | null>(null)
  const columnPx = bars.length === 0 ? 0 : (width - LEFT_PX) / bars.length
  const point = (event: PointerEvent<HTMLElement>) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT_PX
    const index = Math.floor(left / columnPx)
    setPointed(index >= 0 && index < bars.length ? index : null)
  }
  return (
    <figure className="chart" aria-label="Bar chart of the metrics; the table view has the same values">
      <div ref={ref} className="chart-plot" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
        {width > 0 && (
          <Plot stack={stack} bars={bars} widthPx={width} heightPx={heightPx} pointed={pointed} />
        )}
        {pointed !== null && (
          <Tip
            stack={stack}
            bar={bars[pointed]}
            leftPx={LEFT_PX + (pointed + 0.5) * columnPx}
            widthPx={width}
          />
        )}
      </div>
      <figcaption>
        {stack.map(({ key, label, tone }) => (
          <span key={key}>
            <span aria-hidden data-tone={tone} />
            {label}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

interface PlotProps {
  stack: readonly Part[]
  bars: readonly Bar[]
  widthPx: number
  heightPx: number
  pointed: number | null
}

function Plot({ stack, bars, widthPx, heightPx, pointed }: PlotProps) {
  const hatch = useId()
  const top = topOf(bars)
  const columnPx = (widthPx - LEFT_PX) / bars.length
  const barPx = Math.min(BAR_PX_MAX, columnPx * BAR_SHARE)
  const yOf = (count: number) => TOP_PX + (heightPx - TOP_PX - BOTTOM_PX) * (1 - count / top)
  const labelEvery = Math.max(1, Math.ceil(LABEL_GAP_PX / columnPx))
  return (
    <svg width={widthPx} height={heightPx} aria-hidden>
      <Hatches id={hatch} stack={stack} />
      {[0, top / 2, top].map((count) => (
        <g key={count}>
          <line x1={LEFT_PX} x2={widthPx} y1={yOf(count)} y2={yOf(count)} className="chart-line" />
          <text x={LEFT_PX - 8} y={yOf(count) + 4} textAnchor="end">
            {showCompact(count)}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => {
        const x = LEFT_PX + index * columnPx
        return (
          <g key={bar.at}>
            {index === pointed && (
              <rect x={x} y={TOP_PX} width={columnPx} height={yOf(0) - TOP_PX} className="chart-pointed" />
            )}
            <Stack
              stack={stack}
              bar={bar}
              hatch={hatch}
              x={x + (columnPx - barPx) / 2}
              widthPx={barPx}
              yOf={yOf}
            />
            {index % labelEvery === 0 && (
              <text x={x + columnPx / 2} y={heightPx - 6} textAnchor="middle">
                {bar.label}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

interface StackProps {
  stack: readonly Part[]
  bar: Bar
  hatch: string
  x: number
  widthPx: number
  yOf(count: number): number
}

/** One bar: its parts from the bottom up. The last one is hatched while its time is not over. */
function Stack({ stack, bar, hatch, x, widthPx, yOf }: StackProps) {
  let below = 0
  return bar.counts.map((count, index) => {
    const part = stack[index]
    const y = yOf(below + count)
    const height = yOf(below) - y
    below += count
    if (part === undefined || count === 0) return null
    const fill = bar.isOpen ? { fill: `url(#${hatch}-${part.tone})` } : {}
    return (
      <rect
        key={part.key}
        x={x}
        y={y}
        width={widthPx}
        height={Math.max(1, height)}
        className="chart-bar"
        data-tone={part.tone}
        data-open={bar.isOpen || undefined}
        style={fill}
      />
    )
  })
}

/** A pattern of each colour. */
function Hatches({ id, stack }: { id: string; stack: readonly Part[] }) {
  return (
    <defs>
      {[...new Set(stack.map(({ tone }) => tone))].map((tone) => (
        <Hatch key={tone} id={`${id}-${tone}`} tone={tone} />
      ))}
    </defs>
  )
}

function Hatch({ id, tone }: { id: string; tone: Tone }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" className="chart-bar" data-tone={tone} opacity="0.25" />
      <rect width="2.5" height="6" className="chart-bar" data-tone={tone} />
    </pattern>
  )
}

interface TipProps {
  stack: readonly Part[]
  bar: Bar | undefined
  leftPx: number
  widthPx: number
}

function Tip({ stack, bar, leftPx, widthPx }: TipProps) {
  if (bar === undefined) return null
  const side = leftPx > widthPx / 2 ? { right: widthPx - leftPx + 16 } : { left: leftPx + 16 }
  return (
    <div className="chart-tip" style={side} aria-hidden>
      <strong>
        {bar.label}
        {bar.isOpen && ' · so far'}
      </strong>
      {stack.map(({ key, label, tone }, index) => (
        <span key={key}>
          <span>
            <span className="dot" data-tone={tone} /> {label}
          </span>
          <b>{(bar.counts[index] ?? 0).toLocaleString()}</b>
        </span>
      ))}
    </div>
  )
}
