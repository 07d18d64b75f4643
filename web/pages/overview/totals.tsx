import { Anchor, Skeleton, Text } from '@mantine/core'
import type { EmailMetrics } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { OTHERS, RESULTS, type Result } from '../../ui/metrics/series.ts'
import { showShare } from '../../ui/metrics/shares.ts'
import { Section } from '../../ui/page/section.tsx'
import { showDuration } from '../../ui/times.ts'

interface MetricsProps {
  /** Undefined while loading. */
  metrics: EmailMetrics | undefined
}

/** The results of the time range, which add up to the total. Each links to its list. */
export function Totals({ metrics }: MetricsProps) {
  const attempted = metrics?.totals.attempted ?? 0
  return (
    <dl className="stats">
      <div className="stat">
        <dt>With a result</dt>
        <Value count={metrics === undefined ? null : attempted} note="recipients" />
      </div>
      {[...RESULTS, ...OTHERS].map((result) => (
        <Total key={result.label} result={result} metrics={metrics} attempted={attempted} />
      ))}
    </dl>
  )
}

function Total({ result, metrics, attempted }: MetricsProps & { result: Result; attempted: number }) {
  const team = useTeam()
  const { label, to, search, countOf } = result
  const count = metrics === undefined ? null : countOf(metrics.totals)
  const hasShare = RESULTS.includes(result) && count !== null && attempted > 0
  return (
    <div className="stat">
      <dt>
        <Anchor component={Link} to={`/${team.id}/${to}`} search={search as never} inherit c="inherit">
          {label}
        </Anchor>
      </dt>
      <Value count={count} note={hasShare ? showShare(count / attempted) : ''} />
    </div>
  )
}

function Value({ count, note }: { count: number | null; note: string }) {
  return (
    <dd>
      {count === null ? (
        <Skeleton height={26} width="60%" my="xxs" />
      ) : (
        <span className="stat-value">{count.toLocaleString()}</span>
      )}
      <Text span size="xs" c="dimmed">
        {note}
      </Text>
    </dd>
  )
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
