import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import type { EmailMetrics } from '../../api/records.ts'
import { firstOpenOf } from '../../ui/metrics/points.ts'
import { showShare } from '../../ui/metrics/shares.ts'
import { deltaOf, KEY_FIGURES, type KeyFigure, sumWhole } from './compare.ts'

interface FiguresProps {
  /** Undefined while loading. */
  metrics: EmailMetrics | undefined
  /** The hours or days of the previous period to compare with (`comparedQueries`). */
  before: EmailMetrics | undefined
}

const WORDS = { better: 'better', worse: 'worse', same: 'unchanged' }
const TONES = { better: 'green', worse: 'red', same: 'gray' } as const

/** The most important figures of the period, and how they changed. */
export function KeyFigures({ metrics, before }: FiguresProps) {
  return (
    <dl className="stats stats-six">
      {KEY_FIGURES.map((figure) => (
        <div key={figure.key} className="stat">
          <dt>{figure.label}</dt>
          {metrics === undefined ? (
            <dd>
              <Skeleton height={26} width="60%" my="xxs" />
            </dd>
          ) : (
            <Values figure={figure} metrics={metrics} before={before} />
          )}
        </div>
      ))}
    </dl>
  )
}

function Values({
  figure,
  metrics,
  before,
}: {
  figure: KeyFigure
  metrics: EmailMetrics
  before: EmailMetrics | undefined
}) {
  const { shareOf, countOf, limit } = figure
  const wholeCount = firstOpenOf(metrics)
  const delta = before === undefined ? null : deltaOf(figure, sumWhole(metrics), before.totals)
  const share = shareOf?.(metrics.totals) ?? null
  const count = countOf(metrics.totals).toLocaleString()
  const isOver = limit !== undefined && share !== null && share > limit
  return (
    <dd>
      <span className="stat-value">{share === null ? count : showShare(share)}</span>
      <Text span size="xs" c="dimmed">
        {share !== null && count}
        {share === null && (shareOf === null ? 'with a result' : 'recipients')}
        {isOver && ` · above ${showShare(limit)}`}
      </Text>
      <Spark
        values={metrics.series.slice(0, wholeCount).map(({ counts }) => (shareOf ?? countOf)(counts) ?? 0)}
      />
      {delta !== null && (
        <span className="stat-delta" data-tone={TONES[delta.direction]}>
          {`${delta.amount} ${delta.unit}`}
          <VisuallyHidden> from the previous period: {WORDS[delta.direction]}</VisuallyHidden>
        </span>
      )}
    </dd>
  )
}

const SPARK = { widthPx: 96, heightPx: 20 }

/** The figure over time, as a small line. */
function Spark({ values }: { values: readonly number[] }) {
  const top = Math.max(...values, 0)
  if (values.length < 2 || top === 0) return <span className="spark" />
  const { widthPx, heightPx } = SPARK
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * widthPx
    return `${x.toFixed(1)},${(heightPx - 1 - (value / top) * (heightPx - 2)).toFixed(1)}`
  })
  return (
    <svg className="spark" viewBox={`0 0 ${widthPx} ${heightPx}`} preserveAspectRatio="none" aria-hidden>
      <polyline points={points.join(' ')} />
    </svg>
  )
}
