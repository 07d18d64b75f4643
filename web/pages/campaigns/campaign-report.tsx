import '../../ui/metrics/metrics.css'
import { Skeleton } from '@mantine/core'
import type { Campaign, CampaignMetrics } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import { showProvider } from '../../ui/metrics/providers.ts'
import { showShare } from '../../ui/metrics/shares.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Tone } from '../../ui/status-badge.tsx'
import { ReportHours } from './report-hours.tsx'
import { ReportLinks } from './report-links.tsx'
import { OF_PROVIDERS, STAGES, shareOf } from './stages.ts'

/** Also once it is sent: most results come after the last email is accepted. */
const REFRESH_MS = 5_000

/** What became of the emails of a campaign that has begun. */
export function CampaignReport({ campaign: { id } }: { campaign: Campaign }) {
  const { data, error, refetch } = useGet<CampaignMetrics>(`/campaigns/${id}/metrics`, {
    refetchIntervalMs: REFRESH_MS,
  })
  return (
    <>
      <Section
        title="Results"
        description="Shares from “Delivered” down are of the recipients with a result. Opens and clicks count once for each recipient."
      >
        {data !== undefined && <Funnel metrics={data} />}
        {data === undefined && error === null && <Skeleton height={160} />}
        {data === undefined && <ErrorNote error={error} onRetry={() => void refetch()} />}
      </Section>
      {data !== undefined && <ReportHours metrics={data} />}
      {data !== undefined && (
        <ReportLinks campaignId={id} attempted={data.totals.attempted} refetchIntervalMs={REFRESH_MS} />
      )}
      {data !== undefined && data.providers.length > 0 && (
        <Section title="By mailbox provider">
          <Providers providers={data.providers} />
        </Section>
      )}
    </>
  )
}

function Funnel({ metrics: { totals, recipients } }: { metrics: CampaignMetrics }) {
  const { waiting, accepted, skipped, failed } = recipients
  const all = waiting + accepted + skipped + failed
  return (
    <dl className="funnel">
      <Stage label="Recipients" tone="blue" count={all} share={all === 0 ? null : 1} />
      <Stage label="Emails sent" tone="blue" count={accepted} share={all === 0 ? null : accepted / all} />
      {STAGES.map(({ label, tone, countOf }) => {
        const count = countOf(totals)
        return <Stage key={label} label={label} tone={tone} count={count} share={shareOf(count, totals)} />
      })}
    </dl>
  )
}

interface StageProps {
  label: string
  tone: Tone
  count: number
  /** Null while there is nothing to compare with. */
  share: number | null
}

function Stage({ label, tone, count, share }: StageProps) {
  return (
    <div data-tone={tone}>
      <dt>{label}</dt>
      <dd>
        <span className="funnel-bar" style={{ width: `${(share ?? 0) * 100}%` }} />
      </dd>
      <dd>{count.toLocaleString()}</dd>
      <dd>{share === null ? '' : showShare(share)}</dd>
    </div>
  )
}

/** The results by mailbox provider. */
function Providers({ providers }: Pick<CampaignMetrics, 'providers'>) {
  return (
    <FiguresTable
      label="By mailbox provider"
      headers={['Provider', 'With a result', ...OF_PROVIDERS.map(({ label }) => label)]}
    >
      {providers.map(({ provider, counts }) => (
        <tr key={provider}>
          <th scope="row">{showProvider(provider)}</th>
          <td>{counts.attempted.toLocaleString()}</td>
          {OF_PROVIDERS.map(({ label, countOf }) => {
            const share = shareOf(countOf(counts), counts)
            return <td key={label}>{share === null ? '–' : showShare(share)}</td>
          })}
        </tr>
      ))}
    </FiguresTable>
  )
}
