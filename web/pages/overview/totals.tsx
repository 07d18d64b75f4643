import { Skeleton, Text } from '@mantine/core'
import type { EmailMetrics } from '../../api/records.ts'
import { Section } from '../../ui/page/section.tsx'
import { showDuration } from '../../ui/times.ts'
import { SERIES } from './series.ts'

interface MetricsProps {
  /** Undefined while loading. */
  metrics: EmailMetrics | undefined
}

/** The totals of the time range, with their rates. */
export function Totals({ metrics }: MetricsProps) {
  return (
    <dl className="stats">
      {SERIES.map(({ key, label, hint, countOf, rateOf }) => (
        <div key={key} className="stat">
          <dt>{label}</dt>
          <dd>
            {metrics === undefined ? (
              <Skeleton height={26} width="60%" my="xxs" />
            ) : (
              <span className="stat-value">{countOf(metrics.totals).toLocaleString()}</span>
            )}
            <Text span size="xs" c="dimmed" className="stat-hint">
              {metrics === undefined ? ' ' : (showRate(rateOf?.(metrics.rates)) ?? hint)}
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Formats a rate as `99.2 %`. Rates below 1 % get two decimals, so that they differ from zero. */
function showRate(rate: number | null | undefined): string | null {
  if (rate === null || rate === undefined) return null
  const percent = rate * 100
  const digits = percent > 0 && percent < 1 ? 2 : 1
  return `${percent.toLocaleString(undefined, { maximumFractionDigits: digits })} %`
}

const QUANTILES = [
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p95', 'p95'],
  ['p99', 'p99'],
] as const

/** The time from acceptance to delivery, as quantiles. */
export function DeliveryTimes({ metrics }: MetricsProps) {
  return (
    <Section title="Time to deliver" description="From acceptance to delivery.">
      <dl className="pairs">
        {QUANTILES.map(([name, label]) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{metrics === undefined ? <Skeleton height={14} width={60} /> : showTime(metrics, name)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function showTime({ time_to_deliver_ms: times }: EmailMetrics, name: 'p50' | 'p90' | 'p95' | 'p99'): string {
  const ms = times[name]
  return ms === null ? '–' : showDuration(ms)
}
