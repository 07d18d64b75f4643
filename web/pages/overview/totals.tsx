import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import type { EmailMetrics } from '../../api/records.ts'
import { Section } from '../../ui/section.tsx'
import { showDuration } from '../../ui/times.ts'
import { SERIES } from './series.ts'

interface MetricsProps {
  /** Undefined: not read yet. */
  metrics: EmailMetrics | undefined
}

/** What became of the mail of the whole time, and which share that is. */
export function Totals({ metrics }: MetricsProps) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md" mb="md" component="dl" m={0}>
      {SERIES.map(({ key, label, hint, countOf, rateOf }) => (
        <div key={key} className="card stat">
          <dt>{label}</dt>
          <dd>
            {metrics === undefined ? (
              <Skeleton height={26} width="60%" my={5} />
            ) : (
              <span className="stat-value">{countOf(metrics.totals).toLocaleString()}</span>
            )}
            <Text span size="xs" c="dimmed" className="stat-hint">
              {metrics === undefined ? ' ' : (showRate(rateOf?.(metrics.rates)) ?? hint)}
            </Text>
          </dd>
        </div>
      ))}
    </SimpleGrid>
  )
}

/** `99.2 %`; small shares with as many digits as tell them from none. */
function showRate(rate: number | null | undefined): string | null {
  if (rate === null || rate === undefined) return null
  const percent = rate * 100
  const digits = percent > 0 && percent < 1 ? 2 : 1
  return `${percent.toLocaleString(undefined, { maximumFractionDigits: digits })} %`
}

const QUANTILES = [
  ['p50', 'Half within'],
  ['p90', '90 % within'],
  ['p95', '95 % within'],
  ['p99', '99 % within'],
] as const

/** How long it took until servers had the mail. */
export function DeliveryTimes({ metrics }: MetricsProps) {
  return (
    <Section title="Time to deliver" description="From acceptance until a server took it.">
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
