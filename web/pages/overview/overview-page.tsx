import './overview.css'
import { Button, SimpleGrid } from '@mantine/core'
import { IconFlag, IconRocket, IconSend } from '@tabler/icons-react'
import { Navigate, useLocation, useSearch } from '@tanstack/react-router'
import type { EmailMetrics } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useNewestEmail, useSkippedStart } from '../../api/start.ts'
import { useGet, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Link } from '../../ui/link.tsx'
import { SendTestDialog } from '../../ui/mail/send-test-dialog.tsx'
import { ChartSection } from '../../ui/metrics/chart-section.tsx'
import { metricsQuery } from '../../ui/metrics/range.ts'
import { RangeChoice } from '../../ui/metrics/range-choice.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { WidgetBoundary } from '../../ui/page/widget-boundary.tsx'
import { useFilters } from '../../ui/tables/filters.ts'
import { Alerts } from './alerts.tsx'
import { DeliveryTimes, Totals } from './totals.tsx'
import { UsageSection, WaitingSection } from './usage-section.tsx'

/** The team's metrics and alerts. A new team sees the first steps instead, until somebody skips them. */
export function OverviewPage() {
  const team = useTeam()
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const [isSkipped] = useSkippedStart()
  const { data } = useGet<EmailMetrics>('/emails/metrics', { query: metricsQuery({}, Date.now()) })
  // Retention may have deleted the emails of a team that is not new.
  const isNew = useNewestEmail() === null && data !== undefined && hasNoCounts(data)
  // Whoever opens Home again while it redirects cancels that, so each visit redirects by itself. Null: it is on its way.
  const visit = useLocation({ select: ({ pathname, state }) => (isHome(pathname) ? state.__TSR_key : null) })
  const isPlain = Object.values(search).every((value) => value === undefined)
  if (search.start === 'true' || (isNew && isPlain && !isSkipped))
    return visit === null ? null : <Navigate key={visit} to={`/${team.id}/start`} replace />
  return <Overview />
}

const hasNoCounts = ({ totals }: EmailMetrics) => Object.values(totals).every((count) => count === 0)

/** Whether the address is not yet that of the first steps. */
const isHome = (pathname: string) => !pathname.endsWith('/start')

function Overview() {
  const isCapturing = useSession().installation.delivery === 'capture'
  const may = useMay()
  const range = useFilters(['range', 'start_date', 'end_date'])
  const metrics = useGet<EmailMetrics>('/emails/metrics', {
    query: metricsQuery(range.filters, Date.now()),
  })
  const team = useTeam()
  const send = useDialog('send')
  return (
    <Page
      title="Home"
      actions={
        <>
          <Button component={Link} to={`/${team.id}/start`} variant="subtle" leftSection={<IconFlag />}>
            First steps
          </Button>
          {isCapturing && (
            <Button component={Link} to={`/${team.id}/go-live`} variant="subtle" leftSection={<IconRocket />}>
              Go live
            </Button>
          )}
          {may.change('Emails') && (
            <Button leftSection={<IconSend />} onClick={() => send.open()}>
              Send a test
            </Button>
          )}
        </>
      }
    >
      <WidgetBoundary>
        <Alerts />
      </WidgetBoundary>
      <RangeChoice range={range} />
      <ErrorNote error={metrics.error} onRetry={() => void metrics.refetch()} />
      <WidgetBoundary>
        <Totals metrics={metrics.data} />
      </WidgetBoundary>
      <WidgetBoundary>
        <ChartSection metrics={metrics.data} />
      </WidgetBoundary>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md" verticalSpacing={0}>
        <WidgetBoundary>
          <DeliveryTimes metrics={metrics.data} />
        </WidgetBoundary>
        <WidgetBoundary>
          <WaitingSection />
        </WidgetBoundary>
        <WidgetBoundary>
          <UsageSection />
        </WidgetBoundary>
      </SimpleGrid>
      <SendTestDialog dialog={send} />
    </Page>
  )
}
