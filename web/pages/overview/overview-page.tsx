import { texts } from './texts.ts'
import './overview.css'
import { Button, SimpleGrid } from '@mantine/core'
import { IconRocket, IconSend } from '@tabler/icons-react'
import type { EmailMetrics } from '../../api/records.ts'
import { useGet, useMay } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { ChartSection } from '../../ui/metrics/chart-section.tsx'
import { metricsQuery } from '../../ui/metrics/range.ts'
import { RangeChoice } from '../../ui/metrics/range-choice.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { WidgetBoundary } from '../../ui/page/widget-boundary.tsx'
import { useFilters } from '../../ui/tables/filters.ts'
import { Alerts } from './alerts.tsx'
import { SendTestDialog } from './send-test.tsx'
import { StartChecklist } from './start-checklist.tsx'
import { DeliveryTimes, Totals } from './totals.tsx'
import { UsageSection, WaitingSection } from './usage-section.tsx'
import { useStart } from './use-start.ts'

/** The team's metrics and alerts; for a new team, the first steps. */
export function OverviewPage() {
  const may = useMay()
  const range = useFilters(['range', 'start_date', 'end_date'])
  const metrics = useGet<EmailMetrics>('/emails/metrics', {
    query: metricsQuery(range.filters, Date.now()),
  })
  const start = useStart()
  const send = useDialog('send')
  return (
    <Page
      title={texts.page.home}
      actions={
        <>
          {!start.isShown && (
            <Button variant="subtle" leftSection={<IconRocket />} onClick={start.show}>
              {texts.page.firstSteps}
            </Button>
          )}
          {may.change('Emails') && (
            <Button
              variant={start.isShown ? 'default' : 'filled'}
              leftSection={<IconSend />}
              onClick={() => send.open()}
            >
              {texts.page.sendATest}
            </Button>
          )}
        </>
      }
    >
      {start.isShown && <StartChecklist start={start} openSend={() => send.open()} />}
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
