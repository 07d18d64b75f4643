import '../../ui/metrics/metrics.css'
import { Box, Skeleton } from '@mantine/core'
import type { Campaign, CampaignMetrics } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { showProvider } from '../../ui/metrics/providers.ts'
import { showShare } from '../../ui/metrics/shares.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Tone } from '../../ui/status-badge.tsx'
import { texts } from './texts.ts'

type Counts = CampaignMetrics['totals']

interface Stage {
  label: string
  tone: Tone
  countOf(counts: Counts): number
}

/** A relay's acceptance counts as delivered, as in the metrics of the team. */
const deliveredOf = ({ attempted, bounced, failed, rejected }: Counts) =>
  Math.max(0, attempted - bounced - failed - rejected)

const DELIVERED: Stage = { label: texts.report.delivered, tone: 'green', countOf: deliveredOf }
const OPENED: Stage = { label: texts.report.opened, tone: 'blue', countOf: (counts) => counts.opened_unique }
const CLICKED: Stage = {
  label: texts.report.clicked,
  tone: 'blue',
  countOf: (counts) => counts.clicked_unique,
}
const BOUNCED: Stage = { label: texts.report.bounced, tone: 'red', countOf: (counts) => counts.bounced }
const STAGES: readonly Stage[] = [
  ...[DELIVERED, OPENED, CLICKED],
  { label: texts.report.unsubscribed, tone: 'amber', countOf: (counts) => counts.unsubscribed },
  { label: texts.report.complained, tone: 'red', countOf: (counts) => counts.complained },
  BOUNCED,
  { label: texts.report.failed, tone: 'red', countOf: ({ failed, rejected }) => failed + rejected },
]
/** As much as fits on a phone. */
const OF_PROVIDERS = [DELIVERED, OPENED, CLICKED, BOUNCED]

/** Also once it is sent: most results come after the last email is accepted. */
const REFRESH_MS = 5_000

/** What became of the emails of a campaign that has begun. */
export function CampaignReport({ campaign: { id } }: { campaign: Campaign }) {
  const { data, error, refetch } = useGet<CampaignMetrics>(`/campaigns/${id}/metrics`, {
    refetchIntervalMs: REFRESH_MS,
  })
  return (
    <Section title={texts.report.results} description={texts.report.ofTheRecipients}>
      {data !== undefined && <Funnel totals={data.totals} />}
      {data !== undefined && data.providers.length > 0 && (
        <Box mt="md">
          <Providers providers={data.providers} />
        </Box>
      )}
      {data === undefined && error === null && <Skeleton height={160} />}
      {data === undefined && <ErrorNote error={error} onRetry={() => void refetch()} />}
    </Section>
  )
}

function Funnel({ totals }: { totals: Counts }) {
  return (
    <dl className="funnel">
      {STAGES.map(({ label, tone, countOf }) => {
        const count = countOf(totals)
        const share = shareOf(count, totals)
        return (
          <div key={label} data-tone={tone}>
            <dt>{label}</dt>
            <dd>
              <span className="funnel-bar" style={{ width: `${(share ?? 0) * 100}%` }} />
            </dd>
            <dd>{count.toLocaleString()}</dd>
            <dd>{share === null ? '' : showShare(share)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

function Providers({ providers }: Pick<CampaignMetrics, 'providers'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1)
    <section className="figures" aria-label={texts.report.byProvider} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.report.provider}</th>
            <th scope="col">{texts.report.attempted}</th>
            {OF_PROVIDERS.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </section>
  )
}

/** Returns null without any result. An open may be counted before its delivery: no more than all opened. */
const shareOf = (count: number, { attempted }: Counts): number | null =>
  attempted === 0 ? null : Math.min(1, count / attempted)
