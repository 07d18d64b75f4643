import { Anchor, Skeleton } from '@mantine/core'
import type { EmailMetrics } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { Link } from '../link.tsx'
import { Section } from '../page/section.tsx'
import { OTHERS, RESULTS, type Result } from './series.ts'
import { showShare } from './shares.ts'

/** The results of the period, as bars that add up to the total. Each links to its list. */
export function Funnel({ metrics }: { metrics: EmailMetrics | undefined }) {
  const attempted = metrics === undefined ? 0 : (metrics.totals.attempted ?? 0)
  return (
    <Section
      title="Results"
      description={
        metrics === undefined ? ' ' : `${attempted.toLocaleString()} recipients with a result in this period.`
      }
    >
      {metrics === undefined ? (
        <Skeleton height={120} />
      ) : (
        <dl className="funnel">
          {[...RESULTS, ...OTHERS].map((stage) => (
            <Row
              key={stage.label}
              stage={stage}
              count={stage.countOf(metrics.totals)}
              whole={RESULTS.includes(stage) ? attempted : null}
            />
          ))}
        </dl>
      )}
    </Section>
  )
}

function Row({ stage, count, whole }: { stage: Result; count: number; whole: number | null }) {
  const team = useTeam()
  const { label, tone, to, search } = stage
  return (
    <div data-tone={tone}>
      <dt>
        <Anchor component={Link} to={`/${team.id}/${to}`} search={search as never} inherit>
          {label}
        </Anchor>
      </dt>
      <dd>
        <span
          className="funnel-bar"
          style={{ width: `${(count / Math.max(1, whole ?? 0)) * 100}%` }}
          hidden={whole === null}
        />
      </dd>
      <dd>{count.toLocaleString()}</dd>
      <dd>{whole === null || whole === 0 ? '' : showShare(count / whole)}</dd>
    </div>
  )
}
